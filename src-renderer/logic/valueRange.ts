// The range of a colour scale. It only ever widens, and in steps, so that colours do not flicker.

export type ValueRange = readonly [from: number, to: number];

/**
 * `range` widened to whole multiples of `step` so that it holds the values, outliers (the lowest and
 * highest hundredth) left out. Values that are no numbers count for nothing.
 */
export function widenRange(
  range: ValueRange | null,
  values: Float32Array,
  step: number,
): ValueRange | null {
  const sample = sampleSorted(values);
  const low = sample[Math.floor(0.01 * (sample.length - 1))];
  const high = sample[Math.ceil(0.99 * (sample.length - 1))];
  if (low === undefined || high === undefined) return range;
  const from = Math.floor(low / step) * step;
  const to = Math.max(Math.ceil(high / step) * step, from + step);
  if (range !== null && range[0] <= from && range[1] >= to) return range;
  return range === null ? [from, to] : [Math.min(range[0], from), Math.max(range[1], to)];
}

/** About a thousand of the values, evenly spread: sorting all of a cloud would cost a frame. */
function sampleSorted(values: Float32Array): Float32Array {
  const stride = Math.max(1, Math.floor(values.length / 1000));
  const sample: number[] = [];
  for (let index = 0; index < values.length; index += stride) {
    const value = values[index];
    if (value !== undefined && Number.isFinite(value)) sample.push(value);
  }
  return Float32Array.from(sample).sort();
}
