// Points as columns, and fewer of them.

/** Columns of equal length, as a view of a run carries them. */
export interface PointColumns {
  xM: Float32Array;
  yM: Float32Array;
  zM: Float32Array;
  intensity: Float32Array;
  classId: Uint16Array;
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
    classId: new Uint16Array(count),
  };
  for (const name of ['xM', 'yM', 'zM', 'intensity', 'classId'] as const) {
    const from = points[name];
    const to = thinned[name];
    for (let row = 0; row < count; row += 1) to[row] = from[offset + row * stride] ?? 0;
  }
  return thinned;
}
