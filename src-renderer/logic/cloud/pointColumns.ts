// Points as columns, and fewer of them.
import type { Columns } from '#contract/columns.ts';

/** Columns of equal length, as a view of a run carries them. */
export interface PointColumns {
  xM: Float32Array;
  yM: Float32Array;
  zM: Float32Array;
  intensity: Float32Array;
  rangeM: Float32Array;
  /** As reported less the one without noise. */
  rangeErrorM: Float32Array;
  ring: Uint16Array;
  returnNo: Uint8Array;
  classId: Uint16Array;
}

/** The columns of shownPointColumns in a view of a run; null where one is missing or of another length. */
export function pointsOf(columns: Columns): PointColumns | null {
  const { x_m: xM, y_m: yM, z_m: zM, intensity, class_id: classId } = columns;
  const { range_m: rangeM, range_error_m: rangeErrorM, ring, return_no: returnNo } = columns;
  if (!isReals(xM) || !isReals(yM) || !isReals(zM) || !isReals(intensity)) return null;
  if (!isReals(rangeM) || !isReals(rangeErrorM)) return null;
  if (!(ring instanceof Uint16Array && classId instanceof Uint16Array)) return null;
  if (!(returnNo instanceof Uint8Array)) return null;
  const points = { xM, yM, zM, intensity, rangeM, rangeErrorM, ring, returnNo, classId };
  return Object.values(points).every(({ length }) => length === xM.length) ? points : null;
}

function isReals(column: unknown): column is Float32Array {
  return column instanceof Float32Array;
}

/**
 * Every `stride`-th point, beginning with number `offset` (below the stride). A prime stride takes turns
 * with the lasers of a sensor, whose number has small factors only: all of them stay in the picture.
 */
export function thinPoints(points: PointColumns, stride: number, offset: number): PointColumns {
  const count = Math.max(0, Math.ceil((points.xM.length - offset) / stride));
  const thinned: PointColumns = {
    xM: new Float32Array(count),
    yM: new Float32Array(count),
    zM: new Float32Array(count),
    intensity: new Float32Array(count),
    rangeM: new Float32Array(count),
    rangeErrorM: new Float32Array(count),
    ring: new Uint16Array(count),
    returnNo: new Uint8Array(count),
    classId: new Uint16Array(count),
  };
  for (const name of Object.keys(thinned) as (keyof PointColumns)[]) {
    const from = points[name];
    const to = thinned[name];
    for (let row = 0; row < count; row += 1) to[row] = from[offset + row * stride] ?? 0;
  }
  return thinned;
}
