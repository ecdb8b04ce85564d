// A cost map as pixels: grey from black (no cost) to white (100), as in Goodin 2018, figure 10. Costs are 0–100 and 255
// for a cell that was not seen.
import { unknownCost, type MapGeometry } from '#contract/host/run.ts';
import { greyColour, type Rgb } from './colours.ts';

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
