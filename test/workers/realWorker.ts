// The real worker with a real scene, and scans of it as bytes that can be compared.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ColumnArray, ReturnColumnName } from '#contract/columns.ts';
import { returnColumnNames } from '#contract/columns.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { ScanReply, ScanRequest, SceneSummary } from '#contract/worker/worker.ts';
import type { WorkerReply } from '#contract/worker/workerMethods.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createDocuments, type LoadedScenario } from '#services/documents/documents.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import { straight } from '#validation/trajectories.ts';
import { startWorker, type WorkerOptions } from '#test/support/worker.ts';

const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });

/** The grass field beside this file, or a sample by id. */
export function compileScenario(
  idOrFile = fileURLToPath(new URL('grassField.understory.yaml', import.meta.url)),
  { sensor, seed }: { sensor?: string; seed?: number } = {},
): Promise<LoadedScenario> {
  return documents.compile(idOrFile, { seed }, sensor === undefined ? null : { sensor });
}

/** The sensor of a scenario that has one. */
export function onlySensor({ compiled }: LoadedScenario): SensorRecipe {
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new Error('the scenario has no sensor');
  return sensor.recipe;
}

/** A sample sensor. */
export async function sensorRecipe(id: string): Promise<SensorRecipe> {
  const { value, problems } = await documents.loadSensor(id);
  if (value === null) throw new Error(JSON.stringify(problems));
  return value.recipe;
}

/** A worker with its scene built; it ends as one of startWorker. */
export async function openWorker(
  { compiled, heights }: LoadedScenario,
  options: WorkerOptions = {},
): Promise<{ worker: ScanWorker; summary: SceneSummary }> {
  const worker = await startWorker(options);
  const request = { recipe: compiled.recipe, memoryLimitBytes: 2e9 };
  const { body: summary } = await worker.call('scene.build', request, { heights });
  return { worker, summary };
}

/** Stationary at a place, looking along x. */
export function standingAt(xM: number, yM: number, zM: number): Trajectory {
  return straight([xM, yM, zM], [xM, yM, zM], 1e9);
}

export interface ScanOrder extends Partial<ScanRequest> {
  sensor: SensorRecipe;
  toNs: number;
  trajectory: Trajectory;
}

export interface ScanHooks {
  signal?: AbortSignal;
  /** Called with the number of each chunk, from 0, when it arrives. */
  onChunk?: (chunk: number) => void;
}

export interface ScanBytes {
  result: ScanReply;
  objects: WorkerReply<'scan'>['columns'];
  /** SHA-256 over the bytes of each column. */
  digests: Record<string, string>;
  rows: number;
  chunks: number;
}

/** Scans and digests every column as it arrives. */
export async function scanBytes(
  worker: ScanWorker,
  order: ScanOrder & ScanHooks,
): Promise<ScanBytes> {
  const { trajectory, signal, onChunk, ...request } = order;
  const columns = request.columns ?? returnColumnNames;
  const hashes = new Map(columns.map((name) => [name, createHash('sha256')]));
  let chunks = 0;
  let rows = 0;
  const { body: result, columns: objects } = await worker.call(
    'scan',
    { fromNs: 0, seed: 1, misses: false, ...request, columns },
    trajectory,
    {
      ...(signal === undefined ? {} : { signal }),
      onChunk: ({ columns: table, body }) => {
        for (const [name, hash] of hashes) hash.update(bytesOf(table[name]));
        rows += body.rows;
        onChunk?.(chunks);
        chunks += 1;
      },
    },
  );
  const digests = Object.fromEntries([...hashes].map(([name, hash]) => [name, hash.digest('hex')]));
  return { result, objects, digests, rows, chunks };
}

/** Scans and keeps the returns, as one table of plain numbers. */
export async function scanRows(
  worker: ScanWorker,
  order: ScanOrder,
): Promise<Record<ReturnColumnName, number[]>> {
  const { trajectory, ...request } = order;
  const rows = Object.fromEntries(returnColumnNames.map((name) => [name, [] as number[]]));
  await worker.call(
    'scan',
    { fromNs: 0, seed: 1, misses: false, columns: returnColumnNames, ...request },
    trajectory,
    {
      onChunk: ({ columns: table }) => {
        for (const name of returnColumnNames) {
          for (const value of table[name] ?? []) rows[name]?.push(Number(value));
        }
      },
    },
  );
  return rows as Record<ReturnColumnName, number[]>;
}

function bytesOf(array: ColumnArray | undefined): Uint8Array {
  if (array === undefined) throw new Error('a column that was asked for is missing');
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
