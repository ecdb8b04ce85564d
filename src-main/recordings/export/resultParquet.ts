// Results of a campaign as Parquet (parquet.apache.org), for DuckDB, pandas, Polars, R: one optional column for each
// column. Guarantees: equal tables give equal bytes.
import { zstdCompressSync } from 'node:zlib';
import { ByteWriter, ParquetWriter, type SchemaElement } from 'hyparquet-writer';
import type { ResultColumn, ResultValue } from '#contract/host/campaignMethods.ts';
import type { ResultTables } from '#services/ports/resultTables.ts';

const types: Record<ResultColumn['type'], Pick<SchemaElement, 'type' | 'converted_type'>> = {
  number: { type: 'DOUBLE' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  boolean: { type: 'BOOLEAN' },
};

/** Rows that lie together in the file. */
const groupRows = 2 ** 16;

/** The tables of results in formats of other programs. */
export function createResultTables(): ResultTables {
  return { parquet };
}

async function parquet(
  columns: readonly ResultColumn[],
  rows: readonly (readonly ResultValue[])[],
): Promise<Uint8Array> {
  const bytes = new ByteWriter();
  const writer = new ParquetWriter({
    writer: bytes,
    codec: 'ZSTD',
    createdBy: 'Understory',
    compressors: { ZSTD: (input) => zstdCompressSync(input) },
    schema: [
      { name: 'root', num_children: columns.length },
      ...columns.map(({ name, type }): SchemaElement => {
        return { name, repetition_type: 'OPTIONAL', ...types[type] };
      }),
    ],
  });
  const columnData = columns.map(({ name, type }, index) => ({
    name,
    data: rows.map((row) => cellOf(row[index] ?? null, type)),
  }));
  await writer.write({ columnData, rowGroupSize: groupRows });
  await writer.finish();
  return bytes.getBytes().slice();
}

/** A value of the column's type: an axis of texts may have numbers among them. */
function cellOf(value: ResultValue, type: ResultColumn['type']): ResultValue {
  return value === null || type !== 'text' ? value : String(value);
}
