// Files of points and poses as other programs write them: KITTI sequences, TUM trajectories, PCD and PLY, after the
// descriptions of their formats. Nothing of the product's own writers is used.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Pose } from '#contract/host/run.ts';

/** A sequence of KITTI odometry. `poses`: worldFromSensor of each frame; `frames`: points in the sensor's frame. */
export function writeKitti(
  folder: string,
  poses: readonly Pose[],
  frames: readonly (readonly (readonly [number, number, number, number])[])[],
  timesS: readonly number[],
): void {
  mkdirSync(join(folder, 'velodyne'), { recursive: true });
  for (const [frame, points] of frames.entries()) {
    const bytes = new Uint8Array(new Float32Array(points.flat()).buffer);
    writeFileSync(join(folder, 'velodyne', `${String(frame).padStart(6, '0')}.bin`), bytes);
  }
  // cameraFromSensor of the benchmark, rounded: x right, y down, z ahead, 8 cm above and 27 cm behind.
  const tr = [
    [0, -1, 0, 0],
    [0, 0, -1, -0.08],
    [1, 0, 0, -0.27],
  ];
  const text = (rows: readonly (readonly number[])[]): string => rows.flat().join(' ');
  writeFileSync(join(folder, 'calib.txt'), `P0: 1 0 0 0 0 1 0 0 0 0 1 0\nTr: ${text(tr)}\n`);
  const back = inverse(tr);
  const lines = poses.map((pose) => text(product(product(tr, matrixOf(pose)), back)));
  writeFileSync(join(folder, 'poses.txt'), `${lines.join('\n')}\n`);
  writeFileSync(join(folder, 'times.txt'), `${timesS.join('\n')}\n`);
}

type Rows = readonly (readonly number[])[];

function matrixOf({ positionM, rotation: [x, y, z, w] }: Pose): Rows {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w), positionM[0]],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w), positionM[1]],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y), positionM[2]],
  ];
}

function product(a: Rows, b: Rows): Rows {
  return a.map((row) =>
    [0, 1, 2, 3].map((column) => {
      const sum = [0, 1, 2].reduce((s, k) => s + (row[k] ?? 0) * (b[k]?.[column] ?? 0), 0);
      return sum + (column === 3 ? (row[3] ?? 0) : 0);
    }),
  );
}

function inverse(rows: Rows): Rows {
  return [0, 1, 2].map((axis) => {
    const column = rows.map((row) => row[axis] ?? 0);
    const shift = -rows.reduce((sum, row, k) => sum + (column[k] ?? 0) * (row[3] ?? 0), 0);
    return [...column, shift];
  });
}

/** TUM lines. `offsetNs` is added to times. */
export function tumText(
  timesNs: readonly number[],
  poseAt: (timeNs: number) => Pose,
  offsetNs = 0n,
): string {
  const lines = timesNs.map((timeNs) => {
    const { positionM, rotation } = poseAt(timeNs);
    const at = offsetNs + BigInt(timeNs);
    const seconds = `${at / 1_000_000_000n}.${String(at % 1_000_000_000n).padStart(9, '0')}`;
    return [seconds, ...positionM, ...rotation].join(' ');
  });
  return `${lines.join('\n')}\n`;
}

/** Rows of a point file: name, bytes of its type, value. */
export type PointColumn = [name: string, type: 'f4' | 'f8' | 'u2', values: readonly number[]];

function rowsOf(columns: readonly PointColumn[], isLittle = true): Uint8Array {
  const sizes = { f4: 4, f8: 8, u2: 2 };
  const step = columns.reduce((sum, [, type]) => sum + sizes[type], 0);
  const rows = columns[0]?.[2].length ?? 0;
  const view = new DataView(new ArrayBuffer(step * rows));
  let offset = 0;
  for (const [, type, values] of columns) {
    for (const [row, value] of values.entries()) {
      const at = row * step + offset;
      if (type === 'f4') view.setFloat32(at, value, isLittle);
      else if (type === 'f8') view.setFloat64(at, value, isLittle);
      else view.setUint16(at, value, isLittle);
    }
    offset += sizes[type];
  }
  return new Uint8Array(view.buffer);
}

/** PCD 0.7, binary; compressed as PCL's writer has it: field by field, by LZF. */
export function writePcd(
  file: string,
  columns: readonly PointColumn[],
  isCompressed = false,
): void {
  const rows = columns[0]?.[2].length ?? 0;
  const of = (value: (column: PointColumn) => unknown): string => columns.map(value).join(' ');
  const head = [
    '# .PCD v.7 - Point Cloud Data file format',
    'VERSION .7',
    `FIELDS ${of(([name]) => name)}`,
    `SIZE ${of(([, type]) => type[1])}`,
    `TYPE ${of(([, type]) => (type === 'u2' ? 'U' : 'F'))}`,
    `COUNT ${of(() => 1)}`,
    `WIDTH ${rows}`,
    'HEIGHT 1',
    'VIEWPOINT 0 0 0 1 0 0 0',
    `POINTS ${rows}`,
    isCompressed ? 'DATA binary_compressed\n' : 'DATA binary\n',
  ];
  const data = isCompressed ? compressedFields(columns) : rowsOf(columns);
  writeFileSync(file, Buffer.concat([Buffer.from(head.join('\n')), data]));
}

function compressedFields(columns: readonly PointColumn[]): Uint8Array {
  const content = Buffer.concat(columns.map((column) => rowsOf([column])));
  const packed = packedLzf(content);
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(packed.length, 0);
  sizes.writeUInt32LE(content.length, 4);
  return Buffer.concat([sizes, packed]);
}

/** LZF (liblzf): literals of up to 32 bytes, references of 3 to 264 bytes up to 8 KiB back. */
export function packedLzf(content: Uint8Array): Buffer {
  const parts: Buffer[] = [];
  const places = new Map<number, number>();
  let literals: number[] = [];
  const endLiterals = (): void => {
    if (literals.length > 0) parts.push(Buffer.from([literals.length - 1, ...literals]));
    literals = [];
  };
  for (let at = 0; at < content.length;) {
    const [a = 0, b = 0, c = -1] = content.subarray(at, at + 3);
    const key = c < 0 ? -1 : (a << 16) | (b << 8) | c;
    const known = places.get(key);
    if (key >= 0) places.set(key, at);
    if (known === undefined || at - known > 8192) {
      literals.push(a);
      if (literals.length === 32) endLiterals();
      at += 1;
      continue;
    }
    endLiterals();
    let length = 3;
    while (
      length < 264 &&
      at + length < content.length &&
      content[known + length] === content[at + length]
    )
      length++;
    const back = at - known - 1;
    const short = length - 2;
    const high = back >> 8;
    parts.push(
      Buffer.from(
        short < 7 ? [(short << 5) | high, back & 255] : [(7 << 5) | high, short - 7, back & 255],
      ),
    );
    at += length;
  }
  endLiterals();
  return Buffer.concat(parts);
}

/** PLY 1.0, binary. */
export function writePly(file: string, columns: readonly PointColumn[], isLittle = true): void {
  const types = { f4: 'float', f8: 'double', u2: 'ushort' };
  const head = [
    'ply',
    `format binary_${isLittle ? 'little' : 'big'}_endian 1.0`,
    'comment made by a test',
    `element vertex ${columns[0]?.[2].length ?? 0}`,
    ...columns.map(([name, type]) => `property ${types[type]} ${name}`),
    'end_header\n',
  ];
  writeFileSync(file, Buffer.concat([Buffer.from(head.join('\n')), rowsOf(columns, isLittle)]));
}
