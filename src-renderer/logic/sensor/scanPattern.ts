// Where and when the pulses of one scan go, as points for a picture.
import type { Replies } from '#contract/methods.ts';
import type { SensorDescriptionColumns } from '#contract/sensorDescription.ts';
import { degreesOf } from '#renderer/logic/angles.ts';

export interface PlotPoints {
  x: Float64Array;
  y: Float64Array;
  /** 0 to 1. */
  shade: Float64Array;
  xFrom: number;
  xTo: number;
  yFrom: number;
  yTo: number;
}

type Shown = Pick<Replies['sensor.show'], 'recipe'>;

/** Azimuth (left at the left) and elevation in degrees of every pulse, shaded by its time. */
export function directionPoints({ recipe }: Shown, columns: SensorDescriptionColumns): PlotPoints {
  const isSpinning = recipe.scan.kind === 'spinning';
  const x = Float64Array.from(columns.pulse_azimuth_rad, (azimuth) => {
    const at = degreesOf(azimuth);
    return isSpinning && at > 180 ? at - 360 : at;
  });
  const y = Float64Array.from(columns.pulse_elevation_rad, degreesOf);
  const [right, left] = isSpinning ? [-180, 180] : padded(x, 0.03);
  const [yFrom, yTo] = padded(y, 0.08);
  return { x, y, shade: sharesOf(columns.pulse_time_ns), xFrom: left, xTo: right, yFrom, yTo };
}

/**
 * Time in µs and ring of the first pulses: what fires together stands in one column. As many slots as make the
 * order plain: its whole pattern twice, and at least eight.
 */
export function firingPoints({ recipe }: Shown, columns: SensorDescriptionColumns): PlotPoints {
  const slots = Math.max(8, 2 * recipe.slotPattern.length);
  const first = Number(columns.pulse_time_ns[0] ?? 0n);
  const slotUs = 1e6 / recipe.slotsPerSecond;
  const mostUs = recipe.scan.kind === 'image' ? Infinity : slots * slotUs;
  const times = Float64Array.from(columns.pulse_time_ns, (time) => (Number(time) - first) / 1000);
  // Why the tenth: times are whole nanoseconds, and the slot after the last must not be among them.
  const rows = [...times.keys()].filter((row) => (times[row] ?? 0) < mostUs - 0.1 * slotUs);
  const kept = rows.slice(0, 20_000);
  const x = Float64Array.from(kept, (row) => times[row] ?? 0);
  const y = Float64Array.from(kept, (row) => columns.pulse_ring[row] ?? 0);
  const rings = Math.max(1, columns.laser_ring.length - 1);
  const lastUs = x.reduce((most, at) => Math.max(most, at), 0);
  return {
    ...{ x, y, shade: y.map((ring) => ring / rings) },
    ...{ xFrom: -0.03 * (lastUs || 1), xTo: 1.03 * (lastUs || 1) },
    ...{ yFrom: -0.05 * rings - 0.5, yTo: 1.05 * rings + 0.5 },
  };
}

function sharesOf(timesNs: BigInt64Array): Float64Array {
  const times = Float64Array.from(timesNs, Number);
  const first = times.reduce((least, time) => Math.min(least, time), Infinity);
  const last = times.reduce((most, time) => Math.max(most, time), -Infinity);
  return times.map((time) => (last > first ? (time - first) / (last - first) : 0.4));
}

/** Least and greatest, with a share of the span more at both ends, and at least a degree apart. */
function padded(values: Float64Array, share: number): [number, number] {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  const more = Math.max(share * (high - low), high - low < 1 ? 0.5 : 0);
  return [low - more, high + more];
}
