// Where and when the pulses of one scan go, as points for a view.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { SensorDescriptionColumns } from '#contract/worker/sensorDescription.ts';
import { degrees } from '#domain/shared/numbers.ts';

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
  const { isWholeTurn } = traitsOf(recipe.scan);
  const { pulse_azimuth_rad: azimuths, pulse_elevation_rad: elevations } = columns;
  const x = new Float64Array(azimuths.length);
  const y = new Float64Array(azimuths.length);
  for (let pulse = 0; pulse < x.length; pulse += 1) {
    const azimuthDeg = degrees(azimuths[pulse] ?? 0);
    x[pulse] = isWholeTurn && azimuthDeg > 180 ? azimuthDeg - 360 : azimuthDeg;
    y[pulse] = degrees(elevations[pulse] ?? 0);
  }
  const [right, left] = isWholeTurn ? [-180, 180] : padded(x, 0.03);
  const [yFrom, yTo] = padded(y, 0.08);
  return { x, y, shade: sharesOf(columns.pulse_time_ns), xFrom: left, xTo: right, yFrom, yTo };
}

/**
 * Time in µs and ring of the first pulses: pulses of one firing share a column. As many slots as make the
 * order plain: its whole pattern twice, and at least eight.
 */
export function firingPoints({ recipe }: Shown, columns: SensorDescriptionColumns): PlotPoints {
  const slots = Math.max(8, 2 * recipe.slotPattern.length);
  const first = Number(columns.pulse_time_ns[0] ?? 0n);
  const slotUs = 1e6 / recipe.slotsPerSecond;
  const maxUs = traitsOf(recipe.scan).pixels !== null ? Infinity : slots * slotUs;
  const timeUs = (pulse: number): number =>
    (Number(columns.pulse_time_ns[pulse] ?? 0n) - first) / 1000;
  const shown: number[] = [];
  for (let pulse = 0; pulse < columns.pulse_time_ns.length; pulse += 1) {
    // Why the tenth: times are whole nanoseconds, and the slot after the last must not be among them.
    if (timeUs(pulse) < maxUs - 0.1 * slotUs) shown.push(pulse);
    if (shown.length === 20_000) break;
  }
  const x = Float64Array.from(shown, timeUs);
  const y = Float64Array.from(shown, (pulse) => columns.pulse_ring[pulse] ?? 0);
  const rings = Math.max(1, columns.laser_ring.length - 1);
  const lastUs = x.reduce((most, at) => Math.max(most, at), 0);
  return {
    x,
    y,
    shade: y.map((ring) => ring / rings),
    xFrom: -0.03 * (lastUs || 1),
    xTo: 1.03 * (lastUs || 1),
    yFrom: -0.05 * rings - 0.5,
    yTo: 1.05 * rings + 0.5,
  };
}

function sharesOf(timesNs: BigInt64Array): Float64Array {
  const shares = new Float64Array(timesNs.length);
  for (let pulse = 0; pulse < shares.length; pulse += 1) shares[pulse] = Number(timesNs[pulse]);
  const [first, last] = extent(shares);
  for (let pulse = 0; pulse < shares.length; pulse += 1) {
    shares[pulse] = last > first ? ((shares[pulse] ?? 0) - first) / (last - first) : 0.4;
  }
  return shares;
}

/** Least and greatest, with a share of the span more at both ends, and at least a degree apart. */
function padded(values: Float64Array, share: number): [number, number] {
  const [low, high] = extent(values);
  const more = Math.max(share * (high - low), high - low < 1 ? 0.5 : 0);
  return [low - more, high + more];
}

function extent(values: Float64Array): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let index = 0; index < values.length; index += 1) {
    const value = values[index] ?? 0;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}
