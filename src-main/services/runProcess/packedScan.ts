// A scan whose rows the worker packs as well, for the recording, and samples, for views.
import type { ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { PackedRecord, RowTemplate } from '#contract/worker/rowTemplate.ts';
import type { ScanReply, ScanRequest } from '#contract/worker/worker.ts';
import type { WorkerReply } from '#contract/worker/workerMethods.ts';
import { joinBytes } from '#domain/shared/joinBytes.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { MapReply, MapRequest } from './driveMapping.ts';
import type {
  StoredFrame,
  MethodOptions,
  PackedRows,
  RowPacking,
  ScanWorker,
} from '#services/ports/workers.ts';
import { expectedColumn, sampleOf } from '#services/scanSample.ts';

export interface PackedScan extends Omit<ScanReply, 'packed'> {
  /** How many returns each instance gave, by id, zero left out. */
  objects: { object_id: Uint32Array; object_returns: Uint32Array };
  /** One for each packing. */
  packed: PackedRows[];
  /** With a sample in the request: its columns. */
  sample?: ReturnTable;
  /** Null: the returns were not mapped, or further scans of the tick follow. */
  mapped: MapReply | null;
}

/** @throws UnderstoryError 'protocol' where a record or a column that was asked for is missing */
export async function scanPacked(
  worker: ScanWorker,
  request: Omit<ScanRequest, 'packed' | 'map'>,
  trajectory: Trajectory,
  packings: readonly RowPacking[],
  { map, ...options }: MethodOptions<'scan'> & { map?: MapRequest },
): Promise<PackedScan> {
  const { columns: heads, ...templates } = packingsOf(packings);
  const columns = { ...trajectory, ...heads, ...map?.columns };
  const mapped = map === undefined ? {} : { map: map.map };
  const reply = await worker.call(
    'scan',
    { ...request, ...templates, ...mapped },
    columns,
    options,
  );
  const { object_id, object_returns, packed: frame } = reply.columns;
  const { packed = [], ...body } = reply.body;
  const { sample, ...plain } = request;
  const { carriedBy, raisedDust } = options;
  /** Made again with the same request, for a packing whose frame is sent. */
  const rescan = async (packing: RowPacking): Promise<Uint8Array> => {
    const sent = { ...packing, template: { ...packing.template, frame: 'sent' as const } };
    const call = { ...(carriedBy && { carriedBy }), ...(raisedDust && { raisedDust }) };
    const scan = { ...plain, columns: [] };
    const [rows] = (await scanPacked(worker, scan, trajectory, [sent], call)).packed;
    return expectedColumn(rows?.frame instanceof Uint8Array ? rows.frame : undefined, 'packed');
  };
  return {
    ...body,
    objects: { object_id, object_returns },
    packed:
      packed.length === 0
        ? []
        : packedRows(packed, expectedColumn(frame, 'packed'), packings, (stored, packing) =>
            storedFrame(worker, stored, () => rescan(packing)),
          ),
    mapped: map?.map.isLastScan === true ? mapReplyOf(reply.columns) : null,
    ...(sample && { sample: sampleOf(reply.columns, sample.columns) }),
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

/** Records with their frames: those that were sent follow each other in `frames`. */
function packedRows(
  packed: readonly PackedRecord[],
  frames: Uint8Array,
  packings: readonly RowPacking[],
  storedOf: (stored: number, packing: RowPacking) => StoredFrame,
): PackedRows[] {
  let end = 0;
  const rows = packed.map(({ stored, ...record }, index): PackedRows => {
    const packing = packings[index] as RowPacking;
    const { isRaw, template } = packing;
    const from = end;
    const isSent = stored === undefined && template.frame !== 'dropped';
    if (isSent) end += record.frameBytes;
    const sent = isSent ? frames.subarray(from, end) : null;
    const frame = stored === undefined ? sent : storedOf(stored, packing);
    return { ...record, frame, ...(isRaw && { isRaw }) };
  });
  if (end === frames.length) return rows;
  throw new UnderstoryError('protocol', "the worker's column 'packed' has another length");
}

function storedFrame(
  worker: ScanWorker,
  stored: number,
  rescan: () => Promise<Uint8Array>,
): StoredFrame {
  return {
    async write({ head, tail, ...place }) {
      const columns = { frame_head: head, frame_tail: tail };
      return (await worker.call('scan.write', { stored, ...place }, columns)).body.crc32;
    },
    rescan,
  };
}

function mapReplyOf(columns: WorkerReply<'scan'>['columns']): MapReply {
  const { map_cell, map_cost, map_sure_cost, map_low_cost = null } = columns;
  const { ground_cell, ground_height_m, ground_from_m } = columns;
  return {
    map_cell: expectedColumn(map_cell, 'map_cell'),
    map_cost: expectedColumn(map_cost, 'map_cost'),
    map_sure_cost: expectedColumn(map_sure_cost, 'map_sure_cost'),
    map_low_cost,
    ground_cell: expectedColumn(ground_cell, 'ground_cell'),
    ground_height_m: expectedColumn(ground_height_m, 'ground_height_m'),
    ground_from_m: expectedColumn(ground_from_m, 'ground_from_m'),
  };
}
