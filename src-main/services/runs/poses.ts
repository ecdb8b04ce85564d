// scenario.poses, runs.poses: poses over an interval: objects, and of a run the vehicle, its own
// estimate and its sensors. Each object is one chunk (PosesOf with pose columns); objects of the scene are stationary.
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { PosesOf } from '#contract/host/runMethods.ts';
import type { Pose } from '#contract/host/run.ts';
import { interpolate } from '#domain/shared/pose.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import { instancesOf } from '#services/scans/instancesOf.ts';
import { withScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { openRunRecording, type RunRecordingPorts } from './openRun.ts';
import { trajectoryToWorld } from '#domain/scene/georeference.ts';
import { originOf, type OriginM } from '#contract/worldOrigin.ts';
import { trajectoryOf } from '#domain/trajectory/trajectory.ts';

/** An object and its poses at given times. */
interface Track {
  of: PosesOf;
  timesNs: number[];
  poses: Pose[];
}

type Objects = Iterable<{ of: PosesOf; pose: Pose }>;

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
  const number = (name: string, row: number): number => Number(columns[name]?.[row]);
  const objects = Array.from({ length: columns['instance_id']?.length ?? 0 }, (_, row) => ({
    of: {
      kind: 'object' as const,
      name: nameOf(number('instance_id', row)) ?? '',
      class: compiled.recipe.classes[number('class_id', row)] ?? '',
      scale: number('scale', row),
    },
    pose: {
      positionM: [number('x_m', row), number('y_m', row), number('z_m', row)],
      rotation: [number('qx', row), number('qy', row), number('qz', row), number('qw', row)],
    } satisfies Pose,
  }));
  const fromS = request.fromS ?? 0;
  const whole = { fromNs: fromS * 1e9, lastNs: fromS * 1e9 };
  return send(
    [],
    objects,
    request,
    { ...whole, originM: originOf(compiled.scenario.scene) },
    context,
  );
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
    const track = (kind: PosesOf['kind'], name: string): Track => {
      return { of: { kind, name, class: '', scale: 1 }, timesNs: [], poses: [] };
    };
    const vehicle = track('vehicle', 'vehicle');
    const estimate = track('estimate', 'estimate');
    const sensors = reader.header.compiled.sensors.map(({ name }) => track('sensor', name));
    for await (const { timeNs, truth, estimate: believed, sensorPoses } of reader.ticks()) {
      throwIfCancelled(context.signal);
      const at = [truth, believed, ...sensorPoses];
      for (const [index, { timesNs, poses }] of [vehicle, estimate, ...sensors].entries()) {
        const pose = at[index];
        if (pose === undefined) continue;
        timesNs.push(timeNs);
        poses.push(pose);
      }
    }
    const objects = ports.catalogue
      .instances(run.id)
      .map(({ name, class: className, scale, pose }) => {
        return { of: { kind: 'object' as const, name, class: className, scale }, pose };
      });
    const { timesNs } = vehicle;
    const whole = { fromNs: timesNs[0] ?? 0, lastNs: timesNs.at(-1) ?? 0 };
    const originM = originOf(reader.header.compiled.scenario.scene);
    const tracks = [vehicle, estimate, ...sensors];
    return await send(tracks, objects, request, { ...whole, originM }, context);
  } finally {
    await reader.close();
  }
}

