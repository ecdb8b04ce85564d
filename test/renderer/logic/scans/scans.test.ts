// Saved scans: tables from chunks, colours on a common range, statistics and histograms.
import { describe, expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import { classColour, scaleColour } from '#domain/shared/colours.ts';
import { commonRange, rangeErrors, scanColours } from '#renderer/logic/scans/scanColours.ts';
import { binsOf, scanStatistics } from '#renderer/logic/scans/scanStatistics.ts';
import { scanTable } from '#renderer/logic/scans/scanTable.ts';

function chunk(first: number, rows: number): Columns {
  const f32 = (value: (row: number) => number): Float32Array =>
    Float32Array.from({ length: rows }, (_, row) => value(first + row));
  return {
    time_ns: BigInt64Array.from({ length: rows }, (_, row) => BigInt(1000 * (first + row))),
    pulse: BigUint64Array.from({ length: rows }, (_, row) => BigInt(first + row)),
    ring: Uint16Array.from({ length: rows }, (_, row) => (first + row) % 4),
    return_no: new Uint8Array(rows).fill(1),
    range_m: f32((row) => row + 1.25),
    range_clean_m: f32((row) => row + 1),
    intensity: f32(() => 0.5),
    beam_share: f32((row) => (row === 0 ? 0.5 : 1)),
    x_m: f32((row) => row),
    y_m: f32((row) => 10 * row),
    z_m: f32((row) => 100 * row),
    x_clean_m: f32((row) => -row),
    y_clean_m: f32(() => 0),
    z_clean_m: f32(() => 0),
    object_id: new Uint32Array(rows),
    class_id: Uint16Array.from({ length: rows }, (_, row) => (first + row) % 2),
  };
}
const table = scanTable([chunk(0, 3), chunk(3, 2)]);

describe('a scan', () => {
  it('is gathered from its chunks in order', () => {
    expect(table.rows).toBe(5);
    expect([...table.pulse]).toEqual([0n, 1n, 2n, 3n, 4n]);
    expect([...table.noisyM.subarray(6, 12)]).toEqual([2, 20, 200, 3, 30, 300]);
    expect(table.cleanM[9]).toBe(-3);
  });

  it('is refused without one of its columns', () => {
    const rest = chunk(0, 2);
    delete rest['ring'];
    expect(() => scanTable([rest])).toThrow('ring');
  });

  it('of nothing has no rows', () => {
    expect(scanTable([]).rows).toBe(0);
    expect(scanStatistics(scanTable([]), 2).returns).toBe(0);
  });
});

describe('statistics', () => {
  it('are of ranges, shares, classes and errors', () => {
    const found = scanStatistics(table, 2);
    expect(found.returns).toBe(5);
    expect(found.meanRangeM).toBeCloseTo(3.25, 6);
    expect(found.medianRangeM).toBeCloseTo(3.25, 6);
    expect(found.mixed).toBe(1);
    expect(found.ofClass).toEqual([3, 2]);
    expect(found.meanErrorM).toBeCloseTo(0.25, 6);
    expect(found.sigmaErrorM).toBeCloseTo(0, 6);
  });

  it('count in bins that hold both ends', () => {
    expect(binsOf([0, 0.9, 1, 2, 3, 3.1, NaN], 0, 3, 3)).toEqual([2, 1, 2]);
  });
});

describe('colours', () => {
  const own = [1, 2, 3] as const;

  it('are the own one by scan, the class by class', () => {
    expect([
      ...scanColours(table, 'scan', { range: null, scale: 'viridis', own }).subarray(0, 3),
    ]).toEqual([1, 2, 3]);
    const byClass = scanColours(table, 'class', { range: null, scale: 'viridis', own });
    expect([...byClass.subarray(3, 6)]).toEqual([...classColour(1)]);
  });

  it('reach from end to end of the common range', () => {
    const range = [0, 3] as const;
    const byRing = scanColours(table, 'ring', { range, scale: 'turbo', own });
    expect([...byRing.subarray(0, 3)]).toEqual([...scaleColour('turbo', 0)]);
    expect([...byRing.subarray(9, 12)]).toEqual([...scaleColour('turbo', 1)]);
  });

  it('of errors lie about zero', () => {
    expect([...rangeErrors(table)].every((error) => Math.abs(error - 0.25) < 1e-6)).toBe(true);
    const [from, to] = commonRange([table], 'error') ?? [0, 0];
    expect(from).toBeCloseTo(-0.25, 6);
    expect(to).toBeCloseTo(0.25, 6);
    expect(commonRange([], 'error')).toBeNull();
  });

  it('have one range over all scans', () => {
    const far = scanTable([chunk(50, 5)]);
    const [from, to] = commonRange([table, far], 'range') ?? [0, 0];
    expect(from).toBeLessThanOrEqual(1.25);
    expect(to).toBeGreaterThanOrEqual(54);
  });
});
