// A cost map as pixels: grey from black (no cost) to white (100), as in Goodin 2018, figure 10; and as an
// overlay for the ground in turbo. Costs are 0–100 and 255 for a cell that was not seen.
import { unknownCost, type MapGeometry } from '#contract/host/run.ts';
import { greyColour, scaleColour, type Rgb } from './colours.ts';

/** The colour of a cell that was not seen: no grey, so that it cannot be read as a cost. */
export const unseenColour: Rgb = [31, 52, 71];

/** RGBA, cells × cells pixels, north up: the first row of pixels is the northernmost row of cells. */
export function costMapPixels(
  { cells }: Pick<MapGeometry, 'cells'>,
  cost: ArrayLike<number>,
): Uint8ClampedArray<ArrayBuffer> {
  const pixels = new Uint8ClampedArray(4 * cells * cells);
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const value = cost[(cells - 1 - row) * cells + column] ?? unknownCost;
      const colour = value === unknownCost ? unseenColour : greyColour(value / 100);
      pixels.set(colour, 4 * (row * cells + column));
      pixels[4 * (row * cells + column) + 3] = 255;
    }
  }
  return pixels;
}

/** RGBA in the order of the cells (south-west first): turbo; low costs faint, unseen cells clear. */
export function paintCostOverlay(cost: Uint8Array, rgba: Uint8Array): void {
  for (let cell = 0; cell < cost.length; cell += 1) {
    const value = cost[cell] ?? unknownCost;
    rgba.set(overlayColours[Math.min(value, 100)] ?? unseenColour, 4 * cell);
    rgba[4 * cell + 3] = value === unknownCost ? 0 : 70 + Math.round(1.5 * Math.min(value, 100));
  }
}

const overlayColours = Array.from({ length: 101 }, (_, cost) => scaleColour('turbo', cost / 100));
