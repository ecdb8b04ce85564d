// Writes the golden log: `node test/recordings/log/writeGolden.ts`. Run once; the file is kept, and both languages read
// it. Why bytes are laid out here by hand, after LOG.md: a file made by the code under test would agree with its
// mistakes.
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { constants, zstdCompressSync } from 'node:zlib';
import { goldenBytes } from '#test/wire/writeGolden.ts';
import type { GoldenColumn } from '#test/wire/goldenFrames.ts';

/** The head, as its JSON. */
export const goldenHead = {
  format: 1,
  understoryVersion: '0.1.0',
  source: 'csv',
  derived: ['laser'],
  originM: [500_000, 5_400_000, 100],
  crs: 'EPSG:32632',
  columns: [
    ...['time_ns', 'sweep', 'laser', 'state', 'range_m', 'intensity', 'azimuth_rad'],
    ...['origin_x_m', 'origin_y_m', 'origin_z_m', 'direction_x', 'direction_y', 'direction_z'],
    'label',
  ],
  classes: ['ground', 'tree'],
  sensor: {
    name: 'three lasers',
    lasers: 3,
    elevationsRad: [-0.25, 0, 0.25],
    minM: 0.5,
    maxM: 100,
    rangeStepM: 0.002,
    azimuthStepRad: null,
    firingsPerTurn: null,
    turnsPerS: 10,
    recipe: null,
  },
  intensityOfWhite: 255,
  misses: 'recorded',
  returns: 'strongest',
  cuts: { azimuthDeg: [-95, 95], rangeM: null, bodyM: null },
};

type Types = Record<string, GoldenColumn['type']>;
const types: Types = {
  time_ns: 'i64',
  sweep: 'u32',
  laser: 'u16',
  state: 'u8',
  label: 'u8',
};

/** The chunks: origins relative to originM. */
export const goldenChunks = [
  {
    originM: [12, -3, 1],
    columns: {
      time_ns: [1000, 2000, 3000, 4000],
      sweep: [0, 0, 0, 0],
      laser: [0, 1, 2, 65_535],
      state: [1, 2, 3, 0],
      range_m: [10.5, NaN, NaN, NaN],
      intensity: [128, NaN, NaN, NaN],
      azimuth_rad: [0, 0.25, -0.5, NaN],
      origin_x_m: [0, 0.125, 0.25, 0.375],
      origin_y_m: [0, 0, 0, 0],
      origin_z_m: [0.5, 0.5, 0.5, 0.5],
      direction_x: [1, 0, 0, 0.6],
      direction_y: [0, 1, 0, 0.8],
      direction_z: [0, 0, 1, 0],
      label: [2, 0, 0, 0],
    },
    box: [12, -3, 1.5, 22.5, -3, 1.5],
  },
  {
    originM: [13, -3, 1],
    columns: {
      time_ns: [5000],
      sweep: [1],
      laser: [1],
      state: [1],
      range_m: [2],
      intensity: [255],
      azimuth_rad: [1.5],
      origin_x_m: [-0.5],
      origin_y_m: [0.25],
      origin_z_m: [0.5],
      direction_x: [0],
      direction_y: [0],
      direction_z: [-1],
      label: [1],
    },
    box: [12.5, -2.75, -0.5, 12.5, -2.75, 1.5],
  },
] as const;

/** Body of the summary. */
export const goldenCounts = { beams: 5, returns: 2, misses: 1, missesInferred: 1, unknown: 1 };

/** Parts that a log is laid out from; damaged ones are changed parts (damages.ts). */
export interface LogParts {
  head: object;
  chunks: { seq: number; originM: readonly number[]; columns: GoldenColumn[] }[];
  counts: object;
  /** The summary's columns, given the offsets of the chunks. */
  summary: (offsets: readonly number[]) => GoldenColumn[];
  /** Bytes behind the first chunk, behind the summary, and behind each frame within its section. */
  gaps: { chunk: number; summary: number; frame: number };
  /** Added to the first byte of the SHA-256. */
  hashOffset: number;
}

