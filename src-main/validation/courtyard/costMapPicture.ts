// A cost map as a small picture: black is zero cost, white the highest, dark blue not seen; the driven way in
// orange. North is up.
import { unknownCost } from '#contract/host/run.ts';
import type { Drive } from '../benchDrive.ts';
import type { Picture } from '../section.ts';

const cellPx = 2;
const unknownColour = [14, 22, 44] as const;
const wayColour = [230, 159, 0] as const;

/** Two pixels a cell. */
export function costMapPicture(
  { map, cost, ticks }: Drive,
  title: string,
  caption: string,
): Picture {
  const side = map.cells * cellPx;
  const rgb = new Uint8Array(3 * side * side);
  for (let at = 0; at < side * side; at += 1) {
    const column = Math.floor((at % side) / cellPx);
    const row = map.cells - 1 - Math.floor(Math.floor(at / side) / cellPx);
    const value = cost[row * map.cells + column] ?? unknownCost;
    const grey = Math.round(2.55 * value);
    rgb.set(value === unknownCost ? unknownColour : [grey, grey, grey], 3 * at);
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
      rgb.set(wayColour, 3 * ((row + down) * side + column + right));
    }
  }
  return { title, caption, widthPx: side, heightPx: side, rgb };
}
