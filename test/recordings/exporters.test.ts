// Exports read back by small readers written from the formats' own documents.
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { defaultScanColumns, type ReturnColumnName, type ReturnTable } from '#contract/columns.ts';
import { formatFloat32 } from '#recordings/export/csv.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import type { ExportFormat } from '#contract/host/exportFormats.ts';
import { sampleClasses, sampleTable, seededRandom } from './samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const pieces = [
  { table: sampleTable(700, { seed: 1, fromNs: 0, misses: true }), rows: 700 },
  { table: sampleTable(5000, { seed: 2, fromNs: 7e9, noise: true }), rows: 5000 },
];

async function exportAs(
  format: ExportFormat,
  columns: ReturnColumnName[] = defaultScanColumns,
): Promise<string> {
  const file = join(temporaryFolder(), `cloud.${format}`);
  const options = { format, columns, classes: sampleClasses, isReplacing: false };
  const exporter = await createExporters({ dataFolder: null }).create(file, options);
  for (const { table, rows } of pieces) await exporter.write(table, rows);
  expect(existsSync(file)).toBe(false);
  expect(await exporter.close()).toEqual({ files: [file], points: 5700, leftOut: [] });
  expect(readdirSync(dirname(file))).toEqual([`cloud.${format}`]);
  return file;
}

/** Calls back with every row of what was exported and its number in the file. */
function forEachRow(visit: (table: ReturnTable, row: number, inFile: number) => void): void {
  let inFile = 0;
  for (const { table, rows } of pieces) {
    for (let row = 0; row < rows; row++) visit(table, row, inFile++);
  }
}

test('CSV has the contract names, every value back bit for bit, and empty cells for misses', async () => {
  const lines = readFileSync(await exportAs('csv'), 'utf8').split('\n');
  expect(lines[0]).toBe(
    'time_ns,pulse,ring,azimuth_rad,elevation_rad,return_no,n_returns,range_m,intensity,beam_share,' +
      'x_m,y_m,z_m,object_id,class,incidence_rad,range_clean_m,true_range_m',
  );
  expect(lines).toHaveLength(5700 + 2);
  expect(lines.at(-1)).toBe('');
  forEachRow((table, row, inFile) => {
    const cells = lines[inFile + 1]?.split(',') ?? [];
    for (const [index, name] of defaultScanColumns.entries()) {
      const value = table[name]?.[row];
      const cell = cells[index] ?? '';
      const isMiss = table.return_no?.[row] === 0;
      if (isMiss && (name === 'object_id' || name === 'class_id')) expect(cell).toBe('');
      else if (name === 'class_id') expect(cell).toBe(sampleClasses[Number(value)]);
      else if (Number.isNaN(value)) expect(cell).toBe('');
      else if (typeof value === 'bigint') expect(BigInt(cell)).toBe(value);
      else if (table[name] instanceof Float32Array) expect(Math.fround(Number(cell))).toBe(value);
      else expect(Number(cell)).toBe(value);
    }
  });
});

test('the digits of CSV bring back every kind of 32-bit number', () => {
  const random = seededRandom(3);
  const bits = Uint32Array.from({ length: 20_000 }, () => random() * 2 ** 32);
  for (const value of new Float32Array(bits.buffer)) {
    const text = formatFloat32(value);
    if (Number.isNaN(value)) expect(text).toBe('');
    else expect(Math.fround(Number(text))).toBe(value);
  }
  expect(formatFloat32(Math.fround(0.1))).toBe('0.1');
  expect(formatFloat32(12)).toBe('12');
});

test('PCD 0.7 binary: header, counts and values', async () => {
  const bytes = readFileSync(await exportAs('pcd'));
  const dataAt = bytes.indexOf('DATA binary\n') + 'DATA binary\n'.length;
  const header = new Map(
    bytes
      .toString('latin1', 0, dataAt)
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.split(' ')[0] ?? '', line.split(' ').slice(1)]),
  );
  expect([...header.keys()]).toEqual([
    'VERSION',
    'FIELDS',
    'SIZE',
    'TYPE',
    'COUNT',
    'WIDTH',
    'HEIGHT',
    'VIEWPOINT',
    'POINTS',
    'DATA',
  ]);
  expect(header.get('VIEWPOINT')).toEqual(['0', '0', '0', '1', '0', '0', '0']);
  expect(header.get('POINTS')).toEqual(['5700']);
  expect(header.get('WIDTH')).toEqual(['5700']);
  const kinds = header.get('TYPE')?.map((type, i) => type + (header.get('SIZE')?.[i] ?? '')) ?? [];
  checkRows(bytes.subarray(dataAt), header.get('FIELDS') ?? [], kinds);
});

