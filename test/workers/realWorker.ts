// The real worker with a real scene, and scans of it as bytes that can be compared.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ColumnArray, ReturnColumnName } from '#contract/columns.ts';
import { returnColumnNames } from '#contract/columns.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import type { Isa, ScanReply, ScanRequest, SceneSummary } from '#contract/worker/worker.ts';
import type { WorkerReply } from '#contract/worker/workerMethods.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder, mpiWorkerBinary, workerBinary } from '#hosts/packageFolders.ts';
import { createDocuments, type LoadedScenario } from '#services/documents/documents.ts';
import type { Log } from '#services/ports/system.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import { straight } from '#validation/trajectories.ts';
import { createWorkerLauncher, type WorkerLauncherOptions } from '#workers/workerLauncher.ts';

const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });

/** The grass field beside this file, or a sample by id. */
export function compileScenario(
  idOrFile = fileURLToPath(new URL('grassField.understory.yaml', import.meta.url)),
  { sensor, seed }: { sensor?: string; seed?: number } = {},
): Promise<LoadedScenario> {
  return documents.compile(idOrFile, { seed }, sensor === undefined ? null : { sensor });
}

/** A sample sensor. */
export async function sensorRecipe(id: string): Promise<SensorRecipe> {
  const { value, problems } = await documents.loadSensor(id);
  if (value === null) throw new Error(JSON.stringify(problems));
  return value.recipe;
}

/** A log that keeps its entries. */
export function keptLog(): { log: Log; lines: { level: string; message: string }[] } {
  const lines: { level: string; message: string }[] = [];
  const at =
    (level: string) =>
    (message: string): void =>
      void lines.push({ level, message });
  return {
    lines,
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
  };
}

/** A worker with its scene built. */
export async function openWorker(
  { compiled, heights }: LoadedScenario,
  options: { threads?: number; ranks?: number; isa?: Isa } & Partial<WorkerLauncherOptions> = {},
): Promise<{ worker: ScanWorker; summary: SceneSummary }> {
  const { threads = null, ranks = null, isa = null, ...launcherOptions } = options;
  const worker = await createWorkerLauncher({
    log: keptLog().log,
    binary: workerBinary,
    mpiBinary: mpiWorkerBinary,
    ...launcherOptions,
  }).open({
    isa,
    threads,
    ranks,
  });
  try {
    const request = { recipe: compiled.recipe, memoryLimitBytes: 2e9 };
    const { body: summary } = await worker.call('scene.build', request, { heights });
    return { worker, summary };
  } catch (error) {
    await worker.dispose();
    throw error;
  }
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