/** The parts of the golden log. */
export function goldenParts(): LogParts {
  return {
    head: goldenHead,
    chunks: goldenChunks.map(({ originM, columns }, seq) => ({
      seq,
      originM,
      columns: goldenHead.columns.map((name): GoldenColumn => {
        const values = (columns as unknown as Record<string, readonly number[]>)[name] ?? [];
        return { name, type: types[name] ?? 'f32', values: [...values] };
      }),
    })),
    counts: goldenCounts,
    summary(offsets) {
      const rows = goldenChunks.map(({ columns: { time_ns: times }, box }, index) => [
        offsets[index] ?? 0,
        times.length,
        times[0],
        times.at(-1) ?? 0,
        ...box,
      ]);
      const corners = ['min_x_m', 'min_y_m', 'min_z_m', 'max_x_m', 'max_y_m', 'max_z_m'];
      const names = ['offset', 'beams', 'from_ns', 'to_ns', ...corners];
      const rowTypes: Types = { offset: 'u64', beams: 'u32', from_ns: 'i64', to_ns: 'i64' };
      return names.map((name, column): GoldenColumn => {
        return { name, type: rowTypes[name] ?? 'f64', values: rows.map((row) => row[column] ?? 0) };
      });
    },
    gaps: { chunk: 0, summary: 0, frame: 0 },
    hashOffset: 0,
  };
}

/** The bytes of the file. */
export function goldenLog(): Buffer {
  return logOf(goldenParts());
}

/** The bytes of a log of these parts. */
export function logOf({ head, chunks, counts, summary, gaps, hashOffset }: LogParts): Buffer {
  const contents: Buffer[] = [];
  const bytes: Buffer[] = [Buffer.from('USLOG1\r\n', 'latin1')];
  const offsets: number[] = [];
  let offset = 8;
  const put = (...pieces: Buffer[]): void => {
    bytes.push(...pieces);
    offset += pieces.reduce((sum, piece) => sum + piece.length, 0);
  };
  const add = (headerJson: string, columns: GoldenColumn[]): void => {
    const content = goldenBytes({ file: '', headerJson, columns });
    const frame = zstdCompressSync(content, { params: { [constants.ZSTD_c_checksumFlag]: 1 } });
    const packed = Buffer.concat([frame, Buffer.alloc(gaps.frame)]);
    const lengths = Buffer.alloc(16);
    lengths.writeBigUInt64LE(BigInt(packed.length), 0);
    lengths.writeBigUInt64LE(BigInt(content.length), 8);
    contents.push(content);
    offsets.push(offset);
    put(lengths, packed);
  };
  add(headerOf('log.head', head, []), []);
  for (const [index, { seq, originM, columns }] of chunks.entries()) {
    add(headerOf('log.beams', { originM }, columns, seq), columns);
    if (index === 0) put(Buffer.alloc(gaps.chunk));
  }
  const table = summary(offsets.slice(1));
  add(headerOf('log.summary', counts, table), table);
  put(Buffer.alloc(gaps.summary));
  const trailer = Buffer.alloc(48);
  trailer.writeBigUInt64LE(BigInt(offsets.at(-1) ?? 0), 0);
  createHash('sha256').update(Buffer.concat(contents)).digest().copy(trailer, 8);
  trailer.writeUInt8((trailer.readUInt8(8) + hashOffset) & 255, 8);
  trailer.write('USLOGEND', 40, 'latin1');
  return Buffer.concat([...bytes, trailer]);
}

/** The values of the file, for tests in any language. JSON has no NaN: null replaces it. */
function goldenValues(): string {
  const chunks = goldenChunks.map(({ originM, columns, box }) => ({ originM, columns, box }));
  return `${JSON.stringify({ head: goldenHead, counts: goldenCounts, chunks }, null, 2)}\n`;
}

function headerOf(method: string, body: unknown, columns: GoldenColumn[], seq?: number): string {
  const named = columns.map(({ name, type, values }) => ({ name, type, count: values.length }));
  return JSON.stringify({
    kind: 'event',
    id: 0,
    method,
    ...(seq !== undefined && { seq }),
    body,
    ...(named.length > 0 && { columns: named }),
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('golden.log', import.meta.url), goldenLog());
  writeFileSync(new URL('golden.json', import.meta.url), goldenValues());
}
