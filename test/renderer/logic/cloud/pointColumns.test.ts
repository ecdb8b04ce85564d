// Thinning: which points stay.
import { describe, expect, it } from 'vitest';
import { thinPoints, type PointColumns } from '#renderer/logic/cloud/pointColumns.ts';

function tableOf(count: number): PointColumns {
  const rows = Float32Array.from({ length: count }, (_, row) => row);
  return {
    xM: rows,
    yM: rows.map((row) => 2 * row),
    zM: rows.map((row) => -row),
    intensity: rows.map((row) => row / count),
    rangeM: rows,
    rangeErrorM: rows,
    ring: Uint16Array.from(rows),
    returnNo: Uint8Array.from(rows),
    sensor: Uint8Array.from(rows),
    classId: Uint16Array.from(rows, (row) => row % 5),
  };
}

describe('thinned points', () => {
  it('are whole rows, evenly spaced from the offset', () => {
    const { xM, yM, zM, classId } = thinPoints(tableOf(20), 7, 3);
    expect([...xM]).toEqual([3, 10, 17]);
    expect([...yM]).toEqual([6, 20, 34]);
    expect([...zM]).toEqual([-3, -10, -17]);
    expect([...classId]).toEqual([3, 0, 2]);
  });

  it('see every laser', () => {
    for (const lasers of [16, 32, 64]) {
      const { xM } = thinPoints(tableOf(100 * lasers), 43, 0);
      expect(new Set(xM.map((row) => row % lasers)).size, `${lasers} lasers`).toBe(lasers);
    }
  });

  it('may be none', () => {
    expect(thinPoints(tableOf(3), 43, 5).xM).toHaveLength(0);
    expect(thinPoints(tableOf(0), 43, 0).xM).toHaveLength(0);
  });
});
