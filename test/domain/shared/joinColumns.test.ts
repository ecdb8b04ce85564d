// Tables out of parts.
import { describe, expect, it } from 'vitest';
import { returnColumns } from '#contract/columns.ts';
import { joinColumns, joinReturns } from '#domain/shared/joinColumns.ts';

const { range_m, pulse } = returnColumns;

function part(...ranges: number[]) {
  return { range_m: Float32Array.from(ranges), pulse: BigUint64Array.from(ranges, BigInt) };
}

describe('columns', () => {
  it('joins consecutive parts to one array each, of the type of the column', () => {
    const joined = joinColumns([part(1, 2), part(), part(3)], { range_m, pulse });
    expect(joined).toEqual(part(1, 2, 3));
  });

  it('that were not asked for are left out; without parts all are empty', () => {
    expect(Object.keys(joinColumns([part(1)], { pulse }))).toEqual(['pulse']);
    expect(joinReturns([], ['range_m', 'pulse'])).toEqual(part());
  });

  it('of one part are not copied', () => {
    const only = part(1, 2);
    expect(joinReturns([only], ['range_m']).range_m).toBe(only.range_m);
  });

  it('that a part lacks or has in another type are refused', () => {
    expect(() => joinReturns([part(1), {}], ['range_m'])).toThrow(
      'expected column range_m as f32, found no such column',
    );
    expect(() => joinColumns([{ range_m: Float64Array.of(1) }, part(1)], { range_m })).toThrow(
      'found Float64Array',
    );
  });
});
