// The pictures, decoded again: pixels of a cell, a path and a point.
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { heightColour, markColours } from '#domain/shared/colours.ts';
import { unseenColour } from '#domain/shared/costMapImage.ts';
import { createCloudPicture } from '#hosts/cli/pictures/cloudPicture.ts';
import { drawCostMap } from '#hosts/cli/pictures/costMapPicture.ts';
import { mapCornerPx } from '#hosts/cli/pictures/mapPage.ts';
import { pngOfSvg } from '#hosts/cli/pictures/png.ts';
import { page, text, wrapText } from '#hosts/cli/pictures/svg.ts';

function pixelsOf(png: Uint8Array) {
  const { width, height, data, channels } = decode(png);
  return {
    width,
    height,
    at: (x: number, y: number): number[] => {
      const from = channels * (Math.floor(y) * width + Math.floor(x));
      return [...data.slice(from, from + 3)];
    },
  };
}

describe('the cost map', () => {
  // 10 × 10 cells of 2 m from (-10, -10); row 0 is the southernmost.
  const cost = new Uint8Array(100).fill(255);
  cost[0] = 0;
  cost[9] = 100;
  cost[90] = 50;
  const png = drawCostMap({
    title: 'title',
    subtitle: 'subtitle',
    map: { geometry: { cells: 10, cellM: 2, originM: [-10, -10] }, timeNs: 1e10, cost },
    plannedM: [
      [0, 0],
      [8, 0],
    ],
    drivenM: [
      [0, -6],
      [0, 0],
    ],
    vehicle: { positionM: [0, 0], yawRad: 0, sizeM: [2, 1] },
    startM: [0, -6],
    goalM: [8, 0],
  });
  const { at } = pixelsOf(png);
  // 120 pixels a cell.
  const pixelAt = (xM: number, yM: number): number[] =>
    at(mapCornerPx.left + (xM + 10) * 60, mapCornerPx.top + 1200 - (yM + 10) * 60);

  it('is black where cost is zero, white where it is 100, and says where nothing was seen', () => {
    expect(pixelAt(-9, -9)).toEqual([0, 0, 0]);
    expect(pixelAt(9, -9)).toEqual([255, 255, 255]);
    expect(pixelAt(-9, 9)).toEqual([128, 128, 128]);
    expect(pixelAt(5, 5)).toEqual([...unseenColour]);
  });

  it('has sharp cells that end where the axes say', () => {
    expect(pixelAt(-8 - 1 / 60, -9)).toEqual([0, 0, 0]);
    expect(pixelAt(-8 + 1 / 60, -9)).toEqual([...unseenColour]);
    expect(pixelAt(10 - 1 / 60, -9)).toEqual([255, 255, 255]);
  });

  it('shows both paths, the vehicle, start and goal where they are', () => {
    expect(pixelAt(4, 0)).toEqual([...markColours.skyBlue]);
    expect(pixelAt(0, -3)).toEqual([...markColours.orange]);
    expect(pixelAt(0, 0)).toEqual([...markColours.vermilion]);
    expect(pixelAt(0, -6)).toEqual([...markColours.yellow]);
    expect(pixelAt(8, 0)).toEqual([...markColours.green]);
  });
});

describe('the cloud from above', () => {
  it('shows the highest point of a pixel in the colour of its height', () => {
    const picture = createCloudPicture({
      title: 'title',
      subtitle: 'subtitle',
      minM: [0, 0, 0],
      maxM: [1200, 600, 10],
    });
    const count = 64;
    const xM = new Float32Array(count).fill(300.5);
    const yM = new Float32Array(count).fill(100.5);
    const zM = Float32Array.from({ length: count }, (_, i) => (i === 7 ? 10 : 1));
    picture.add({ x_m: xM, y_m: yM, z_m: zM }, count);
    const { at } = pixelsOf(picture.draw([]));
    const [x, y] = [mapCornerPx.left + 300, mapCornerPx.top + 599 - 100];
    // 64 points make a pixel fully bright.
    expect(at(x, y)).toEqual([...heightColour(1)]);
    expect(Math.max(...at(x + 1, y))).toBeLessThan(16);
  });
});

describe('text', () => {
  /** Columns of pixels with ink in them. */
  function inked(content: string, style: { isBold?: boolean } = {}): number {
    const png = pngOfSvg(page(400, 60, [text(content, 20, 40, { sizePx: 24, ...style })]));
    const { at } = pixelsOf(png);
    const rows = Array.from({ length: 60 }, (_, y) => y);
    return Array.from({ length: 400 }, (_, x) =>
      rows.some((y) => (at(x, y)[0] ?? 255) < 128),
    ).filter(Boolean).length;
  }

  it('is drawn with the font that comes along, whose signs of physics differ', () => {
    expect(inked('')).toBe(0);
    // A missing glyph is a box of one shape.
    const widths = ['°', '×', '±', '²', '−', 'µ', 'σ', 'ρ', 'θ', '√', '≥'].map((sign) =>
      inked(sign),
    );
    expect(Math.min(...widths)).toBeGreaterThan(0);
    expect(new Set(widths).size).toBeGreaterThan(4);
    expect(inked('iiii')).toBeLessThan(inked('mmmm') / 2);
    expect(inked('mmm', { isBold: true })).toBeGreaterThan(inked('mmm'));
  });

  it('is escaped', () => {
    expect(text('a < b & c', 0, 0, { sizePx: 10 })).toContain('a &lt; b &amp; c');
  });

  it('is broken between words, and loses none', () => {
    const words = 'a scanner with sixty-four lasers on a turning head';
    const lines = wrapText(words, 160, 20);
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.join(' ')).toBe(words);
  });
});
