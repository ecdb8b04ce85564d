// All instances of a worker's scene: in slices, or in one table for those who need every one; plants of landscapes by
// their ids.
import type { Arrays, Columns } from '#contract/columns.ts';
import type { instanceColumns } from '#contract/worker/worker.ts';
import { type ColumnSlices, createColumnSlices } from '#domain/shared/columnSlices.ts';
import type { ScanWorker } from '#services/ports/workers.ts';

/** Rows fromRow and following of the `total` instances of a scene. */
export interface InstanceSlice {
  fromRow: number;
  total: number;
  columns: Arrays<typeof instanceColumns>;
}

/** Instances that are asked for at a time: some 6 MB. */
const maxRows = 2 ** 16;

/** Slices of at most 65,536 rows, in order; at least one, which may be empty. */
export async function eachInstanceSlice(
  worker: ScanWorker,
  take: (slice: InstanceSlice) => void | Promise<void>,
): Promise<void> {
  for (let fromRow = 0; ;) {
    const { body, columns } = await worker.call('scene.instances', { fromRow, maxRows }, {});
    const { total } = body;
    await take({ fromRow, total, columns });
    const rows = columns.instance_id.length;
    fromRow += rows;
    if (fromRow >= total || rows === 0) return;
  }
}

/** Slices of the plants of landscapes with these ids, in their order; other ids are skipped. */
export async function eachPlantSlice(
  worker: ScanWorker,
  plantIds: Iterable<number>,
  take: (columns: InstanceSlice['columns']) => void | Promise<void>,
): Promise<void> {
  let wanted: number[] = [];
  const ask = async (): Promise<void> => {
    if (wanted.length === 0) return;
    const ids = { instance_id: Uint32Array.from(wanted) };
    wanted = [];
    await take((await worker.call('scene.plants', {}, ids)).columns);
  };
  for (const id of plantIds) {
    if (wanted.push(id) === maxRows) await ask();
  }
  await ask();
}

/** The columns of worker.ts instanceColumnNames, a row each. */
export async function instancesOf(worker: ScanWorker): Promise<Columns> {
  const whole: ColumnSlices[] = [];
  await eachInstanceSlice(worker, ({ fromRow, total, columns }) => {
    if (whole.length === 0) whole.push(createColumnSlices(total));
    whole[0]?.put(fromRow, columns);
  });
  return whole[0]?.columns ?? {};
}
