// Cost maps of compared runs side by side, as Goodin 2018 shows them in figure 10: what each shows, and how the
// sheet is laid out. Pure: drawing is viewer/costSheet.ts.
import { unknownCost, type MapGeometry, type Pose } from '#contract/host/run.ts';

/** Simulated time of the maps. */
export const costMapTimeS = 10;

export interface CostView {
  map: MapGeometry;
  /** 0–100, 255 unknown; row by row from the south-west corner, x fastest. */
  cost: Uint8Array;
  timeS: number;
  pose: Pose;
  /** x and y in turn. */
  plannedM: Float32Array;
  drivenM: Float32Array;
}

/** Below a map: its edges in the world. */
export const axesPx = 20;

export interface SheetPanel {
  /** '(a)' and on, as in the paper. */
  letter: string;
  xPx: number;
  yPx: number;
  sizePx: number;
}

export interface SheetLayout {
  widthPx: number;
  heightPx: number;
  panels: SheetPanel[];
  /** Where the key begins. */
  keyYPx: number;
}

export const sheetMarginPx = 24;
/** Above a map: its letter and name. */
const captionPx = 30;
/** Below all maps: colours and bar. */
const keyPx = 70;

/** Up to two in a row, the others below; maps are square. */
export function sheetLayout(count: number, mapPx: number): SheetLayout {
  const columns = Math.min(count, 2);
  const rows = Math.ceil(count / 2);
  const strideX = mapPx + sheetMarginPx;
  const strideY = mapPx + captionPx + axesPx + sheetMarginPx;
  return {
    widthPx: columns * strideX + sheetMarginPx,
    heightPx: rows * strideY + sheetMarginPx + keyPx,
    keyYPx: rows * strideY + sheetMarginPx,
    panels: Array.from({ length: count }, (_, index) => ({
      letter: `(${String.fromCharCode(97 + index)})`,
      xPx: sheetMarginPx + (index % 2) * strideX,
      yPx: sheetMarginPx + captionPx + Math.floor(index / 2) * strideY,
      sizePx: mapPx,
    })),
  };
}

/** The cost of the cell below a place; null outside of the map and where nothing has been seen. */
export function costAt(
  { cells, cellM, originM }: MapGeometry,
  cost: Uint8Array,
  [xM, yM]: readonly [number, number, ...number[]],
): number | null {
  const column = Math.floor((xM - originM[0]) / cellM);
  const row = Math.floor((yM - originM[1]) / cellM);
  if (column < 0 || row < 0 || column >= cells || row >= cells) return null;
  const value = cost[row * cells + column] ?? unknownCost;
  return value === unknownCost ? null : value;
}
