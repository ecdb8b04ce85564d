// sensor_msgs/LaserScan as the drivers of planar scanners publish it: a range for each pulse of a scan, at equal angles
// and times, infinite where nothing returned (REP 117). Of several returns of a pulse it has the first.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { RosTime } from './epoch.ts';
import { slotsPerScan } from './pulseNumbers.ts';
import { encodeRos } from './schemas.ts';

/** Ranges of one scan, by slot. */
export interface ScanRanges {
  stamp: RosTime;
  frameId: string;
  /** Number of the scan's first slot. */
  firstSlot: number;
  rangesM: Float32Array;
  intensities: Float32Array;
}

/** The serialised message. */
export function encodeLaserScan(
  recipe: SensorRecipe,
  { stamp, frameId, firstSlot, rangesM, intensities }: ScanRanges,
): Uint8Array {
  const { minRad, stepRad, stepS } = stepsOf(recipe, firstSlot);
  return encodeRos('sensor_msgs/msg/LaserScan', {
    header: { stamp, frame_id: frameId },
    angle_min: minRad,
    angle_max: minRad + stepRad * Math.max(0, rangesM.length - 1),
    angle_increment: stepRad,
    time_increment: stepS,
    scan_time: 1 / recipe.scan.rateHz,
    range_min: recipe.minRangeM,
    range_max: recipe.maxRangeM,
    ranges: rangesM,
    intensities,
  });
}

/** The angle of the first slot, and the steps from slot to slot. */
function stepsOf(
  recipe: SensorRecipe,
  firstSlot: number,
): { minRad: number; stepRad: number; stepS: number } {
  const { scan, slotsPerSecond } = recipe;
  const count = slotsPerScan(recipe);
  const { spanRad, turn, activeShare } = traitsOf(scan);
  const offsetRad = recipe.banks[0]?.azimuthOffsetsRad?.[0] ?? 0;
  if (count !== null) {
    const stepRad = count > 1 ? (spanRad[1] - spanRad[0]) / (count - 1) : 0;
    return { minRad: spanRad[0] + offsetRad, stepRad, stepS: activeShare / (scan.rateHz * count) };
  }
  const turns = (slot: number): number => ((slot * scan.rateHz) % slotsPerSecond) / slotsPerSecond;
  const turnRad = turn * 2 * Math.PI;
  const stepRad = (turnRad * scan.rateHz) / slotsPerSecond;
  return { minRad: turnRad * turns(firstSlot) + offsetRad, stepRad, stepS: 1 / slotsPerSecond };
}
