// The map that the worker makes of a drive's returns is that of a reference in TypeScript, cell by cell, for any number of
// threads and sensors; a worker that lost its ground continues with the copy of the host.
import { expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { autonomyColumns, type Sightings } from '#domain/autonomy/signals.ts';
import {
  bodyFilterOf,
  ownFootprint,
  samplePoses,
  sampleStepNs,
  type TickMapping,
} from '#domain/autonomy/tickMapping.ts';
import { compose, quaternionOf } from '#domain/shared/pose.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import { trajectoryOf } from '#domain/trajectory/trajectory.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { createDriveMapping } from '#services/runProcess/driveMapping.ts';
import type { TickMotion } from '#services/runProcess/motion.ts';
import { senseTick } from '#services/runProcess/sensing.ts';
import { createReferenceMapper } from '#test/support/referenceMap.ts';
import { compileScenario, onlySensor, openWorker } from './realWorker.ts';

const field = await compileScenario();
const tickNs = 100e6;
const ticks = 4;
const recipe = onlySensor(field);
const { vehicle } = scenarioSchema.parse({ understory: 2, name: 'v', scene: { materials: {} } });

/** Sensors on a mast, one of them skewed. */
const mounts: Pose[] = [
  { positionM: [0.2, 0, 1.5], rotation: [0, 0, 0, 1] },
  {
    positionM: [0, 0.3, 1.2],
    rotation: quaternionOf({ yawRad: 2, pitchRad: 0.15, rollRad: -0.1 }),
  },
];

/** The true path: along x, turning, nodding. */
function truthAt(timeNs: number): Pose {
  const timeS = timeNs / 1e9;
  return {
    positionM: [-1 + 2 * timeS, 0.3 * timeS, 0],
    rotation: quaternionOf({
      yawRad: 0.8 * timeS,
      pitchRad: 0.02 * Math.sin(9 * timeS),
      rollRad: 0,
    }),
  };
}

/** An estimate of it, some centimetres and mrad off. */
function estimateAt(timeNs: number): Pose {
  const { positionM, rotation } = truthAt(timeNs);
  const off: Pose = {
    positionM: [0.03, -0.02, 0.04],
    rotation: quaternionOf({ yawRad: 0.004, pitchRad: -0.003, rollRad: 0.002 }),
  };
  return compose({ positionM, rotation }, off);
}

function motionOf(tick: number): TickMotion {
  const fromNs = tick * tickNs;
  const timesNs = Array.from({ length: 11 }, (_, step) => fromNs + step * 10e6);
  const poses = timesNs.map(truthAt);
  // Why the cast: scanning reads no more of a motion.
  return { tick, fromNs, toNs: fromNs + tickNs, timesNs, poses } as unknown as TickMotion;
}

function mappingOf(tick: number, sensors: number, hasBody: boolean): TickMapping {
  const fromNs = tick * tickNs;
  const { positionM } = estimateAt(fromNs + tickNs);
  const [xM, yM, zM] = positionM;
  return {
    map: {
      cells: 60,
      cellM: 0.25,
      originM: [-6, -7],
      maxHeightM: 0.8,
      marginPerM: 0.004,
      seesGround: true,
      plane: { xM, yM, zM, slopeX: 0.01, slopeY: -0.02 },
      fromNs,
      stepNs: sampleStepNs,
      ...ownFootprint(vehicle),
      clearing: { highCost: 60, maxRangeM: 3 },
    },
    sensors: mounts.slice(0, sensors).map((mount) => ({
      samples: samplePoses(fromNs, fromNs + tickNs, estimateAt, mount),
      body: hasBody
        ? bodyFilterOf({ centreM: [0.5, 0.6, 0.4], sizeM: [1.2, 0.8, 1.1] }, mount)
        : null,
    })),
  };
}

interface Drive {
  sightings: (Sightings | null)[];
  reference: Sightings[];
}

/** @param onTick before the scans of a tick */
async function driveWith(
  worker: ScanWorker,
  sensors: number,
  hasBody = false,
  onTick: (tick: number) => void | Promise<void> = () => undefined,
): Promise<Drive> {
  const mapping = createDriveMapping();
  const reference = createReferenceMapper(vehicle);
  const compiled = mounts.slice(0, sensors).map((mount, n) => ({ name: `${n}`, recipe, mount }));
  const drive: Drive = { sightings: [], reference: [] };
  for (let tick = 0; tick < ticks; tick += 1) {
    await onTick(tick);
    const asked = mappingOf(tick, sensors, hasBody);
    const sensed = await senseTick(worker, compiled, motionOf(tick), mapping.tick(tick, asked), {
      seed: 1,
      columns: autonomyColumns,
      hashColumns: [...autonomyColumns],
      packingsOf: null,
      viewPoints: 0,
      signal: new AbortController().signal,
    });
    drive.sightings.push(sensed.sightings);
    const tables = sensed.scans.map(({ table }) => [table ?? joinReturns([], autonomyColumns)]);
    drive.reference.push(reference.take(asked, tables));
  }
  return drive;
}

it('is that of the reference: one sensor, two, and with a body', async () => {
  const { worker } = await openWorker(field, { threads: 2 });
  for (const [sensors, hasBody] of [
    [1, false],
    [2, false],
    [2, true],
  ] as const) {
    const { sightings, reference } = await driveWith(worker, sensors, hasBody);
    expect(sightings).toEqual(reference);
    // Grass and ground, near and far: the scene tests something.
    const costs = reference.flatMap(({ cost }) => [...cost]);
    expect(costs.length).toBeGreaterThan(4000);
    expect(new Set(costs).size).toBeGreaterThan(30);
    const low = reference.flatMap(({ lowCost }) => [...(lowCost ?? [])]);
    expect(low.some((cost) => cost === 255)).toBe(true);
    expect(low.some((cost) => cost < 60)).toBe(true);
  }
});

it('does not depend on the number of threads', async () => {
  const [first, ...others] = await Promise.all(
    [1, 2, 5].map(async (threads) => {
      const { worker } = await openWorker(field, { threads });
      return (await driveWith(worker, 2)).sightings;
    }),
  );
  for (const other of others) expect(other).toEqual(first);
});

it('continues after the death of the worker, with the ground that the host has copied', async () => {
  const { worker } = await openWorker(field, { threads: 2 });
  const { worker: doomed } = await openWorker(field, { threads: 2 });
  const undisturbed = await driveWith(worker, 2);
  const killed = await driveWith(doomed, 2, false, (tick) => {
    if (tick === 2) process.kill(doomed.pid, 'SIGKILL');
  });
  expect(killed.sightings).toEqual(undisturbed.sightings);
});

it('is refused where the poses do not fit', async () => {
  const { worker } = await openWorker(field, { threads: 1 });
  const { map, sensors } = mappingOf(0, 1, false);
  const [sensor] = sensors;
  const truth = motionOf(0);
  const scan = worker.call(
    'scan',
    {
      sensor: recipe,
      fromNs: 0,
      toNs: 1e6,
      seed: 1,
      columns: [],
      misses: false,
      map: { ...map, tick: 0, afterTick: -1, scan: 0, isLastScan: true },
    },
    {
      ...trajectoryOf(truth.timesNs, truth.poses),
      map_matrices: sensor?.samples.matrices.subarray(1) ?? new Float64Array(),
      map_places: sensor?.samples.places ?? new Float64Array(),
    },
  );
  await expect(scan).rejects.toThrow(UnderstoryError);
});
