// Columns of a worker's reply to a scan: its sample of rows, and those that it must have.
import type { Columns, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';

/** The sample of a reply. @throws UnderstoryError 'protocol' where a column is missing */
export function sampleOf(columns: Columns, names: readonly ReturnColumnName[]): ReturnTable {
  const sample = names.map((name) => {
    const column = `sample_${name}`;
    return [name, expectedColumn(columns[column], column)] as const;
  });
  return Object.fromEntries(sample);
}

/** @throws UnderstoryError 'protocol' where it is missing */
export function expectedColumn<A>(array: A | undefined, name: string): A {
  if (array !== undefined) return array;
  throw new UnderstoryError('protocol', `the worker sent no column '${name}'`);
}
