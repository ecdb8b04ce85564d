// The poses that pulses of a scan have: the sensor's true pose at each time at which it fires, as a trajectory that can be
// scanned again.
import type { ScanWorker } from '#services/ports/workers.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { poseToWorld, type OriginM } from '#contract/worldOrigin.ts';
import { exactSecondsText } from '#domain/shared/formats.ts';
import { sensorPoseAt } from '#domain/trajectory/trajectory.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { SideScan } from './scanSideFiles.ts';
import { piecesOf, progressOfPath, type ScanPath, type ScanPiece } from './scanPath.ts';

const endings = { tum: ' ', csv: ',' } as const;

/** Separator of the values of a line. @throws 'bad-input' for a name of another ending */
export function posesSeparator(file: string): string {
  const ending = /\.(tum|csv)$/i.exec(file)?.[1]?.toLowerCase();
  if (ending === 'tum' || ending === 'csv') return endings[ending];
  const message = `expected a file that ends in .tum or .csv, found '${file}'`;
  throw new UnderstoryError('bad-input', `no poses can be written to '${file}'`, {
    problems: [{ path: 'posesOut', code: 'format', message }],
  });
}

/** One line for each time at which pulses leave, those without an echo too. Returns the file. */
export async function writePoses(
  { exporters }: { exporters: Exporters },
  worker: ScanWorker,
  file: string,
  scan: {
    path: ScanPath;
    target: ExportTarget;
    context: HandlerContext;
    originM: OriginM;
    jobOf: (piece: ScanPiece) => SideScan;
  },
): Promise<string> {
  const separator = posesSeparator(file);
  const { path, target, context, originM } = scan;
  const text = await exporters.createText(file, target);
  try {
    if (separator === ',') await text.write('time_ns,x_m,y_m,z_m,qx,qy,qz,qw\n');
    for (const piece of piecesOf(path, null)) {
      const trajectory = path.legs[piece.leg]?.trajectory;
      if (trajectory === undefined) continue;
      let lastNs: bigint | null = null;
      const job = { ...scan.jobOf(piece), misses: true, columns: ['time_ns' as const] };
      await worker.call('scan', job, trajectory, {
        signal: context.signal,
        onProgress: (progress) => context.progress(progressOfPath(path, piece, progress)),
        onChunk: async ({ columns: { time_ns: times } }) => {
          let lines = '';
          for (const timeNs of times ?? []) {
            // Pulses of one firing leave at one time, and a pulse may have several rows.
            if (timeNs === lastNs) continue;
            lastNs = timeNs;
            const pose = poseToWorld(originM, sensorPoseAt(trajectory, Number(timeNs)));
            const { positionM, rotation } = pose;
            const time = separator === ',' ? String(timeNs) : exactSecondsText(timeNs);
            lines += `${[time, ...positionM, ...rotation].join(separator)}\n`;
          }
          await text.write(lines);
        },
      });
    }
    await text.close();
  } catch (error) {
    await text.abort();
    throw error;
  }
  return file;
}
