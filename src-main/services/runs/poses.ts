// scenario.poses, runs.poses: poses over an interval: objects, and of a run the vehicle, its own estimate and its
// sensors. At any time vehicle and sensors have the pose that a pulse of that time had. Each object is one chunk
// (PosesOf with pose columns); an object that is stationary has one pose, or the same at every step.
import { badInput, throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { MotionLaw } from '#contract/worker/motions.ts';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { PosesOf } from '#contract/host/runMethods.ts';
import type { Pose } from '#contract/host/run.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import { instancesOf } from '#services/scans/instancesOf.ts';
import { withScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { openRunRecording, type RunRecordingPorts } from './openRun.ts';
import { lawsOfInstances } from '#domain/shared/motion/laws.ts';
import { displacementAt } from '#domain/shared/motion/frames.ts';
import { compose } from '#domain/shared/pose.ts';
import { trajectoryToWorld } from '#domain/scene/georeference.ts';
import { originOf, type OriginM } from '#contract/worldOrigin.ts';
import {
  createGrowingTrajectory,
  type GrowingTrajectory,
} from '#domain/trajectory/growingTrajectory.ts';
import { trajectoryOf, trajectoryPoseAt, type Trajectory } from '#domain/trajectory/trajectory.ts';
import { createRecordedPaths } from './recordedMotion.ts';

/** A moving object, and where it is over time. */
interface Track {
  of: PosesOf;
  path: GrowingTrajectory;
}

/** Everything that is known of the moving objects. */
interface Recorded {
  tracks: Track[];
  fromNs: number;
  lastNs: number;
  /** Ends of ticks. */
  ticksNs: number[];
  originM: OriginM;
}

interface PlacedObject {
  of: PosesOf;
  /** At time 0. */
  pose: Pose;
  /** Null: it is stationary. */
  law: MotionLaw | null;
}

/** Poses of a scenario's objects, at every step or at the interval's beginning. */
export async function scenarioPoses(
  ports: ScenePorts & { documents: Documents },
  request: RequestOf<'scenario.poses'>,
  context: HandlerContext,
): Promise<Replies['scenario.poses']> {
  const { compiled, heights } = await ports.documents.compile(request.scenario, {
    signal: context.signal,
    seed: request.seed,
  });
  const scene = { recipe: compiled.recipe, heights };
  const columns = await withScene(ports, scene, {}, context, ({ worker }) => instancesOf(worker));
  const nameOf = instanceNames(compiled.recipe);
  const lawOf = lawsOfInstances(compiled.recipe);
  const number = (name: string, row: number): number => Number(columns[name]?.[row]);
  const objects = Array.from({ length: columns['instance_id']?.length ?? 0 }, (_, row) => ({
    of: {
      kind: 'object' as const,
      name: nameOf(number('instance_id', row)) ?? '',
      class: compiled.recipe.classes[number('class_id', row)] ?? '',
      scale: number('scale', row),
    },
    law: lawOf(number('instance_id', row)),
    pose: {
      positionM: [number('x_m', row), number('y_m', row), number('z_m', row)],
      rotation: [number('qx', row), number('qy', row), number('qz', row), number('qw', row)],
    } satisfies Pose,
  }));
  const fromNs = (request.fromS ?? 0) * 1e9;
  const originM = originOf(compiled.scenario.scene);
  const whole = { tracks: [], fromNs, lastNs: fromNs, ticksNs: [], originM };
  return send(whole, objects, request, context);
}

/** Poses of a run: what its recording says of vehicle and sensors, what its catalogue says of objects. */
export async function runPoses(
  ports: RunRecordingPorts & { catalogue: Catalogue },
  run: RunRow,
  request: RequestOf<'runs.poses'>,
  context: HandlerContext,
): Promise<Replies['runs.poses']> {
  const reader = await openRunRecording(ports, run);
  try {
    const { sensors, scenario, recipe } = reader.header.compiled;
    const lawOf = lawsOfInstances(recipe);
    const paths = createRecordedPaths(sensors.length);
    const estimate = createGrowingTrajectory();
    const ticksNs: number[] = [];
    for await (const tick of reader.ticks()) {
      throwIfCancelled(context.signal);
      paths.take(tick);
      estimate.add(tick.timeNs, tick.estimate);
      ticksNs.push(tick.timeNs);
    }
    const track = (kind: PosesOf['kind'], name: string, path: GrowingTrajectory): Track => {
      return { of: { kind, name, class: '', scale: 1 }, path };
    };
    const tracks = [
      track('vehicle', 'vehicle', paths.vehicle),
      track('estimate', 'estimate', estimate),
      ...paths.sensors.map((path, index) => track('sensor', sensors[index]?.name ?? '', path)),
    ];
    const objects = ports.catalogue
      .instances(run.id)
      .map(({ id, name, class: className, scale, pose }) => {
        const of = { kind: 'object' as const, name, class: className, scale };
        return { of, pose, law: lawOf(id) };
      });
    const fromNs = Number(paths.vehicle.trajectory().time_ns[0] ?? 0n);
    const whole = { tracks, ticksNs, fromNs, lastNs: ticksNs.at(-1) ?? 0 };
    return await send({ ...whole, originM: originOf(scenario.scene) }, objects, request, context);
  } finally {
    await reader.close();
  }
}

async function send(
  { tracks, ticksNs, originM, ...whole }: Recorded,
  all: readonly PlacedObject[],
  request: RequestOf<'scenario.poses'> | RequestOf<'runs.poses'>,
  context: HandlerContext,
): Promise<Replies['runs.poses']> {
  // The parts of the vehicle's body go with it.
  const objects = all.filter(({ law }) => law?.kind !== 'vehicle');
  const fromNs = request.fromS === undefined ? whole.fromNs : Math.round(request.fromS * 1e9);
  const lastNs = request.toS === undefined ? whole.lastNs : Math.round(request.toS * 1e9);
  if (request.fromS !== undefined && request.toS !== undefined && request.toS < request.fromS) {
    const message = `expected at least fromS (${request.fromS}), found ${request.toS}`;
    throw badInput('toS', message, { title: 'the interval ends before it begins' });
  }
  const stepsNs = request.stepS === undefined ? null : steps(fromNs, lastNs, request.stepS);
  const wanted = chosen(request.objects, [...tracks.map(({ of }) => of.name)], objects);
  let poses = 0;
  let sent = 0;
  const give = async (of: PosesOf, scenePoses: Trajectory): Promise<void> => {
    await context.chunk(of, { ...trajectoryToWorld(scenePoses, originM) });
    sent += 1;
    poses += scenePoses.time_ns.length;
  };
  const wantedNs = stepsNs ?? ticksNs.filter((timeNs) => timeNs >= fromNs && timeNs <= lastNs);
  for (const { of, path } of tracks) {
    if (wanted(of.name)) await give(of, sampled(path.trajectory(), wantedNs));
  }
  const movingNs = wantedNs.length > 0 ? wantedNs : [fromNs];
  for (const { of, pose, law } of objects) {
    if (!wanted(of.name)) continue;
    throwIfCancelled(context.signal);
    const timesNs = law === null ? (stepsNs ?? [fromNs]) : movingNs;
    const poseAt = (timeNs: number): Pose => {
      return law === null ? pose : compose(displacementAt(law, timeNs / 1e9), pose);
    };
    await give(of, trajectoryOf(timesNs, timesNs.map(poseAt)));
  }
  return { objects: sent, poses };
}

const maxSteps = 1_000_000;

/** fromNs, fromNs + step … up to lastNs, each counted from fromNs, so that steps do not add up errors. */
function steps(fromNs: number, lastNs: number, stepS: number): number[] {
  const count = Math.max(0, Math.floor((lastNs - fromNs) / (stepS * 1e9) + 1e-9) + 1);
  if (count > maxSteps) {
    const message = `expected at most ${maxSteps} steps in the interval, found ${count}`;
    throw badInput('stepS', message, { title: 'the steps are too small' });
  }
  return Array.from({ length: count }, (_, step) => fromNs + Math.round(step * stepS * 1e9));
}

/** At those of the given times that the path spans. */
function sampled(path: Trajectory, timesNs: readonly number[]): Trajectory {
  const [firstNs, lastNs] = [Number(path.time_ns[0] ?? 0n), Number(path.time_ns.at(-1) ?? -1n)];
  const spanned = timesNs.filter((timeNs) => timeNs >= firstNs && timeNs <= lastNs);
  return trajectoryOf(
    spanned,
    spanned.map((timeNs) => trajectoryPoseAt(path, timeNs)),
  );
}

/** Whether a name was asked for: by itself, or by a pattern with `*`. @throws 'bad-input' for the unknown */
function chosen(
  patterns: readonly string[] | undefined,
  names: readonly string[],
  objects: readonly PlacedObject[],
): (name: string) => boolean {
  if (patterns === undefined) return () => true;
  const exact = new Set(patterns);
  const wild = patterns.filter((pattern) => pattern.includes('*')).map(expressionOf);
  const isWanted = (name: string): boolean =>
    exact.has(name) || wild.some((expression) => expression.test(name));
  const all = [...names, ...objects.map(({ of }) => of.name)];
  const found = new Set(all);
  const problems = patterns.flatMap((pattern, index) => {
    const isThere = pattern.includes('*')
      ? all.some((name) => expressionOf(pattern).test(name))
      : found.has(pattern);
    if (isThere) return [];
    const some = all.slice(0, 8).join(', ');
    const message = `expected a name such as ${some}, found '${pattern}'`;
    return [{ path: `objects[${index}]`, code: 'custom', message }];
  });
  if (problems.length === 0) return isWanted;
  throw new UnderstoryError('bad-input', 'some of the objects are not there', { problems });
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
