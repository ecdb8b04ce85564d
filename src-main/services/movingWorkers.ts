// Workers that are told where moving instances are, and what dust wheels have raised: with each scan go the steps of the
// scene's motions over its interval, and the puffs of its plume. Around the launcher of a host, so that no caller has to
// think of it.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { motionStepNs, motionWindowNs, type MotionLaw } from '#contract/worker/motions.ts';
import type { WorkerMethodName, WorkerRequest } from '#contract/worker/workerMethods.ts';
import type { CarriedBy } from '#domain/scene/vehicleBody.ts';
import { dustOfMotions, puffsWithin } from '#domain/shared/motion/dustTrail.ts';
import { stepsOver, type Carrier } from '#domain/shared/motion/steps.ts';
import { compose, inverseOfPose } from '#domain/shared/pose.ts';
import { extendedPoseAt, type Trajectory } from '#domain/trajectory/trajectory.ts';
import type { ScanWorker, WorkerLauncher } from './ports/workers.ts';

/** Methods that trace pulses of an interval. */
const scans: ReadonlySet<WorkerMethodName> = new Set<WorkerMethodName>([
  'scan',
  'scan.rays',
  'scan.waveforms',
  'scan.signal',
  'bench.native',
]);

export function withMotions(launcher: WorkerLauncher): WorkerLauncher {
  return { open: async (options) => inMotion(await launcher.open(options)) };
}

/** Moving instances times windows that a worker holds at once: some 5 kB each. */
const maxPlacedWindows = 200_000;

/** @throws UnderstoryError 'scene-too-large' for an interval whose steps would take more than about 1 GB */
function refuseLong(instances: number, { fromNs, toNs }: { fromNs: number; toNs: number }): void {
  const maxS = Math.floor((maxPlacedWindows / instances) * (motionWindowNs / 1e9));
  if (toNs - fromNs <= maxS * 1e9) return;
  throw new UnderstoryError(
    'scene-too-large',
    `${instances} instances move: expected a scan of at most ${maxS} s at a time, found ${(toNs - fromNs) / 1e9} s; parts and intervals divide it`,
    { maxS },
  );
}

/**
 * The vehicle by the path of its sensor. Why not by its own: between poses both are interpolated, and on a lever arm
 * they would part by some micrometres.
 */
function carrierOf({ view, mount }: CarriedBy, trajectory: Trajectory): Carrier {
  const sensorFromVehicle = trajectory.mount === undefined ? inverseOfPose(mount) : null;
  const poseAt: Carrier['poseAt'] = (timeNs) => {
    const pose = extendedPoseAt(trajectory, timeNs, motionStepNs);
    return sensorFromVehicle === null ? pose : compose(pose, sensorFromVehicle);
  };
  return { view, poseAt };
}

function inMotion(worker: ScanWorker): ScanWorker {
  let laws: readonly MotionLaw[] = [];
  let moving = 0;
  let dustOver: ReturnType<typeof dustOfMotions> | null = null;
  return {
    get hello() {
      return worker.hello;
    },
    get peakRssBytes() {
      return worker.peakRssBytes;
    },
    get pid() {
      return worker.pid;
    },
    dispose: () => worker.dispose(),
    async call(method, body, columns, options) {
      if (method === 'scene.build') {
        const reply = await worker.call(method, body, columns, options);
        // Why the cast: the compiler does not narrow a body by the method, which is a type parameter.
        const { recipe } = body as WorkerRequest<'scene.build'>['body'];
        laws = (recipe.motions ?? []).map(({ law }) => law);
        moving = recipe.instances.filter(({ motion }) => motion !== undefined).length;
        const plume = recipe.weather?.plume;
        dustOver = plume === undefined ? null : dustOfMotions(plume, laws);
        return reply;
      }
      if ((moving === 0 && dustOver === null) || !scans.has(method)) {
        return worker.call(method, body, columns, options);
      }
      // Likewise.
      const interval = body as WorkerRequest<'scan'>['body'];
      const { carriedBy, raisedDust = [] } = options ?? {};
      const puffs = dustOver && puffsWithin([...dustOver(interval), ...raisedDust], interval);
      const dusty = { ...columns, ...(puffs && { puffs }) };
      if (moving === 0) return worker.call(method, body, dusty, options);
      refuseLong(moving, interval);
      const path = columns as Columns as WorkerRequest<'scan'>['columns'];
      const carrier = carriedBy && carrierOf(carriedBy, path);
      const moved = { ...dusty, ...stepsOver(laws, interval, carrier ?? null) };
      return worker.call(method, { ...body, motions: laws.length }, moved, options);
    },
  };
}