async function send(
  tracks: Track[],
  objects: Objects,
  request: RequestOf<'scenario.poses'> | RequestOf<'runs.poses'>,
  whole: { fromNs: number; lastNs: number; originM: OriginM },
  context: HandlerContext,
): Promise<Replies['runs.poses']> {
  const fromNs = request.fromS === undefined ? whole.fromNs : Math.round(request.fromS * 1e9);
  const lastNs = request.toS === undefined ? whole.lastNs : Math.round(request.toS * 1e9);
  if (request.fromS !== undefined && request.toS !== undefined && request.toS < request.fromS) {
    const message = `expected at least fromS (${request.fromS}), found ${request.toS}`;
    throw new UnderstoryError('bad-input', 'the interval ends before it begins', {
      problems: [{ path: 'toS', code: 'custom', message }],
    });
  }
  const stepsNs = request.stepS === undefined ? null : steps(fromNs, lastNs, request.stepS);
  const wanted = chosen(request.objects, [...tracks.map(({ of }) => of.name)], objects);
  let poses = 0;
  let sent = 0;
  const give = async ({ of, ...track }: Track): Promise<void> => {
    const scenePoses = trajectoryOf(track.timesNs, track.poses);
    await context.chunk(of, { ...trajectoryToWorld(scenePoses, whole.originM) });
    sent += 1;
    poses += track.poses.length;
  };
  for (const track of tracks) {
    if (!wanted(track.of.name)) continue;
    await give(stepsNs === null ? within(track, fromNs, lastNs) : resampled(track, stepsNs));
  }
  const timesNs = stepsNs ?? [fromNs];
  for (const { of, pose } of objects) {
    if (!wanted(of.name)) continue;
    throwIfCancelled(context.signal);
    await give({ of, timesNs, poses: timesNs.map(() => pose) });
  }
  return { objects: sent, poses };
}

const maxSteps = 1_000_000;

/** fromNs, fromNs + step … up to lastNs, each counted from fromNs, so that steps do not add up errors. */
function steps(fromNs: number, lastNs: number, stepS: number): number[] {
  const count = Math.max(0, Math.floor((lastNs - fromNs) / (stepS * 1e9) + 1e-9) + 1);
  if (count > maxSteps) {
    const message = `expected at most ${maxSteps} steps in the interval, found ${count}`;
    throw new UnderstoryError('bad-input', 'the steps are too small', {
      problems: [{ path: 'stepS', code: 'custom', message }],
    });
  }
  return Array.from({ length: count }, (_, step) => fromNs + Math.round(step * stepS * 1e9));
}

function within({ of, timesNs, poses }: Track, fromNs: number, lastNs: number): Track {
  const isIn = (timeNs: number | undefined): boolean =>
    timeNs !== undefined && timeNs >= fromNs && timeNs <= lastNs;
  return {
    of,
    timesNs: timesNs.filter(isIn),
    poses: poses.filter((_, index) => isIn(timesNs[index])),
  };
}

/** At those of the given rising times that the track spans; between its samples as `interpolate` says. */
function resampled({ of, timesNs, poses }: Track, wantedNs: number[]): Track {
  const result: Track = { of, timesNs: [], poses: [] };
  let next = 0;
  for (const timeNs of wantedNs) {
    while (next < timesNs.length && (timesNs[next] as number) < timeNs) next += 1;
    const [after, afterNs] = [poses[next], timesNs[next]];
    if (after === undefined || afterNs === undefined) break;
    const [before, beforeNs] = [poses[next - 1], timesNs[next - 1]];
    if (afterNs === timeNs) result.poses.push(after);
    else if (before === undefined || beforeNs === undefined) continue;
    else result.poses.push(interpolate(before, after, (timeNs - beforeNs) / (afterNs - beforeNs)));
    result.timesNs.push(timeNs);
  }
  return result;
}

/** Whether a name was asked for: by itself, or by a pattern with `*`. @throws 'bad-input' for the unknown */
function chosen(
  patterns: readonly string[] | undefined,
  names: readonly string[],
  objects: Objects,
): (name: string) => boolean {
  if (patterns === undefined) return () => true;
  const exact = new Set(patterns);
  const wild = patterns.filter((pattern) => pattern.includes('*')).map(expressionOf);
  const isWanted = (name: string): boolean =>
    exact.has(name) || wild.some((expression) => expression.test(name));
  const all = [...names, ...[...objects].map(({ of }) => of.name)];
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
