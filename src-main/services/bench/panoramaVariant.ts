// The panorama of a tripod in the scene of the benchmark: Embree alone and the native pipeline on the same rays.
import type { PanoramaSpeed } from '#contract/host/bench.ts';
import type { CompiledSensor } from '#contract/host/run.ts';
import { pulsesPerSecond } from '#domain/sensor/summary.ts';
import { median } from '#domain/shared/statistics.ts';
import {
  nativePass,
  rawPass,
  worthRepeating,
  type NativePass,
  type RawPass,
} from './nativeVariants.ts';
import type { ScanWork } from './scanVariants.ts';
import { slowMotion, unmounted, type SensorStart } from './slowSensor.ts';

/** One pass of each. */
export interface PanoramaPass {
  raw: RawPass;
  native: NativePass;
}

/** The same number of pulses as `work` has, by a sensor at rest where it starts. */
export function panoramaWork(
  work: ScanWork,
  sensor: CompiledSensor,
  start: SensorStart,
  seconds: number,
): ScanWork {
  const pulses = seconds * pulsesPerSecond(work.sensor.recipe);
  const own = pulses / pulsesPerSecond(sensor.recipe);
  const [motion] = slowMotion(start, own, Math.ceil(own * 1e9));
  const pose = motion?.poses[0];
  if (motion === undefined || pose === undefined) throw new RangeError('there is nothing to scan');
  const motions = [{ ...motion, timesNs: [motion.fromNs], poses: [pose] }];
  return { ...work, sensor: unmounted(sensor), motions };
}

/** @param packings left out: all; otherwise those of an earlier pass */
export async function panoramaPass(work: ScanWork, packings?: string[]): Promise<PanoramaPass> {
  return { raw: await rawPass(work, packings), native: await nativePass(work) };
}

/** The packings that are worth repeating. */
export function packingsOf({ raw }: PanoramaPass): string[] {
  return worthRepeating(raw);
}

/** Medians over passes; the best packing is the one with the best median. */
export function panoramaSpeed(
  sensor: CompiledSensor,
  passes: readonly PanoramaPass[],
): PanoramaSpeed {
  const [first] = passes;
  if (first === undefined) throw new Error('nothing was measured');
  const best = first.raw.packings
    .map((_, index) => passes.map(({ raw }) => raw.rays / (raw.packings[index]?.seconds ?? NaN)))
    .reduce((a, b) => (median(b) > median(a) ? b : a));
  const native = passes.map(({ native: { rays, seconds } }) => rays / seconds);
  return {
    sensor: sensor.recipe.id,
    rawMraysPerSecond: median(best) / 1e6,
    mraysPerSecond: median(native) / 1e6,
    ratioToRaw: median(native.map((rate, index) => rate / (best[index] ?? NaN))),
    hits: first.native.hits,
    rawHits: first.raw.hits,
    directionHash: first.native.directionHash,
    rawDirectionHash: first.raw.directionHash,
  };
}
