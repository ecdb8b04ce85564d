// Colours of values, classes and costs.
import { describe, expect, it } from 'vitest';
import {
  classColour,
  classPixels,
  paintCost,
  scaleColour,
  scalePixels,
  toHex,
} from '#renderer/logic/colours/colourMaps.ts';

describe('scales', () => {
  it('begin and end with their published colours, and hold outside', () => {
    expect(toHex(scaleColour('viridis', 0))).toBe('#440154');
    expect(toHex(scaleColour('viridis', 1))).toBe('#fde725');
    expect(toHex(scaleColour('turbo', -3))).toBe('#30123b');
    expect(toHex(scaleColour('turbo', 7))).toBe('#7a0402');
  });

  it('viridis grows lighter all the way: it can be read without colour', () => {
    const luminances = Array.from({ length: 101 }, (_, at) => {
      const [red, green, blue] = scaleColour('viridis', at / 100);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    });
    for (let at = 1; at < luminances.length; at += 1) {
      expect(luminances[at]).toBeGreaterThanOrEqual(luminances[at - 1] ?? 0);
    }
  });

  it('become opaque pixels', () => {
    const pixels = scalePixels('viridis', 3);
    expect([...pixels.slice(0, 4)]).toEqual([0x44, 0x01, 0x54, 255]);
    expect([...pixels.slice(8)]).toEqual([0xfd, 0xe7, 0x25, 255]);
  });
});

describe('classes', () => {
  it('differ, and begin again after the last colour', () => {
    const colours = Array.from({ length: 8 }, (_, id) => toHex(classColour(id)));
    expect(new Set(colours).size).toBe(8);
    expect(classColour(8)).toEqual(classColour(0));
    expect([...classPixels(2)]).toEqual([...classColour(0), 255, ...classColour(1), 255]);
  });
});

describe('cost', () => {
  it('is clear where unknown and denser where dearer', () => {
    const rgba = new Uint8Array(12);
    paintCost(Uint8Array.of(255, 0, 100), rgba);
    expect(rgba[3]).toBe(0);
    expect(rgba[7]).toBeGreaterThan(0);
    expect(rgba[11]).toBeGreaterThan(rgba[7] ?? 255);
    expect([...rgba.slice(8, 11)]).toEqual([...scaleColour('turbo', 1)]);
  });
});
