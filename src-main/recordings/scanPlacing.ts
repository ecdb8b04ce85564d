// Scans of a recording without ground truth, placed in the world by the poses of their sensors. A scan waits for the
// record of its tick, which states where its sensors were; one whose tick was cut off is left out.
import type { CompiledScenario } from '#contract/host/run.ts';
import type { RecordedScan, RecordedTick } from '#services/ports/recordings.ts';
import { decodeDriverCloud, driverClouds } from './ros/driverCloud.ts';
import { inWorld, motionOf } from './ros/driverWorld.ts';
import type { Epoch } from './ros/epoch.ts';

type Record = Omit<RecordedScan, 'table'>;

/** Scans and ticks in the order of the file, and the scans that are placed by then. */
export interface Placing {
  scan(record: Record, cloud: Uint8Array): Generator<RecordedScan>;
  tick(tick: RecordedTick): Generator<RecordedScan>;
}

/** For one pass over a recording. */
export function createPlacing(compiled: CompiledScenario, epoch: Epoch): Placing {
  const clouds = driverClouds(compiled);
  let waiting: { record: Record; cloud: Uint8Array }[] = [];
  let last: RecordedTick | null = null;
  return {
    *scan(record, cloud) {
      waiting.push({ record, cloud });
      // Single scans are recorded after their tick.
      if (last?.timeNs === record.toNs) yield* placed(last);
    },
    *tick(tick) {
      last = tick;
      yield* placed(tick);
    },
  };

  function* placed(tick: RecordedTick): Generator<RecordedScan> {
    const ready = waiting;
    waiting = [];
    for (const { record, cloud } of ready) {
      const motion = motionOf(tick, record.sensor);
      const driver = clouds[record.sensor];
      if (motion === null || driver === undefined) continue;
      const { table, rows } = inWorld(decodeDriverCloud(cloud, driver, epoch), motion);
      yield { ...record, table, rows };
    }
  }
}
