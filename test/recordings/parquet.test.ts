// Parquet files read back by another library.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { defaultScanColumns } from '#contract/columns.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { sampleClasses, sampleTable } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const compressors = { ZSTD: (input: Uint8Array) => new Uint8Array(zstdDecompressSync(input)) };

test('every value comes back, over several groups of rows, with the names of classes and sensors', async () => {
  const file = join(temporaryFolder(), 'cloud.parquet');
  const exporter = await createExporters({ dataFolder: null }).create(file, {
    format: 'parquet',
    columns: defaultScanColumns,
    isReplacing: false,
    classes: sampleClasses,
    sensors: ['roof', 'front'],
  });
  const rows = 100_000;
  const table = sampleTable(rows, { seed: 3, fromNs: 9e9, misses: true });
  await exporter.write(table, rows, 1);
  await exporter.write(table, rows, 0);
  expect(await exporter.close()).toEqual({ files: [file], points: 2 * rows, leftOut: [] });

  const bytes = readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const metadata = parquetMetadata(buffer);
  const groups = metadata.row_groups.map(({ num_rows }) => Number(num_rows));
  expect(groups).toEqual([65_536, 65_536, 65_536, 3392]);
  expect(metadata.key_value_metadata).toEqual([
    { key: 'classes', value: JSON.stringify(sampleClasses) },
    { key: 'sensors', value: '["roof","front"]' },
  ]);
  const read = async (rowStart: number, rowEnd: number) =>
    parquetReadObjects({ file: buffer, compressors, rowStart, rowEnd });
  // The first rows, and those about the end of the first group.
  for (const from of [0, 65_510]) {
    for (const [index, row] of (await read(from, from + 50)).entries()) {
      const at = (from + index) % rows;
      expect(row['sensor']).toBe(from + index < rows ? 1 : 0);
      for (const name of defaultScanColumns) expect(row[name]).toEqual(table[name]?.[at]);
    }
  }
});
