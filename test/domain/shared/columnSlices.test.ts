// Slices of columns put together: the whole in its order and types, however it was cut.
import { expect, it } from 'vitest';
import { createColumnSlices } from '#domain/shared/columnSlices.ts';

it.each([1, 3, 10])('gives the columns back that were cut in slices of %i', (rows) => {
  const total = 10;
  const a = Uint32Array.from({ length: total }, (_, row) => row * 7);
  const b = Float64Array.from({ length: total }, (_, row) => row / 3);
  const slices = createColumnSlices(total);
  for (let from = 0; from < total; from += rows) {
    slices.put(from, { a: a.subarray(from, from + rows), b: b.subarray(from, from + rows) });
  }
  expect(slices.columns).toEqual({ a, b });
});

it('takes an empty slice for columns without rows', () => {
  const slices = createColumnSlices(0);
  slices.put(0, { a: new Uint16Array(0) });
  expect(slices.columns).toEqual({ a: new Uint16Array(0) });
});
