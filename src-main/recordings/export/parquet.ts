// Apache Parquet (parquet.apache.org): one column for each column, under the contract's names and types; for DuckDB,
// pandas, Polars, R. What ids mean is in the file's metadata: `classes` and `sensors`, JSON lists by id, and `crs`. A
// pulse without an echo is a row with NaN for what was not measured.
import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import {
  type ColumnArray,
  type ColumnType,
  columnTypes,
  type ReturnColumnName,
} from '#contract/columns.ts';
import { unfit } from '../join/readPart.ts';
import { type Format, type FormatOptions, type FormatWriter, rowSourceOf } from './format.ts';
import type { PartFile } from './partFile.ts';
import { worldColumnType, worldTable } from './worldColumns.ts';

/**
 * Rows that are compressed at a time, and lie together in the file. Why no more: a column of 8 bytes is below the
 * megabyte that the host does at once.
 */
const groupRows = 2 ** 16;

/** Physical and logical type of a column; unsigned numbers have the bits of signed ones. */
const types: Record<ColumnType, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  u8: { type: 'INT32', converted_type: 'UINT_8' },
  u16: { type: 'INT32', converted_type: 'UINT_16' },
  u32: { type: 'INT32', converted_type: 'UINT_32' },
  i32: { type: 'INT32' },
  u64: { type: 'INT64', converted_type: 'UINT_64' },
  i64: { type: 'INT64' },
  f32: { type: 'FLOAT' },
  f64: { type: 'DOUBLE' },
};

/** Rows of one column that wait for their group. */
interface Waiting {
  name: string;
  values: ColumnArray;
}

export const parquet: Format = {
  write: writeParquet,
  join: (_, [part]) =>
    Promise.reject(unfit(part ?? '', 'readers of .parquet files read its parts as one table')),
};

function writeParquet(
  file: PartFile,
  { columns, classes, originM, crs, ...sources }: FormatOptions,
): Promise<FormatWriter> {
  const source = rowSourceOf(sources);
  const typeOf = (name: ReturnColumnName): ColumnType => worldColumnType(name, originM);
  const waiting: Waiting[] = columns.map((name) => {
    return { name, values: new columnTypes[typeOf(name)](groupRows) };
  });
  if (source !== null) waiting.push({ name: source.name, values: new Uint16Array(groupRows) });
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    codec: 'ZSTD',
    statistics: false,
    createdBy: 'Understory',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    schema: [
      { name: 'root', num_children: waiting.length },
      ...waiting.map(({ name }): SchemaElement => {
        const type = name === source?.name ? 'u16' : typeOf(name as ReturnColumnName);
        return { name, repetition_type: 'REQUIRED', ...types[type] };
      }),
    ],
    kvMetadata: [
      { key: 'classes', value: JSON.stringify(classes) },
      ...(crs === undefined ? [] : [{ key: 'crs', value: crs }]),
      ...(source === null ? [] : [{ key: `${source.name}s`, value: JSON.stringify(source.names) }]),
    ],
  });
  const flush = async (): Promise<void> => {
    await file.append(bytes.getBytes().slice());
    bytes.index = 0;
  };
  let waits = 0;
  const writeGroup = async (): Promise<void> => {
    const columnData = waiting.map(({ name, values }) => {
      return { name, data: signed(values.subarray(0, waits)), encoding: 'PLAIN' as const };
    });
    await writer.write({ columnData, rowGroupSize: groupRows });
    waits = 0;
    await flush();
  };
  return Promise.resolve({
    async write(relative, rows, sensor) {
      const table = worldTable(relative, originM);
      for (let from = 0; from < rows;) {
        const count = Math.min(rows - from, groupRows - waits);
        for (const { name, values } of waiting) {
          if (name === source?.name) {
            values.fill(source.numberOf(sensor) as never, waits, waits + count);
          } else copy(table[name as ReturnColumnName], name, values, { from, count, to: waits });
        }
        from += count;
        waits += count;
        if (waits === groupRows) await writeGroup();
      }
    },
    async finish(rows) {
      if (waits > 0) await writeGroup();
      await writer.finish();
      await flush();
      return rows;
    },
    leftOut: [],
  });
}

/** @throws TypeError where the table lacks the column */
function copy(
  source: ColumnArray | undefined,
  name: string,
  target: ColumnArray,
  { from, count, to }: { from: number; count: number; to: number },
): void {
  if (source === undefined) throw new TypeError(`the table lacks the column ${name}`);
  // Why the cast: both arrays have the type of the column.
  target.set(source.subarray(from, from + count) as never, to);
}

/** Values as the library takes them. Why a list of u32: it does not convert an array of them to signed ones. */
function signed(
  values: ColumnArray,
): number[] | Int32Array | BigInt64Array | Float32Array | Float64Array {
  if (values instanceof Uint32Array) return Array.from(values);
  if (values instanceof Uint8Array || values instanceof Uint16Array) return Int32Array.from(values);
  if (values instanceof BigUint64Array) {
    return new BigInt64Array(values.buffer, values.byteOffset, values.length);
  }
  return values;
}
