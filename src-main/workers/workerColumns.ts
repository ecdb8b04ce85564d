// The worker's columns as the services take them: looked at once, here, each of the type that the contract gives
// it. Whatever is missing or of another type is a fault of the worker: UnderstoryError 'protocol'.
import {
  columnTypes,
  rayColumnNames,
  rayColumns,
  type ColumnArray,
  type Columns,
  type RayTable,
  type ReturnColumnName,
} from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Message } from '#contract/wire/rpc.ts';
import type { ScanReply, WaveformBins } from '#contract/worker/worker.ts';
import type { ModelMesh, RowPacking, ScanResult, Waveforms } from '#services/ports/workers.ts';

/** What goes along with a request to pack rows. */
export function packingColumns(packing: RowPacking | undefined): Columns {
  return packing === undefined
    ? {}
    : { packed_before: packing.before, packed_after: packing.after };
}

/** A scan's reply with its columns; `sampled` names those of the sample that was asked for. */
export function scanResultOf(
  { packed, ...reply }: ScanReply,
  columns: Columns,
  sampled: ReturnColumnName[] | undefined,
): ScanResult {
  const sample = sampled?.map((name) => [name, columns[`sample_${name}`]] as const);
  return {
    ...reply,
    objectId: column(columns, 'object_id', Uint32Array),
    objectReturns: column(columns, 'object_returns', Uint32Array),
    ...(packed && { packed: { ...packed, frame: column(columns, 'packed', Uint8Array) } }),
    ...(sample && { sample: Object.fromEntries(sample) }),
  };
}

/** A chunk of `scan.waveforms`. */
export function waveformsOf({ body, columns }: Message): Waveforms {
  return {
    ...(body as WaveformBins),
    pulse: column(columns, 'pulse', BigUint64Array),
    timeNs: column(columns, 'time_ns', BigInt64Array),
    firstRangeM: column(columns, 'first_range_m', Float32Array),
    bins: column(columns, 'bins', Float32Array),
  };
}

/** A chunk of `scan.rays`: all of rayColumns. */
export function raysOf(columns: Columns): RayTable {
  const checked = rayColumnNames.map((name) => [
    name,
    column<ColumnArray>(columns, name, columnTypes[rayColumns[name].type]),
  ]);
  return Object.fromEntries(checked) as RayTable;
}

/** Rows of a chunk of `scan`: columns have the same length; 0 where none was asked for. */
export function rowsOf(columns: Columns): number {
  return Object.values(columns)[0]?.length ?? 0;
}

/** The columns of `scene.mesh`. */
export function meshColumns(columns: Columns): Pick<ModelMesh, 'position' | 'index' | 'material'> {
  return {
    position: column(columns, 'position', Float32Array),
    index: column(columns, 'index', Uint32Array),
    material: column(columns, 'material', Uint16Array),
  };
}

/** One column, of the type that its array says. */
export function column<A extends ColumnArray>(
  columns: Columns,
  name: string,
  ArrayOf: { new (length: number): A },
): A {
  const array = columns[name];
  if (!(array instanceof ArrayOf)) {
    throw new UnderstoryError('protocol', `the worker sent no column '${name}' of the right type`);
  }
  return array;
}
