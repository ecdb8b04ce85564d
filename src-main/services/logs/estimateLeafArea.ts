// log.estimate: leaf area density of voxels from logs: sums over beams by a worker, estimates from them, voxel by voxel
// into a file. Guarantees: memory of the voxels is checked before it is taken; equal on any number of threads.
import { badInput } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { LogHead } from '#contract/log/log.ts';
import type { WorkerChunk } from '#contract/worker/workerMethods.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { differentSystems, systemName } from '#domain/shared/coordinateSystem.ts';
import {
  createEstimateSums,
  oneLeafM2,
  leafAreaRow,
} from '#domain/vegetation/leafAreaEstimates.ts';
import { beamSumsOf } from '#domain/vegetation/beamSums.ts';
import { requestedSpace, type Box } from '#domain/vegetation/requestedSpace.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { NumberArrays } from '#services/ports/numberArrays.ts';
import type { Machine } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { estimateEndings, openEstimateFile, type EstimateFile } from './estimateFile.ts';
import { logStatistics } from './logStatistics.ts';
import { readVoxelTruth } from './voxelTruthFile.ts';

export interface EstimatePorts {
  arrays: NumberArrays;
  launcher: WorkerLauncher;
  machine: Pick<Machine, 'availableMemoryBytes'>;
  exporters: Exporters;
  logs: Pick<Logs, 'open'>;
}

type Request = RequestOf<'log.estimate'>;
const title = 'the leaf area cannot be estimated';

/** @throws UnderstoryError 'bad-input', 'not-found', 'corrupt' for logs; 'scene-too-large', 'cancelled'; as Exporters */
export async function estimateLeafArea(
  ports: EstimatePorts,
  request: Request,
  context: HandlerContext,
): Promise<Replies['log.estimate']> {
  checkRequest(request);
  const { logs, out, isReplacing, voxelM, leafSizeM, minBeams, threads } = request;
  const inputs = [...logs, ...(request.truth === undefined ? [] : [request.truth])];
  const { heads, extentM } = await headsOf(ports, logs);
  const space = requestedSpace(request, extentM, { title, without: 'the logs have no beams' });
  const voxels = space.split[0] * space.split[1] * space.split[2];
  const freeBytes = memoryLimitBytes(ports.machine.availableMemoryBytes());
  const truthBytes = request.truth === undefined ? 0 : 8 * voxels;
  if (truthBytes > freeBytes) {
    throw badInput('voxelM', `expected fewer voxels than ${voxels}: they need too much memory`);
  }
  const truth =
    request.truth === undefined ? null : await readVoxelTruth(ports.arrays, request.truth, space);
  const file = await openEstimateFile({
    exporters: ports.exporters,
    file: out,
    space,
    hasTruth: truth !== null,
    target: { isReplacing, inputs },
  });
  const sums = createEstimateSums(voxelM);
  try {
    const worker = await ports.launcher.open({ isa: null, threads: threads ?? null });
    try {
      const { body } = await worker.call(
        'log.voxels',
        {
          logs: [...logs],
          minM: space.minM,
          voxelM,
          split: space.split,
          leafAngles: request.angles,
          oneLeafM2: oneLeafM2(leafSizeM),
          memoryLimitBytes: freeBytes - truthBytes,
        },
        {},
        {
          signal: context.signal,
          onProgress: context.progress,
          onChunk: async (chunk) => {
            await takeChunk(chunk, { minBeams, truth, sums, file });
            const { from, rows } = chunk.body;
            context.progress({ phase: 'voxels', done: from + rows, total: voxels });
          },
        },
      );
      await file.close();
      const { minM, maxM, split } = space;
      const found = { file: out, beams: body.beams, minM, maxM, split, voxelM };
      return { ...found, ...sums.totals(truth !== null), notes: notesOf(heads) };
    } finally {
      await worker.dispose();
    }
  } catch (error) {
    await file.abort();
    throw error;
  }
}

/** @throws 'bad-input' */
function checkRequest({ out, voxelM, leafSizeM }: Request): void {
  if (!estimateEndings.some((ending) => out.toLowerCase().endsWith(ending))) {
    const message = `expected a file that ends in one of ${estimateEndings.join(', ')}, found '${out}'`;
    throw badInput('out', message, { title });
  }
  if (leafSizeM > voxelM / 2) {
    const message = `expected leaves of at most half a voxel (${voxelM / 2} m), found ${leafSizeM}`;
    throw badInput('leafSizeM', message, { title });
  }
}

async function headsOf(
  { logs: port }: EstimatePorts,
  logs: readonly string[],
): Promise<{ heads: LogHead[]; extentM: Box | null }> {
  const heads: LogHead[] = [];
  let extentM: Box | null = null;
  for (const file of logs) {
    const reader = await port.open(file);
    heads.push(reader.head);
    const own = logStatistics(reader).extentM;
    await reader.close();
    if (own !== null) extentM = around(extentM, [own.minM, own.maxM]);
  }
  const systems = differentSystems(heads.map(({ crs }) => crs)).map(systemName);
  if (systems.length > 1) {
    const message = `expected logs in one coordinate system, found ${systems.join(' and ')}`;
    throw badInput('logs', message, { title });
  }
  return { heads, extentM };
}

function around(box: Box | null, [low, high]: Box): Box {
  if (box === null) return [low, high];
  const each = (of: (...values: number[]) => number, a: Box[0], b: Box[0]): Box[0] => [
    of(a[0], b[0]),
    of(a[1], b[1]),
    of(a[2], b[2]),
  ];
  return [each(Math.min, box[0], low), each(Math.max, box[1], high)];
}

interface Taking {
  minBeams: number;
  truth: Float64Array | null;
  sums: ReturnType<typeof createEstimateSums>;
  file: EstimateFile;
}

async function takeChunk(
  { body: { from, rows }, columns }: WorkerChunk<'log.voxels'>,
  { minBeams, truth, sums, file }: Taking,
): Promise<void> {
  const found = Array.from({ length: rows }, (_, row) => {
    return leafAreaRow(beamSumsOf(columns, row), minBeams, truth?.[from + row] ?? NaN);
  });
  for (const row of found) sums.add(row);
  await file.write(from, found);
}

function notesOf(heads: readonly LogHead[]): string[] {
  const notes: string[] = [];
  const some = (test: (head: LogHead) => boolean): boolean => heads.some(test);
  if (some(({ misses }) => misses === 'unknown')) {
    notes.push(
      'a log has no beams without a return: what they passed does not count, and densities are too high where there is sky behind',
    );
  }
  if (some(({ returns }) => returns !== 'all')) {
    notes.push(
      'a log keeps one return of a pulse, which counts as the whole beam: densities are too high where beams are not narrow beside leaves (log import --returns all)',
    );
  }
  if (some(({ columns }) => !columns.includes('label'))) {
    notes.push('a log has no labels: returns from ground and walls count as leaves');
  }
  return notes;
}
