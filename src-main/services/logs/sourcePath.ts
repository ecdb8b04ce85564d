// Where the sensor of a foreign recording was: by TF, else by Odometry, else by PoseStamped, or as the request names.
import { badInput } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import {
  type FrameEdge,
  framesAbove,
  isLocated,
  sensorPath,
  type SensorPath,
} from '#domain/log/frameGraph.ts';
import { restingTrajectory } from './sourceTrajectory.ts';
import type { LogSourceReader, SourcePoses } from '#services/ports/logSources.ts';

type Request = Pick<RequestOf<'log.import'>, 'poses' | 'frame' | 'isInverse' | 'pose' | 'maxGapS'>;
type Source = Pick<LogSourceReader, 'poses'>;

/** The path of the sensor whose clouds are in `frameId`. @throws 'bad-input' where there are no poses for it */
export function findPath(source: Source, frameId: string, request: Request): SensorPath {
  const frame = frameId.replace(/^\//, '');
  const edges =
    request.pose === undefined
      ? edgesOf(source, frame, request.poses)
      : [restingEdge(source, frame, request.pose)];
  const path = sensorPath(edges, frame, {
    root: request.frame,
    isInverse: request.isInverse,
    maxGapNs: request.maxGapS === undefined ? undefined : request.maxGapS * 1e9,
  });
  if (path !== null) return path;
  const above = framesAbove(edges, frame).join(', ');
  throw badInput('frame', `expected a frame above '${frame}' (${above}), found '${request.frame}'`);
}

/** A sensor at rest in the world: as the source has it, in its own unit and from its own origin, where it has poses. */
function restingEdge(
  { poses: known }: Source,
  frame: string,
  pose: NonNullable<Request['pose']>,
): FrameEdge {
  const given = known.find(({ kind, isStatic }) => kind === 'file' && isStatic);
  if (given !== undefined) return given;
  const { timesNs, poses } = restingTrajectory(pose);
  return { parent: 'world', child: frame, isStatic: true, timesNs, poses };
}

/** The transforms that lead from the sensor's frame up. @throws 'bad-input' */
export function edgesOf({ poses }: Source, frame: string, wanted: string | undefined): FrameEdge[] {
  const fixed = poses.filter(({ isStatic }) => isStatic);
  const moving = poses.filter(({ isStatic }) => !isStatic);
  const checked = (edges: SourcePoses[]): FrameEdge[] => {
    const chain = edges.map((edge) => (edge.child === '' ? { ...edge, child: frame } : edge));
    expectNumbers(chain);
    return chain;
  };
  if (wanted !== undefined) {
    const named = moving.filter(({ name }) => name === wanted);
    if (named.length > 0)
      return checked([...named.map((edge) => onFrame(edge, fixed, frame)), ...fixed]);
    const names = [...new Set(moving.map(({ name }) => name))].join(', ') || 'none';
    throw badInput('poses', `expected one of ${names}, found '${wanted}'`);
  }
  const tf = poses.filter(({ kind }) => kind === 'tf');
  if (isLocated(tf, frame)) return checked(tf);
  for (const kind of ['file', 'odometry', 'pose'] as const) {
    const found = moving.filter((edge) => edge.kind === kind);
    const [only] = found;
    if (only === undefined) continue;
    if (found.length === 1) return checked([onFrame(only, fixed, frame), ...fixed]);
    const names = found.map(({ name }) => name).join(', ');
    throw badInput('poses', `expected one of ${names}, found none named`);
  }
  const message = `expected TF from '${frame}' up, Odometry, PoseStamped or a trajectory, found none`;
  throw badInput('poses', message, { title: 'the source has no poses' });
}

/** Poses of a body that no transform leads to the sensor from are those of the sensor itself. */
function onFrame(edge: SourcePoses, fixed: readonly FrameEdge[], frame: string): SourcePoses {
  const isAbove = framesAbove(fixed, frame).includes(edge.child);
  return isAbove || edge.child === '' ? edge : { ...edge, child: frame };
}

function expectNumbers(edges: readonly (FrameEdge & { name?: string })[]): void {
  for (const { name = '', child, poses } of edges) {
    const row = poses.findIndex(({ positionM, rotation }) => {
      return ![...positionM, ...rotation].every(Number.isFinite);
    });
    if (row < 0) continue;
    const message = `expected numbers in the poses of '${child}' (${name}), found NaN in pose ${row + 1}`;
    throw badInput('poses', message);
  }
}
