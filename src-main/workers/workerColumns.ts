// The worker's messages as the services take them: columns under the names of services/ports/workers.ts.
import type { Columns, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { PackedRecord, RowTemplate } from '#contract/worker/rowTemplate.ts';
import type { WorkerChunk, WorkerReply } from '#contract/worker/workerMethods.ts';
import type { PackedRows, RowPacking, ScanResult, Waveforms } from '#services/ports/workers.ts';

type PackingColumn = 'packed_before' | 'packed_after' | 'packed_blank';

/** The templates of a request to pack rows, and the columns that go with it. */
export function packingsOf(packings: readonly RowPacking[]): {
  packed?: RowTemplate[];
  columns: Partial<Record<PackingColumn, Uint8Array>>;
} {
  if (packings.length === 0) return { columns: {} };
  const packed = packings.map(({ template, before, after }) => {
    return { ...template, beforeBytes: before.length, afterBytes: after.length };
  });
  const blank = packings.flatMap((packing) => packing.blank ?? []);
  return {
    packed,
    columns: {
      packed_before: joined(packings.map(({ before }) => before)),
      packed_after: joined(packings.map(({ after }) => after)),
      ...(blank.length > 0 && { packed_blank: joined(blank) }),
    },
  };
}

/**
 * A scan's reply with its columns; `sampled` names those of the sample that was asked for.
 * @throws UnderstoryError 'protocol' where a record or a column that was asked for is missing
 */
export function scanResultOf(
  { body: { packed = [], ...reply }, columns }: WorkerReply<'scan'>,
  sampled: ReturnColumnName[] | undefined,
): ScanResult {
  const { object_id: objectId, object_returns: objectReturns, packed: frame } = columns;
  return {
    ...reply,
    objectId,
    objectReturns,
    packed: packed.length === 0 ? [] : packedRows(packed, expected(frame, 'packed')),
    ...(sampled && { sample: sampleOf(columns, sampled) }),
  };
}

/** A chunk of `scan.waveforms`. */
export function waveformsOf({ body, columns }: WorkerChunk<'scan.waveforms'>): Waveforms {
  const { pulse, time_ns: timeNs, first_range_m: firstRangeM, bins } = columns;
  return { ...body, pulse, timeNs, firstRangeM, bins };
}

/** Records with their frames, which follow each other in `frames`. */
function packedRows(packed: readonly PackedRecord[], frames: Uint8Array): PackedRows[] {
  let end = 0;
  const rows = packed.map(({ frameBytes, ...record }) => {
    end += frameBytes;
    return { ...record, frame: frames.subarray(end - frameBytes, end) };
  });
  if (end === frames.length) return rows;
  throw new UnderstoryError('protocol', "the worker's column 'packed' has another length");
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
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
