// The clouds that an octree can be made from: the returns of a log, of a scan that was saved, and of a run, and the points of
// a file. Each has a key, by its contents or, of a file, by its path, size and time, which finds its octree without reading it.
import { badInput, UnderstoryError } from '#contract/errors.ts';
import type { CloudSource } from '#contract/host/cloudMethods.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import type { Systems } from '#services/documents/systems.ts';
import { sourceSystem } from '#services/logs/sourceSystem.ts';
import type { DataFiles } from '#services/ports/dataFiles.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { CloudToBuild, Octrees } from '#services/ports/octrees.ts';
import { openRunRecording, type RunRecordingPorts } from '#services/runs/openRun.ts';
import { runOf } from '#services/runs/runCollection.ts';
import { sha256 } from '#services/sha256.ts';

export interface CloudPorts extends RunRecordingPorts {
  logs: Pick<Logs, 'open'>;
  octrees: Pick<Octrees, 'savedScan' | 'pointFile'>;
  dataFiles: Pick<DataFiles, 'find'>;
  files: Systems;
  catalogue: Pick<Catalogue, 'run' | 'compiled' | 'scanRecords'>;
}

interface FoundCloud {
  key: string;
  /** @throws UnderstoryError 'not-found' where it is gone, 'corrupt' where it is not whole */
  toBuild: () => Promise<CloudToBuild>;
}

/** @throws UnderstoryError 'not-found', 'locked' for a run under way, 'bad-input' for a sensor that it lacks */
export async function cloudOf(
  ports: CloudPorts,
  source: CloudSource,
  signal: AbortSignal,
): Promise<FoundCloud> {
  if ('log' in source) return logCloud(ports, source.log);
  if ('scan' in source) return scanCloud(ports, source.scan);
  if ('file' in source) return fileCloud(ports, source.file, signal);
  const run = runOf(ports.catalogue, source.run);
  expectEnded(run);
  return runCloud(ports, run, source.sensor);
}

async function logCloud({ logs }: CloudPorts, file: string): Promise<FoundCloud> {
  const log = await logs.open(file);
  await log.close();
  const { hash: key, counts } = log;
  const cloud: CloudToBuild = { kind: 'log', file, key, returns: counts.returns };
  return { key, toBuild: () => Promise.resolve(cloud) };
}

function scanCloud({ octrees }: CloudPorts, key: string): FoundCloud {
  return {
    key,
    async toBuild() {
      const cloud = await octrees.savedScan(key);
      if (cloud !== null) return cloud;
      throw new UnderstoryError('not-found', 'the scan is no longer in the cache: scan again', {
        key,
      });
    },
  };
}

/** Part of the key: octrees of files that were made without colours are made again. */
const fileColumns = ['intensity', 'class', 'colour'];

/** Why by its time: to hash a file of gigabytes takes longer than to open its octree. */
async function fileCloud(
  { octrees, dataFiles, files }: CloudPorts,
  file: string,
  signal: AbortSignal,
): Promise<FoundCloud> {
  const { bytes, modifiedMs } = await dataFiles.find(file);
  const key = await sha256(canonicalJson({ file, bytes, modifiedMs, columns: fileColumns }));
  return {
    key,
    async toBuild() {
      const { points: returns, system } = await octrees.pointFile(file, signal);
      const { metres } = await sourceSystem(files, system, {});
      return { kind: 'points', file, key, returns, metres };
    },
  };
}

async function runCloud(ports: CloudPorts, run: RunRow, name?: string): Promise<FoundCloud> {
  const { catalogue, folders } = ports;
  const names = name === undefined ? [] : catalogue.compiled(run.id).sensors.map((one) => one.name);
  const sensor = name === undefined ? null : names.indexOf(name);
  if (sensor === -1) {
    throw badInput('source.sensor', `expected one of ${names.join(', ')}, found '${name}'`);
  }
  const scans = catalogue
    .scanRecords(run.id)
    .filter((scan) => sensor === null || scan.sensor === sensor);
  const returns = scans.reduce((sum, scan) => sum + scan.returns, 0);
  const hashes = scans.map(({ hash }) => hash);
  // Why with the id: the origin and the names of classes are those of its scenario.
  const key = await sha256(canonicalJson({ run: run.id, sensor, returns, hashes }));
  return {
    key,
    async toBuild() {
      // Refuses a recording that is cut off.
      const reader = await openRunRecording(ports, run);
      await reader.close();
      const file = folders.recordingFile(run.id);
      return { kind: 'recording', file, key, returns, sensor };
    },
  };
}

function expectEnded({ id, state, deletedMs }: RunRow): void {
  if (deletedMs !== null) {
    throw new UnderstoryError('not-found', `run ${id} is in the trash: restore it first`);
  }
  if (state !== 'running') return;
  const message = `run ${id} is under way: all of its returns can be shown once it has ended`;
  throw new UnderstoryError('locked', message);
}
