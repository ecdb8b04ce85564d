// The pictures, decoded again: what a cell, a path or a point comes to in pixels.
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { createCanvas, textWidthPx } from '#hosts/cli/pictures/canvas.ts';
import { createCloudPicture } from '#hosts/cli/pictures/cloudPicture.ts';
import { heightColour, markColours } from '#hosts/cli/pictures/colourMaps.ts';
import { drawCostMap } from '#hosts/cli/pictures/costMapPicture.ts';
import { createMapFrame, roundLength } from '#hosts/cli/pictures/frame.ts';

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
  const { at, width, height } = pixelsOf(png);
  // The frame's margins, and 120 pixels a cell.
  const pixelAt = (xM: number, yM: number): number[] =>
    at(90 + (xM + 10) * 60, 92 + 1200 - (yM + 10) * 60);

  it('is black where cost is zero, white where it is 100, and says where nothing was seen', () => {
    expect([width, height]).toEqual([90 + 1200 + 300, 92 + 1200 + 84]);
    expect(pixelAt(-9, -9)).toEqual([0, 0, 0]);
    expect(pixelAt(9, -9)).toEqual([255, 255, 255]);
    expect(pixelAt(-9, 9)).toEqual([128, 128, 128]);
    const unseen = pixelAt(5, 5);
    expect(unseen).not.toEqual([0, 0, 0]);
    expect(Math.max(...unseen)).toBeLessThan(64);
  });

  it('shows both ways, the vehicle, start and goal where they are', () => {
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
    // 64 points make a pixel fully bright.
    expect(at(90 + 300, 92 + 599 - 100)).toEqual([...heightColour(1)]);
    expect(Math.max(...at(90 + 301, 92 + 599 - 100))).toBeLessThan(16);
  });

  it('heights differ in colour from the ground up', () => {
    const brightness = (share: number): number => Math.max(...heightColour(share));
    expect(brightness(0)).toBeGreaterThan(80);
    const colours = [0, 0.05, 0.2, 0.5, 1].map((share) => heightColour(share).join());
    expect(new Set(colours).size).toBe(colours.length);
  });
});

describe('the page', () => {
  it('has scales of round lengths', () => {
    expect([7, 60, 0.3, 200, 10].map(roundLength)).toEqual([5, 50, 0.2, 200, 10]);
  });

  it('puts the world where the axes say, x to the right and y up', () => {
    const frame = createMapFrame({
      title: '',
      subtitle: '',
      minM: [-100, -100],
      maxM: [100, 100],
      longSidePx: 1000,
      bar: { label: '', from: '', to: '', colour: () => [0, 0, 0] },
      legend: [],
    });
    const { left, top } = frame.mapPx;
    expect(frame.toPx(-100, 100)).toEqual([left, top]);
    expect(frame.toPx(100, -100)).toEqual([left + 1000, top + 1000]);
  });

  it('writes text as wide as it says', () => {
    const canvas = createCanvas(100, 40, [255, 255, 255]);
    canvas.text('HHH', 10, 10, { colour: [0, 0, 0], scale: 2 });
    const { at } = pixelsOf(canvas.png());
    const inked = Array.from({ length: 100 }, (_, x) => x).filter((x) => at(x, 17)[0] === 0);
    expect(inked[0]).toBe(10);
    expect((inked.at(-1) ?? 0) - 10 + 1).toBe(textWidthPx('HHH', 2));
  });
});
