// A trajectory beside the clouds of a folder, as the poses of their sensor.
import type { RequestOf } from '#contract/host/methods.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import { readTrajectory } from '#services/documents/trajectoryFile.ts';
import type { Files } from '#services/ports/files.ts';
import type { SourceTrajectory } from '#services/ports/logSources.ts';

type RestingPose = NonNullable<RequestOf<'log.import'>['pose']>;

/** Any gap is allowed: beams in one have no pose. */
const maxGapS = 1e9;

/** The pose of a sensor at rest: x, y, z and, where it is turned, a quaternion of any length above 0. */
export function restingTrajectory([
  x,
  y,
  z,
  qx = 0,
  qy = 0,
  qz = 0,
  qw = 1,
]: RestingPose): SourceTrajectory {
  const norm = Math.hypot(qx, qy, qz, qw);
  const rotation: Pose['rotation'] = [qx / norm, qy / norm, qz / norm, qw / norm];
  return { isAtRest: true, baseNs: 0n, timesNs: [0], poses: [{ positionM: [x, y, z], rotation }] };
}

/** @throws 'bad-input' with every problem of the file */
export async function readSourceTrajectory(
  files: Files,
  file: string,
  signal: AbortSignal,
): Promise<SourceTrajectory> {
  const parsed = await readTrajectory(files, { file, maxGapS }, signal, 'trajectory');
  if (parsed.value === null) {
    const { problems } = parsed;
    throw new UnderstoryError('bad-input', `the poses of '${file}' were refused`, { problems });
  }
  const { trajectory, epochS } = parsed.value;
  const { time_ns: times, x_m, y_m, z_m, qx, qy, qz, qw } = trajectory;
  return {
    isAtRest: false,
    baseNs: BigInt(epochS) * 1_000_000_000n,
    timesNs: Array.from(times, Number),
    poses: Array.from(times, (_, row): Pose => ({
      positionM: [x_m[row] ?? 0, y_m[row] ?? 0, z_m[row] ?? 0],
      rotation: [qx[row] ?? 0, qy[row] ?? 0, qz[row] ?? 0, qw[row] ?? 1],
    })),
  };
}
