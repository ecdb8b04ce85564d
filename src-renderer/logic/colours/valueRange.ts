// The range of a colour scale. It only ever widens, and in steps, so that colours do not flicker.

export type ValueRange = readonly [from: number, to: number];

/**
 * `range` widened to whole multiples of `step` so that it holds the values from the lowest hundredth up
 * to the share `upTo` of them. Values that are no numbers count for nothing.
 */
export function widenRange(
  range: ValueRange | null,
  values: ArrayLike<number>,
  step: number,
  upTo = 0.99,
): ValueRange | null {
  const sample = sampleSorted(values);
  const low = sample[Math.floor(0.01 * (sample.length - 1))];
  const high = sample[Math.ceil(upTo * (sample.length - 1))];
  if (low === undefined || high === undefined) return range;
  // Why the tenth: noise about the ground must not cost a whole step.
  const from = Math.floor(low / step + 0.1) * step;
  const to = Math.max(Math.ceil(high / step - 0.1) * step, from + step);
  if (range !== null && range[0] <= from && range[1] >= to) return range;
  return range === null ? [from, to] : [Math.min(range[0], from), Math.max(range[1], to)];
}

const sampleSize = 1000;
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/**
 * At most a thousand of the values: sorting all of a cloud would cost a frame. Why golden steps: a fixed
 * stride falls into step with the sensor's lasers and sees the same few of them only.
 */
function sampleSorted(values: ArrayLike<number>): Float32Array {
  const sample = new Float32Array(Math.min(values.length, sampleSize));
  let taken = 0;
  const isSmall = values.length <= sampleSize;
  for (let draw = 0; draw < sample.length; draw += 1) {
    const share = (draw * goldenRatio) % 1;
    const value = values[isSmall ? draw : Math.floor(share * values.length)];
    if (value === undefined || !Number.isFinite(value)) continue;
    sample[taken] = value;
    taken += 1;
  }
  return sample.subarray(0, taken).sort();
}
