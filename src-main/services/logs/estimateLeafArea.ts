// log.estimate: leaf area density of voxels from logs: sums over beams by a worker, estimates from them, voxel by voxel
// into a file. Guarantees: memory of the voxels is checked before it is taken; equal on any number of threads.
import { leafSizeFault } from '#contract/documents/estimate.ts';
import { badInput } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { LogHead } from '#contract/log/log.ts';
import { memoryLimitBytes } from '#domain/scene/memoryLimit.ts';
import { differentSystems, systemName } from '#domain/shared/coordinateSystem.ts';
import { requestedSpace, type Box } from '#domain/vegetation/requestedSpace.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import type { Logs } from '#services/ports/logs.ts';
import type { NumberArrays } from '#services/ports/numberArrays.ts';
import type { Machine } from '#services/ports/system.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { estimateEndings, openEstimateFile } from './estimateFile.ts';
import { estimateVoxels, expectTruthFits } from './estimateVoxels.ts';
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
  const { logs, out, isReplacing, threads } = request;
  const inputs = [...logs, ...(request.truth === undefined ? [] : [request.truth])];
  const { heads, extentM } = await headsOf(ports, logs);
  const space = requestedSpace(request, extentM, { title, without: 'the logs have no beams' });
  const freeBytes = memoryLimitBytes(ports.machine.availableMemoryBytes());
  const truthBytes = request.truth === undefined ? 0 : expectTruthFits(space, freeBytes);
  const truth =
    request.truth === undefined ? null : await readVoxelTruth(ports.arrays, request.truth, space);
  const file = await openEstimateFile({
    exporters: ports.exporters,
    file: out,
    space,
    hasTruth: truth !== null,
    target: { isReplacing, inputs },
  });
  try {
    const worker = await ports.launcher.open({ isa: null, threads: threads ?? null });
    try {
      const found = await estimateVoxels(
        worker,
        { logs, space, estimate: request, truth, memoryLimitBytes: freeBytes - truthBytes },
        { signal: context.signal, onProgress: context.progress },
        (from, rows) => file.write(from, rows),
      );
      await file.close();
      const { minM, maxM, split, voxelM } = space;
      return { file: out, minM, maxM, split, voxelM, ...found, notes: notesOf(heads) };
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
  const fault = leafSizeFault({ voxelM, leafSizeM });
  if (fault !== null) throw badInput('leafSizeM', fault, { title });
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

function notesOf(heads: readonly LogHead[]): string[] {
  const notes: string[] = [];
  const some = (test: (head: LogHead) => boolean): boolean => heads.some(test);
  if (some(({ misses }) => misses === 'unknown')) {
    notes.push(
      'a log lacks the beams of its source without a return: what they passed does not count, and densities are too high where there is sky behind',
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
