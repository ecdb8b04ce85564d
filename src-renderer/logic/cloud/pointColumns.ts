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
  /** Its place among the sensors of the run. */
  sensor: Uint8Array;
}

/** The columns of shownPointColumns in a view of a run; null where one is missing or of another length. */
export function pointsOf(columns: Columns): PointColumns | null {
  const { x_m: xM, y_m: yM, z_m: zM, intensity, class_id: classId } = columns;
  const {
    range_m: rangeM,
    range_error_m: rangeErrorM,
    ring,
    return_no: returnNo,
    sensor,
  } = columns;
  if (!isReals(xM) || !isReals(yM) || !isReals(zM) || !isReals(intensity)) return null;
  if (!isReals(rangeM) || !isReals(rangeErrorM)) return null;
  if (!(ring instanceof Uint16Array && classId instanceof Uint16Array)) return null;
  if (!(returnNo instanceof Uint8Array && sensor instanceof Uint8Array)) return null;
  const points = { xM, yM, zM, intensity, rangeM, rangeErrorM, ring, returnNo, classId, sensor };
  return Object.values(points).every(({ length }) => length === xM.length) ? points : null;
}

function isReals(column: unknown): column is Float32Array {
  return column instanceof Float32Array;
}

/**
 * Every `stride`-th point, beginning with number `offset` (below the stride). A prime stride takes turns
 * with the lasers of a sensor, whose number has small factors only: all of them stay in the view.
 */
export function thinPoints(points: PointColumns, stride: number, offset: number): PointColumns {
  const count = Math.max(0, Math.ceil((points.xM.length - offset) / stride));
  const reals = (from: Float32Array): Float32Array => {
    return thinReals(from, new Float32Array(count), stride, offset);
  };
  return {
    xM: reals(points.xM),
    yM: reals(points.yM),
    zM: reals(points.zM),
    intensity: reals(points.intensity),
    rangeM: reals(points.rangeM),
    rangeErrorM: reals(points.rangeErrorM),
    ring: thinCodes(points.ring, new Uint16Array(count), stride, offset),
    returnNo: thinCodes(points.returnNo, new Uint8Array(count), stride, offset),
    classId: thinCodes(points.classId, new Uint16Array(count), stride, offset),
    sensor: thinCodes(points.sensor, new Uint8Array(count), stride, offset),
  };
}

// Why two: one function for arrays of all types took three times as long, for every view.
function thinReals(
  from: Float32Array,
  to: Float32Array,
  stride: number,
  offset: number,
): Float32Array {
  for (let row = 0, at = offset; row < to.length; row += 1, at += stride) to[row] = from[at] ?? 0;
  return to;
}

function thinCodes<T extends Uint16Array | Uint8Array>(
  from: T,
  to: T,
  stride: number,
  offset: number,
): T {
  for (let row = 0, at = offset; row < to.length; row += 1, at += stride) to[row] = from[at] ?? 0;
  return to;
}