test('PLY binary little-endian: header, counts and values', async () => {
  const bytes = readFileSync(await exportAs('ply'));
  const dataAt = bytes.indexOf('end_header\n') + 'end_header\n'.length;
  const lines = bytes.toString('latin1', 0, dataAt).split('\n');
  expect(lines.slice(0, 2)).toEqual(['ply', 'format binary_little_endian 1.0']);
  expect(lines).toContain('comment class_id 1: grass');
  expect(lines).toContain('element vertex 5700');
  const properties = lines.filter((line) => line.startsWith('property ')).map((l) => l.split(' '));
  const kinds: Record<string, string> = {
    uchar: 'U1',
    uint16: 'U2',
    int: 'U4',
    float: 'F4',
    double: 'F8',
  };
  checkRows(
    bytes.subarray(dataAt),
    properties.map((property) => property[2] ?? ''),
    properties.map((property) => kinds[property[1] ?? ''] ?? ''),
  );
});

test('a PCD file of a sensor at rest has its pose as viewpoint', async () => {
  const file = join(temporaryFolder(), 'cloud.pcd');
  const exporter = await createExporters({ dataFolder: null }).create(file, {
    format: 'pcd',
    columns: ['x_m', 'y_m', 'z_m'],
    classes: [],
    isReplacing: false,
    viewpoint: { positionM: [1.5, -2, 0.25], rotation: [0, 0, 0.6, 0.8] },
  });
  await exporter.close();
  expect(readFileSync(file, 'latin1')).toContain('\nVIEWPOINT 1.5 -2 0.25 0.8 0 0 0.6\n');
});

test('an export of chosen columns has those alone', async () => {
  const lines = readFileSync(await exportAs('csv', ['z_m', 'pulse']), 'utf8').split('\n');
  expect(lines[0]).toBe('z_m,pulse');
  expect(lines[1]).toBe(',5000000000');
});

test('rows of several sensors say which they are from', async () => {
  const folder = temporaryFolder();
  const columns: ReturnColumnName[] = ['pulse', 'x_m'];
  const options = { columns, classes: [], sensors: ['roof', 'front, left'], isReplacing: false };
  const table = { pulse: BigUint64Array.of(7n, 8n), x_m: Float32Array.of(0.5, -2) };
  for (const format of ['csv', 'pcd', 'ply'] as const) {
    const file = join(folder, `cloud.${format}`);
    const exporter = await createExporters({ dataFolder: null }).create(file, {
      ...options,
      format,
    });
    await exporter.write(table, 2, 1);
    await exporter.write(table, 1, 0);
    await exporter.close();
  }
  const read = (format: string): Buffer => readFileSync(join(folder, `cloud.${format}`));
  expect(read('csv').toString()).toBe(
    'pulse,x_m,sensor\n7,0.5,"front, left"\n8,-2,"front, left"\n7,0.5,roof\n',
  );
  // x, pulse, sensor: f32, f64, u16.
  const stride = 4 + 8 + 2;
  for (const [format, end, comment] of [
    ['pcd', 'DATA binary\n', '#'],
    ['ply', 'end_header\n', 'comment'],
  ] as const) {
    const bytes = read(format);
    const dataAt = bytes.indexOf(end) + end.length;
    const header = bytes.toString('latin1', 0, dataAt);
    expect(header).toContain(`${comment} sensor 0: roof\n${comment} sensor 1: front, left\n`);
    const data = bytes.subarray(dataAt);
    expect(data).toHaveLength(3 * stride);
    expect([0, 1, 2].map((row) => data.readUInt16LE(row * stride + 12))).toEqual([1, 1, 0]);
    expect([0, 1, 2].map((row) => data.readDoubleLE(row * stride + 4))).toEqual([7, 8, 7]);
    expect([0, 1, 2].map((row) => data.readFloatLE(row * stride))).toEqual([0.5, -2, 0.5]);
  }
});

const plyOptions = {
  format: 'ply' as const,
  columns: defaultScanColumns,
  classes: sampleClasses,
};

