// Values of fields that are multiples of a column, as the worker packs them: worked out in double precision, whole
// numbers rounded to the nearest (halves up) and limited to their range, NaN to 0. Floats of a field with a step are
// multiples of it, the nearest ones; of two equally near the even one.
import { columnTypes } from '#contract/columns.ts';
import type { CloudField } from './cloudFields.ts';

type Scaled = Pick<CloudField, 'type' | 'factor' | 'plus' | 'step'>;

/** 1.5 · 2^52: sums with it are whole numbers, as the worker rounds. */
const wholesOnly = 1.5 * 2 ** 52;

/** plus + factor · value, as the field's type has it. */
export function scaledValue(
  value: number,
  { type, factor = 1, plus = 0, step = 0 }: Scaled,
): number {
  const exact = plus + factor * value;
  if (type === 'f64') return exact;
  if (type === 'f32') {
    return Math.fround(step === 0 ? exact : (exact / step + wholesOnly - wholesOnly) * step);
  }
  const rounded = Math.floor(exact + 0.5);
  return rounded > 0 ? Math.min(rounded, largest[type]) : 0;
}

/** The first `rows` values of a column so, in the field's type. */
export function scaledColumn(
  values: ArrayLike<number>,
  field: Scaled,
  rows: number,
): Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array {
  const scaled = new columnTypes[field.type](rows);
  for (let row = 0; row < rows; row++) scaled[row] = scaledValue(values[row] ?? NaN, field);
  return scaled;
}

/** The reverse, but for what was rounded or limited. */
export function unscaledValue(value: number, { factor = 1, plus = 0 }: Scaled): number {
  return (value - plus) / factor;
}

const largest: Record<Exclude<CloudField['type'], 'f32' | 'f64'>, number> = {
  u8: 2 ** 8 - 1,
  u16: 2 ** 16 - 1,
  u32: 2 ** 32 - 1,
  i32: 2 ** 31 - 1,
};
