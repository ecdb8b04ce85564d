// A trajectory beside the clouds of a folder, as the poses of their sensor.
import { UnderstoryError } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import { readTrajectory } from '#services/documents/trajectoryFile.ts';
import type { Files } from '#services/ports/files.ts';
import type { SourceTrajectory } from '#services/ports/logSources.ts';

/** Any gap is allowed: beams in one have no pose. */
const maxGapS = 1e9;

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
    baseNs: BigInt(epochS) * 1_000_000_000n,
    timesNs: Array.from(times, Number),
    poses: Array.from(times, (_, row): Pose => ({
      positionM: [x_m[row] ?? 0, y_m[row] ?? 0, z_m[row] ?? 0],
      rotation: [qx[row] ?? 0, qy[row] ?? 0, qz[row] ?? 0, qw[row] ?? 1],
    })),
  };
}
