// All instances of a worker's scene: in slices, or in one table for those who need every one.
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

/** The columns of worker.ts instanceColumnNames, a row each. */
export async function instancesOf(worker: ScanWorker): Promise<Columns> {
  const whole: ColumnSlices[] = [];
  await eachInstanceSlice(worker, ({ fromRow, total, columns }) => {
    if (whole.length === 0) whole.push(createColumnSlices(total));
    whole[0]?.put(fromRow, columns);
  });
  return whole[0]?.columns ?? {};
}
