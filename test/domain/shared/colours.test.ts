// Colour scales against entries of their published tables, and the palettes.
import { describe, expect, it } from 'vitest';
import {
  classColour,
  itemColour,
  classPixels,
  greyColour,
  heightColour,
  scaleColour,
  scalePixels,
  toHex,
} from '#domain/shared/colours.ts';

// Entries of matplotlib's tables of 256 that lie between two anchors (every fifth entry).
const published = {
  viridis: {
    0: '440154',
    63: '3b518b',
    128: '21918c',
    192: '5ec962',
    222: 'a8db34',
    255: 'fde725',
  },
  turbo: { 0: '30123b', 63: '2ab9ee', 128: 'a4fc3c', 192: 'fb7e21', 222: 'd43305', 255: '7a0403' },
} as const;

describe('scales', () => {
  it.each(['viridis', 'turbo'] as const)('%s follows its published table', (scale) => {
    for (const [entry, hex] of Object.entries(published[scale])) {
      const colour = scaleColour(scale, Number(entry) / 255);
      const channels = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
      for (const [channel, value] of channels.entries()) {
        expect(Math.abs((colour[channel] ?? 0) - value)).toBeLessThanOrEqual(2);
      }
    }
  });

  it('are clamped outside of 0 to 1', () => {
    expect(toHex(scaleColour('turbo', -3))).toBe('#30123b');
    expect(toHex(scaleColour('viridis', 7))).toBe('#fde725');
    expect([-1, 0, 0.5, 2].map((share) => greyColour(share)[0])).toEqual([0, 0, 128, 255]);
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

  it('of heights differ from the ground up, and stay brighter than black', () => {
    const shares = [0, 0.05, 0.2, 0.5, 1];
    expect(new Set(shares.map((share) => heightColour(share).join())).size).toBe(shares.length);
    expect(Math.max(...heightColour(0))).toBeGreaterThan(80);
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

describe('compared things', () => {
  it('have colours that no class has, nor another of them', () => {
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
    const items = numbers.map(itemColour);
    const others = [...numbers.map(classColour), ...items];
    for (const [index, one] of items.entries()) {
      for (const other of others.toSpliced(8 + index, 1)) {
        expect(
          Math.hypot(...one.map((value, channel) => value - (other[channel] ?? 0))),
        ).toBeGreaterThan(60);
      }
    }
    expect(itemColour(8)).toEqual(itemColour(0));
  });
});
