// The page around a map: title, axes in metres, colour bar, legend and scale bar. World x runs to the
// right, y up.
import { createCanvas, textWidthPx, type Canvas, type Point, type Rgb } from './canvas.ts';

export interface MapFrame {
  canvas: Canvas;
  /** Pixel of a point in the world. */
  toPx: (xM: number, yM: number) => Point;
  pxPerM: number;
  /** Left, top, width and height of the map on the page. */
  mapPx: { left: number; top: number; width: number; height: number };
}

export interface FrameOptions {
  title: string;
  subtitle: string;
  minM: readonly [number, number];
  maxM: readonly [number, number];
  /** Length of the longer side of the map. */
  longSidePx: number;
  bar: { label: string; from: string; to: string; colour: (value: number) => Rgb };
  legend: { colour: Rgb; label: string; mark: 'line' | 'disc' | 'ring' | 'box' }[];
}

const ink: Rgb = [20, 20, 20];
const softInk: Rgb = [110, 110, 110];
const paper: Rgb = [255, 255, 255];
const marginPx = { left: 90, top: 92, right: 300, bottom: 84 };

/** Draws everything around the map, and says where the map goes. */
export function createMapFrame(options: FrameOptions): MapFrame {
  const { minM, maxM, longSidePx } = options;
  const [widthM, heightM] = [maxM[0] - minM[0], maxM[1] - minM[1]];
  const pxPerM = longSidePx / Math.max(widthM, heightM);
  const width = Math.round(widthM * pxPerM);
  const height = Math.round(heightM * pxPerM);
  const mapPx = { left: marginPx.left, top: marginPx.top, width, height };
  const canvas = createCanvas(
    marginPx.left + width + marginPx.right,
    marginPx.top + Math.max(height, 520) + marginPx.bottom,
    paper,
  );
  const toPx = (xM: number, yM: number): Point => [
    mapPx.left + (xM - minM[0]) * pxPerM,
    mapPx.top + height - (yM - minM[1]) * pxPerM,
  ];
  const frame = { canvas, toPx, pxPerM, mapPx };
  canvas.text(options.title, mapPx.left, 22, { colour: ink, scale: 3 });
  canvas.text(options.subtitle, mapPx.left, 58, { colour: softInk });
  drawAxes(frame, minM, maxM);
  drawBar(frame, options.bar);
  drawLegend(frame, options.legend);
  drawScale(frame, Math.max(widthM, heightM));
  return frame;
}

/** 1, 2 or 5 times a power of ten: the largest that is no more than `most`. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  const digit = [5, 2, 1].find((candidate) => candidate * power <= most) ?? 1;
  return digit * power;
}

function drawAxes(
  { canvas, toPx, mapPx }: MapFrame,
  minM: readonly [number, number],
  maxM: readonly [number, number],
): void {
  const { left, top, width, height } = mapPx;
  const [right, bottom] = [left + width, top + height];
  canvas.fillRect(left - 2, top - 2, width + 4, height + 4, ink);
  const stepM = roundLength(Math.max(maxM[0] - minM[0], maxM[1] - minM[1]) / 5);
  for (let xM = Math.ceil(minM[0] / stepM) * stepM; xM <= maxM[0]; xM += stepM) {
    const [x] = toPx(xM, 0);
    canvas.fillRect(x - 1, bottom + 2, 2, 8, ink);
    canvas.text(numberText(xM), x, bottom + 16, { colour: ink, align: 'centre' });
  }
  for (let yM = Math.ceil(minM[1] / stepM) * stepM; yM <= maxM[1]; yM += stepM) {
    const [, y] = toPx(0, yM);
    canvas.fillRect(left - 10, y - 1, 8, 2, ink);
    canvas.text(numberText(yM), left - 16, y - 7, { colour: ink, align: 'right' });
  }
  canvas.text('x east (m)', left + width / 2, bottom + 44, { colour: ink, align: 'centre' });
  canvas.text('y (m)', right === left ? left : left - 16, top - 26, {
    colour: ink,
    align: 'right',
  });
}

function drawBar({ canvas, mapPx }: MapFrame, bar: FrameOptions['bar']): void {
  const left = mapPx.left + mapPx.width + 40;
  const { top } = mapPx;
  const heightPx = 240;
  canvas.text(bar.label, left, top, { colour: ink });
  canvas.fillRect(left - 1, top + 29, 30, heightPx + 2, ink);
  for (let row = 0; row < heightPx; row += 1) {
    canvas.fillRect(left, top + 30 + row, 28, 1, bar.colour(1 - row / (heightPx - 1)));
  }
  canvas.text(bar.to, left + 40, top + 30, { colour: ink });
  canvas.text(bar.from, left + 40, top + 30 + heightPx - 14, { colour: ink });
}

function drawLegend({ canvas, mapPx }: MapFrame, legend: FrameOptions['legend']): void {
  const left = mapPx.left + mapPx.width + 40;
  for (const [index, { colour, label, mark }] of legend.entries()) {
    const y = mapPx.top + 312 + index * 30;
    const centre: Point = [left + 14, y + 7];
    switch (mark) {
      case 'line':
        canvas.line(
          [
            [left, y + 7],
            [left + 28, y + 7],
          ],
          4,
          colour,
        );
        break;
      case 'disc':
        canvas.disc(centre, 8, ink);
        canvas.disc(centre, 6.5, colour);
        break;
      case 'ring':
        canvas.ring(centre, 7, 5, ink);
        canvas.ring(centre, 7, 3, colour);
        break;
      case 'box':
        canvas.fillRect(left + 3, y - 3, 22, 20, ink);
        canvas.fillRect(left + 4, y - 2, 20, 18, colour);
        break;
    }
    canvas.text(label, left + 40, y, { colour: ink });
  }
}

function drawScale({ canvas, mapPx, pxPerM }: MapFrame, longSideM: number): void {
  const lengthM = roundLength(longSideM / 5);
  const lengthPx = lengthM * pxPerM;
  const right = mapPx.left + mapPx.width;
  const y = mapPx.top + mapPx.height + 50;
  const label = `${numberText(lengthM)} m`;
  canvas.fillRect(right - lengthPx, y, lengthPx, 4, ink);
  canvas.fillRect(right - lengthPx, y - 5, 2, 14, ink);
  canvas.fillRect(right - 2, y - 5, 2, 14, ink);
  canvas.text(label, right - lengthPx - 12 - textWidthPx(label), y - 5, { colour: ink });
}

function numberText(value: number): string {
  return String(Number(value.toFixed(3)));
}
