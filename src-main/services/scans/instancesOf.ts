// All instances of a worker's scene in one table, for those who need every one.
import type { Columns } from '#contract/columns.ts';
import { type ColumnSlices, createColumnSlices } from '#domain/shared/columnSlices.ts';
import type { ScanWorker } from '#services/ports/workers.ts';

/** The columns of worker.ts instanceColumnNames, a row each. */
export async function instancesOf(worker: Pick<ScanWorker, 'instanceSlices'>): Promise<Columns> {
  const whole: ColumnSlices[] = [];
  await worker.instanceSlices(({ fromRow, total, columns }) => {
    if (whole.length === 0) whole.push(createColumnSlices(total));
    whole[0]?.put(fromRow, columns);
  });
  return whole[0]?.columns ?? {};
}
