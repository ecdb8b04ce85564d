// A rectangle with two linear axes on a canvas: grid, ticks at round numbers, labels.
import { textWidthPx, type Canvas, type Point, type Rgb } from './canvas.ts';
import { markColours } from './colourMaps.ts';
import { roundLength } from './frame.ts';

export interface RectPx {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** `from` is at the left, or at the bottom; it may be the greater one. */
export interface Axis {
  label: string;
  from: number;
  to: number;
}

export interface Plot {
  /** Pixel of a point of the plot. */
  toPx: (x: number, y: number) => Point;
  pxPerX: number;
  pxPerY: number;
}

export const plotColours = {
  ink: [28, 30, 34],
  softInk: [110, 114, 120],
  grid: [228, 230, 233],
  paper: [255, 255, 255],
} as const satisfies Record<string, Rgb>;

/** Draws the empty plot. The labels take 70 px at the left and 60 px below. */
export function drawPlot(canvas: Canvas, rect: RectPx, x: Axis, y: Axis): Plot {
  const { left, top, width, height } = rect;
  const { ink, softInk, grid, paper } = plotColours;
  const toPx = (atX: number, atY: number): Point => [
    left + (width * (atX - x.from)) / (x.to - x.from),
    top + height - (height * (atY - y.from)) / (y.to - y.from),
  ];
  canvas.fillRect(left - 1, top - 1, width + 2, height + 2, softInk);
  canvas.fillRect(left, top, width, height, paper);
  for (const { value, text } of ticks(x, width / 80)) {
    const [at] = toPx(value, y.from);
    canvas.fillRect(at, top, 1, height, value === 0 ? softInk : grid);
    canvas.text(text, at + 1, top + height + 10, { colour: ink, align: 'centre' });
  }
  for (const { value, text } of ticks(y, height / 45)) {
    const [, at] = toPx(x.from, value);
    canvas.fillRect(left, at, width, 1, value === 0 ? softInk : grid);
    canvas.text(text, left - 10, at - 7, { colour: ink, align: 'right' });
  }
  canvas.text(x.label, left + width / 2, top + height + 38, { colour: softInk, align: 'centre' });
  canvas.text(y.label, left, top - 24, { colour: softInk });
  return {
    toPx,
    pxPerX: width / Math.abs(x.to - x.from),
    pxPerY: height / Math.abs(y.to - y.from),
  };
}

/** Round numbers, both ends included where they are round, about `most` at most. */
function ticks({ from, to }: Axis, most: number): { value: number; text: string }[] {
  const [low, high] = [Math.min(from, to), Math.max(from, to)];
  // A turn is cut in eighths.
  const step = high - low === 360 ? 45 : roundStep((high - low) / most);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.floor(high / step + 1e-9) - first + 1;
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return { value: number * step, text: number === 0 ? '0' : (number * step).toFixed(decimals) };
  });
}

/** 1, 2 or 5 times a power of ten: the smallest that is no less than `least`. */
function roundStep(least: number): number {
  const below = roundLength(least);
  if (below === least) return below;
  return roundLength(below * 2.5);
}

/** A heading above a plot, `abovePx` over its top. */
export function drawTitle(canvas: Canvas, { left, top }: RectPx, text: string, abovePx = 60): void {
  canvas.text(text, left, top - abovePx, { colour: markColours.vermilion });
}

/** A bar of colours with a text at each end. */
export function drawColourBar(
  canvas: Canvas,
  rect: RectPx,
  colour: (share: number) => Rgb,
  ends: { from: string; to: string },
): void {
  const { left, top, width, height } = rect;
  for (let column = 0; column < width; column += 1) {
    canvas.fillRect(left + column, top, 1, height, colour(column / (width - 1)));
  }
  const middle = top + height / 2 - 7;
  canvas.text(ends.from, left - 10, middle, { colour: plotColours.ink, align: 'right' });
  canvas.text(ends.to, left + width + 10, middle, { colour: plotColours.ink });
}

/** Breaks a text into lines that are at most `widthPx` wide, between words. */
export function wrapText(text: string, widthPx: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && textWidthPx(longer) > widthPx) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return line === '' ? lines : [...lines, line];
}
