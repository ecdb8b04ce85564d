// log.import: a log from whatever holds beams: a run, a recording of ours, recordings of other programs, CSV.
import { badInput, UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { Files, RunFolders } from '#services/ports/files.ts';
import type {
  LogSources,
  PacketOptions,
  PacketSource,
  SourceTrajectory,
} from '#services/ports/logSources.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { RecordingReader, Recordings } from '#services/ports/recordings.ts';
import { problemOfSystem, type Systems } from '#services/documents/systems.ts';
import { openRunRecording } from '#services/runs/openRun.ts';
import { checkCuts } from './cutChecks.ts';
import { importBeamFile } from './importBeamFile.ts';
import { importBeams } from './importBeams.ts';
import { importForeign } from './importForeign.ts';
import { importPackets } from './importPackets.ts';
import { importRecording } from './importRun.ts';
import { logStatistics } from './logStatistics.ts';
import { readSourceTrajectory, restingTrajectory } from './sourceTrajectory.ts';

export interface ImportLogPorts {
  documents: Pick<Documents, 'expectSensor'>;
  logs: Logs;
  sources: LogSources;
  files: Files;
  catalogue: Catalogue;
  folders: Pick<RunFolders, 'recordingFile'>;
  recordings: Pick<Recordings, 'open' | 'openSnapshots'>;
  version: string;
}

type Request = RequestOf<'log.import'>;

/** Writes a log. @throws UnderstoryError 'bad-input', 'not-found', 'corrupt', 'cancelled'; nothing is left then */
export async function importLog(
  ports: ImportLogPorts,
  request: Request,
  context: HandlerContext,
): Promise<Replies['log.import']> {
  checkCuts(request);
  await checkSystem(ports.files, request.crs);
  const { notes } = await importAny(ports, request, context);
  const log = await ports.logs.open(request.out);
  try {
    return { ...logStatistics(log), file: request.out, notes };
  } finally {
    await log.close();
  }
}

async function importAny(
  ports: ImportLogPorts,
  request: Request,
  context: HandlerContext,
): Promise<{ notes: string[] }> {
  const { catalogue, files } = ports;
  const { source } = request;
  const run = files.isAbsolute(source) ? null : catalogue.run(source);
  if (run !== null) {
    const reader = await openRunRecording(ports, run);
    return closing(reader, () => importRecording(ports, reader, request, 'run', context));
  }
  if (!files.isAbsolute(source)) {
    throw new UnderstoryError('not-found', `there is no run or file '${source}'`);
  }
  if (/\.log$/i.test(source)) throw badInput('source', `'${source}' is a log already`);
  if (/\.csv$/i.test(source)) return importBeams(ports, request, context);
  const own = await ownRecording(ports, source);
  if (own !== null) {
    return closing(own, () => importRecording(ports, own, request, 'scan', context));
  }
  if (request.trajectory === undefined && request.pose === undefined) {
    const beams = await ports.sources.openBeams(source, context.signal);
    if (beams !== null) {
      return closing(beams, () => importBeamFile(ports, beams, request, context));
    }
  }
  const trajectory = await trajectoryOf(files, request, context.signal);
  const { signal } = context;
  const progress = (done: number, total: number): void =>
    context.progress({ phase: 'reading poses', done, total });
  const packets = await openPackets(ports, request, { signal, progress });
  if (packets !== null) {
    return closing(packets, () => importPackets(ports, packets, trajectory, request, context));
  }
  const reader = await ports.sources.open(source, {
    signal,
    progress,
    trajectory,
    times: { field: request.timeField, unit: request.timeUnit },
  });
  return closing(reader, () => importForeign(ports, reader, request, context));
}

/** Null: the source is no capture of packets. @throws 'bad-input' for a calibration that is no sensor */
async function openPackets(
  { documents, sources }: ImportLogPorts,
  { source, calibration, cloud }: Request,
  { signal, progress }: Pick<PacketOptions, 'signal' | 'progress'>,
): Promise<PacketSource | null> {
  const sensor =
    calibration === undefined ? null : (await documents.expectSensor(calibration, {})).recipe;
  return sources.openPackets(source, { sensor, stream: cloud ?? null, signal, progress });
}

/** Null: the request has no poses. @throws 'bad-input' */
async function trajectoryOf(
  files: Files,
  { trajectory, pose }: Request,
  signal: AbortSignal,
): Promise<SourceTrajectory | null> {
  if (pose !== undefined) {
    if (trajectory === undefined) return restingTrajectory(pose);
    throw badInput('pose', 'expected a trajectory or the pose of a sensor at rest, found both');
  }
  return trajectory === undefined ? null : readSourceTrajectory(files, trajectory, signal);
}

/** @throws 'bad-input' for a system in another unit than metres */
async function checkSystem(files: Systems, crs: string | undefined): Promise<void> {
  const problem = crs === undefined ? null : await problemOfSystem(files, crs);
  if (problem !== null) throw badInput('crs', problem);
}

async function closing<T>(reader: { close(): Promise<void> }, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await reader.close();
  }
}

/** Null: the file is no recording of ours. */
async function ownRecording(
  { recordings }: ImportLogPorts,
  source: string,
): Promise<RecordingReader | null> {
  if (!/\.mcap$/i.test(source)) return null;
  try {
    return await recordings.open(source);
  } catch (error) {
    if (error instanceof UnderstoryError && error.code === 'corrupt') return null;
    throw error;
  }
}
