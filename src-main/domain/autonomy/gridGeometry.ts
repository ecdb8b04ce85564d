// Where the cost map lies in the world, and which cell a place falls into.
import type { MapGeometry } from '#contract/host/run.ts';

/** Index of the cell that holds a place, or -1 outside the map. */
export function cellAt({ cells, cellM, originM }: MapGeometry, xM: number, yM: number): number {
  const column = Math.floor((xM - originM[0]) / cellM);
  const row = Math.floor((yM - originM[1]) / cellM);
  if (column < 0 || row < 0 || column >= cells || row >= cells) return -1;
  return row * cells + column;
}

/** Centre of a cell in the world. */
export function cellCentre({ cells, cellM, originM }: MapGeometry, cell: number): [number, number] {
  return [
    originM[0] + ((cell % cells) + 0.5) * cellM,
    originM[1] + (Math.floor(cell / cells) + 0.5) * cellM,
  ];
}
