// The worker's messages as the services take them: columns under the names of services/ports/workers.ts.
import type { Columns, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { WorkerChunk, WorkerReply } from '#contract/worker/workerMethods.ts';
import type { RowPacking, ScanResult, Waveforms } from '#services/ports/workers.ts';

/** Columns that go with a request to pack rows. */
export function packingColumns(
  packing: RowPacking | undefined,
): Partial<Record<'packed_before' | 'packed_after', Uint8Array>> {
  return packing === undefined
    ? {}
    : { packed_before: packing.before, packed_after: packing.after };
}

/**
 * A scan's reply with its columns; `sampled` names those of the sample that was asked for.
 * @throws UnderstoryError 'protocol' where the record or a column that was asked for is missing
 */
export function scanResultOf(
  { body: { packed, ...reply }, columns }: WorkerReply<'scan'>,
  sampled: ReturnColumnName[] | undefined,
): ScanResult {
  const { object_id: objectId, object_returns: objectReturns, packed: frame } = columns;
  return {
    ...reply,
    objectId,
    objectReturns,
    ...(packed && { packed: { ...packed, frame: expected(frame, 'packed') } }),
    ...(sampled && { sample: sampleOf(columns, sampled) }),
  };
}

/** A chunk of `scan.waveforms`. */
export function waveformsOf({ body, columns }: WorkerChunk<'scan.waveforms'>): Waveforms {
  const { pulse, time_ns: timeNs, first_range_m: firstRangeM, bins } = columns;
  return { ...body, pulse, timeNs, firstRangeM, bins };
}

function sampleOf(columns: Columns, names: ReturnColumnName[]): ReturnTable {
  const sample = names.map((name) => {
    const column = `sample_${name}`;
    return [name, expected(columns[column], column)] as const;
  });
  return Object.fromEntries(sample);
}

function expected<A>(array: A | undefined, name: string): A {
  if (array !== undefined) return array;
  throw new UnderstoryError('protocol', `the worker sent no column '${name}'`);
}
