// The error of a cost map: where it takes an obstacle for none, or the reverse. Truth: nothing of this reaches autonomy.
import { unknownCost, type MapGeometry } from '#contract/host/run.ts';
import { lethalCost } from '#domain/autonomy/costMap.ts';
import type { Obstacle } from './obstacles.ts';
import { boundsOf, overlaps, rectangle } from './polygon.ts';

/**
 * Share of the known cells that are wrong: with a cost from `lethalCost` on where no obstacle is, or below it where one
 * shares area with the cell. Null: no cell is known. Crowns that hang over a cell below 1.5 m count as wrong costs.
 * @param cost row by row from the south, 0–100 or `unknownCost`
 */
export function mapErrorShare(
  { cells, cellM, originM }: MapGeometry,
  cost: Uint8Array,
  obstacles: readonly Obstacle[],
): number | null {
  const isObstacle = new Uint8Array(cells * cells);
  const columnOf = (xM: number): number => Math.floor((xM - originM[0]) / cellM);
  const rowOf = (yM: number): number => Math.floor((yM - originM[1]) / cellM);
  const inside = (index: number): number => Math.max(0, Math.min(cells - 1, index));
  for (const { outline, motion } of obstacles) {
    // The map holds stationary obstacles.
    if (motion !== undefined) continue;
    const [minX, minY, maxX, maxY] = boundsOf(outline);
    if (columnOf(maxX) < 0 || rowOf(maxY) < 0) continue;
    for (let row = inside(rowOf(minY)); row <= inside(rowOf(maxY)); row += 1) {
      for (let column = inside(columnOf(minX)); column <= inside(columnOf(maxX)); column += 1) {
        const cell = row * cells + column;
        if (cost[cell] === unknownCost || isObstacle[cell] === 1) continue;
        const xM = originM[0] + (column + 0.5) * cellM;
        const yM = originM[1] + (row + 0.5) * cellM;
        const square = rectangle({ xM, yM, yawRad: 0 }, cellM, cellM);
        if (overlaps(square, outline)) isObstacle[cell] = 1;
      }
    }
  }
  let known = 0;
  let wrong = 0;
  for (const [cell, value] of cost.entries()) {
    if (value === unknownCost) continue;
    known += 1;
    if (value >= lethalCost !== (isObstacle[cell] === 1)) wrong += 1;
  }
  return known === 0 ? null : wrong / known;
}
