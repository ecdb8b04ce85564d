// A cost map as a small picture: black is zero cost, white the highest, dark blue not seen; the driven path in
// orange. North is up.
import { markColours } from '#domain/shared/colours.ts';
import { costMapPixels } from '#domain/shared/costMapImage.ts';
import type { Drive } from '../benchDrive.ts';
import type { Picture } from '../section.ts';

const cellPx = 2;

/** Two pixels a cell. */
export function costMapPicture(
  { map, cost, ticks }: Drive,
  title: string,
  caption: string,
): Picture {
  const side = map.cells * cellPx;
  const rgb = new Uint8Array(3 * side * side);
  const cells = costMapPixels(map, cost);
  for (let at = 0; at < side * side; at += 1) {
    const column = Math.floor((at % side) / cellPx);
    const row = Math.floor(Math.floor(at / side) / cellPx);
    const from = 4 * (row * map.cells + column);
    rgb.set(cells.subarray(from, from + 3), 3 * at);
  }
  for (const { truth } of ticks) {
    const column = Math.floor((cellPx * (truth.positionM[0] - map.originM[0])) / map.cellM);
    const row = side - 1 - Math.floor((cellPx * (truth.positionM[1] - map.originM[1])) / map.cellM);
    for (const [right, down] of [
      [0, 0],
      [1, 0],
      [0, 1],
      [1, 1],
    ] as const) {
      rgb.set(markColours.orange, 3 * ((row + down) * side + column + right));
    }
  }
  return { title, caption, widthPx: side, heightPx: side, rgb };
}
