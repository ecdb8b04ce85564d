// A scan whose rows the worker packs as well, for the recording, and samples, for views.
import type { Columns, ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { PackedRecord, RowTemplate } from '#contract/worker/rowTemplate.ts';
import type { ScanReply, ScanRequest } from '#contract/worker/worker.ts';
import { joinBytes } from '#domain/shared/joinBytes.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { MethodOptions, PackedRows, RowPacking, ScanWorker } from '#services/ports/workers.ts';

export interface PackedScan extends Omit<ScanReply, 'packed'> {
  /** How many returns each instance gave, by id, zero left out. */
  objects: { object_id: Uint32Array; object_returns: Uint32Array };
  /** One for each packing. */
  packed: PackedRows[];
  /** With a sample in the request: its columns. */
  sample?: ReturnTable;
}

/** @throws UnderstoryError 'protocol' where a record or a column that was asked for is missing */
export async function scanPacked(
  worker: ScanWorker,
  request: Omit<ScanRequest, 'packed'>,
  trajectory: Trajectory,
  packings: readonly RowPacking[],
  options: MethodOptions<'scan'>,
): Promise<PackedScan> {
  const { columns: heads, ...templates } = packingsOf(packings);
  const columns = { ...trajectory, ...heads };
  const reply = await worker.call('scan', { ...request, ...templates }, columns, options);
  const { object_id, object_returns, packed: frame } = reply.columns;
  const { packed = [], ...body } = reply.body;
  return {
    ...body,
    objects: { object_id, object_returns },
    packed: packed.length === 0 ? [] : packedRows(packed, expected(frame, 'packed'), packings),
    ...(request.sample && { sample: sampleOf(reply.columns, request.sample.columns) }),
  };
}

/** The templates of a request, and the columns that belong to them. */
function packingsOf(packings: readonly RowPacking[]): {
  packed?: RowTemplate[];
  columns: Partial<Record<'packed_before' | 'packed_after' | 'packed_blank', Uint8Array>>;
} {
  if (packings.length === 0) return { columns: {} };
  const packed = packings.map(({ template, before, after }) => {
    return { ...template, beforeBytes: before.length, afterBytes: after.length };
  });
  const blank = packings.flatMap((packing) => packing.blank ?? []);
  return {
    packed,
    columns: {
      packed_before: joinBytes(packings.map(({ before }) => before)),
      packed_after: joinBytes(packings.map(({ after }) => after)),
      ...(blank.length > 0 && { packed_blank: joinBytes(blank) }),
    },
  };
}

/** Records with their frames, which follow each other in `frames`. */
function packedRows(
  packed: readonly PackedRecord[],
  frames: Uint8Array,
  packings: readonly RowPacking[],
): PackedRows[] {
  let end = 0;
  const rows = packed.map(({ frameBytes, ...record }, index): PackedRows => {
    end += frameBytes;
    const isRaw = packings[index]?.isRaw;
    return { ...record, frame: frames.subarray(end - frameBytes, end), ...(isRaw && { isRaw }) };
  });
  if (end === frames.length) return rows;
  throw new UnderstoryError('protocol', "the worker's column 'packed' has another length");
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