test('a cancelled export leaves the earlier file', async () => {
  const file = await exportAs('ply');
  const before = readFileSync(file);
  const exporter = await createExporters({ dataFolder: null }).create(file, {
    ...plyOptions,
    isReplacing: true,
  });
  await exporter.write(pieces[0]?.table ?? {}, 700);
  await exporter.abort();
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dirname(file))).toEqual(['cloud.ply']);
});

test('a file that is there is replaced only where that was asked for', async () => {
  const file = await exportAs('ply');
  const before = readFileSync(file);
  const exporters = createExporters({ dataFolder: null });
  const refused = exporters.create(file, { ...plyOptions, isReplacing: false });
  await expect(refused).rejects.toMatchObject({
    code: 'bad-input',
    message: `there is '${file}' already`,
    details: { reason: 'exists', existing: { bytes: before.length } },
  });
  expect(readFileSync(file).equals(before)).toBe(true);
  expect(readdirSync(dirname(file))).toEqual(['cloud.ply']);
  const exporter = await exporters.create(file, { ...plyOptions, isReplacing: true });
  await exporter.write(pieces[0]?.table ?? {}, 700);
  await exporter.close();
  expect(statSync(file).size).toBeLessThan(before.length);
});

test('a file that came while it was written is not replaced either', async () => {
  const file = join(temporaryFolder(), 'cloud.ply');
  const exporter = await createExporters({ dataFolder: null }).create(file, {
    ...plyOptions,
    isReplacing: false,
  });
  writeFileSync(file, 'of another');
  await expect(exporter.close()).rejects.toMatchObject({ details: { reason: 'exists' } });
  await exporter.abort();
  expect(readFileSync(file, 'utf8')).toBe('of another');
  expect(readdirSync(dirname(file))).toEqual(['cloud.ply']);
});

test('two exports at once do not share a file', async () => {
  const file = join(temporaryFolder(), 'cloud.ply');
  const exporters = createExporters({ dataFolder: null });
  const create = (isReplacing: boolean) => exporters.create(file, { ...plyOptions, isReplacing });
  const [first, second, third] = [await create(false), await create(false), await create(true)];
  for (const exporter of [first, second, third]) {
    await exporter.write(pieces[0]?.table ?? {}, 700);
  }
  expect((await first.close()).points).toBe(700);
  const whole = readFileSync(file);
  await expect(second.close()).rejects.toMatchObject({ details: { reason: 'exists' } });
  await second.abort();
  expect(readFileSync(file).equals(whole)).toBe(true);
  await third.close();
  expect(readFileSync(file).equals(whole)).toBe(true);
  expect(readdirSync(dirname(file))).toEqual(['cloud.ply']);
});

test.each([
  ['a/b/cloud.ply', 'not-found', "there is no folder 'HERE/a': make it, or choose another"],
  ['', 'bad-input', "'HERE' is a folder: add the name of a file"],
])(
  'a target that cannot be written is refused before the work: %s',
  async (name, code, message) => {
    const folder = temporaryFolder();
    const file = name === '' ? folder : join(folder, name);
    const refused = createExporters({ dataFolder: null }).create(file, {
      ...plyOptions,
      isReplacing: true,
    });
    await expect(refused).rejects.toMatchObject({ code, message: message.replace('HERE', folder) });
    const relative = createExporters({ dataFolder: null }).create('cloud.ply', {
      ...plyOptions,
      isReplacing: true,
    });
    await expect(relative).rejects.toMatchObject({ details: { reason: 'relative' } });
    expect(existsSync('cloud.ply.part')).toBe(false);
  },
);

function checkRows(data: Buffer, names: string[], kinds: string[]): void {
  const sizes = kinds.map((kind) => Number(kind[1]));
  const stride = sizes.reduce((sum, size) => sum + size, 0);
  expect(data).toHaveLength(stride * 5700);
  expect(names.slice(0, 3)).toEqual(['x', 'y', 'z']);
  const columns = names.map((name) => (/^[xyz]$/.test(name) ? `${name}_m` : name));
  expect([...columns].sort()).toEqual([...defaultScanColumns].sort());
  forEachRow((table, row, inFile) => {
    let at = inFile * stride;
    for (const [index, column] of columns.entries()) {
      const kind = kinds[index];
      const value =
        kind === 'F4'
          ? data.readFloatLE(at)
          : kind === 'F8'
            ? data.readDoubleLE(at)
            : data.readUIntLE(at, sizes[index] ?? 1);
      expect(value).toEqual(Number(table[column as ReturnColumnName]?.[row]));
      at += sizes[index] ?? NaN;
    }
  });
}
