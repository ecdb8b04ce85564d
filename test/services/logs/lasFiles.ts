// LAS files of every point format (ASPRS LAS specification 1.4 R15), and LAZ files with the same points that laz-perf's
// own coder made (laz/README.md). Nothing of the product's writer is used.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LasPoint {
  positionM: readonly [number, number, number];
  timeS: number;
  intensity: number;
  classification: number;
  returnNo?: number;
  returns?: number;
  isWithheld?: boolean;
  channel?: number;
  scanAngle?: number;
  userData?: number;
  sourceId?: number;
  /** Red, green, blue and near infrared. */
  colours?: readonly [number, number, number, number];
  /** Values of the Extra Bytes of the file, by name. */
  extra?: Readonly<Record<string, number>>;
}

/** A field of Extra Bytes; a scaled one has steps of 0.01 from 5 on. */
export interface LasExtra {
  name: string;
  type: 'u2' | 'f8';
  isScaled?: boolean;
}

export interface LasOptions {
  /** 0 to 10. Default: 1, in LAS 1.2; formats from 6 on are in LAS 1.4. */
  format?: number;
  extras?: readonly LasExtra[];
  /** Records of LASF_Projection: keys of GeoTIFF (34735) by number, or well-known text (2112). */
  geoKeys?: Readonly<Record<number, number>>;
  wkt?: string;
}

/** By the point format; null: it has none. */
const layout = {
  bytes: [20, 28, 26, 34, 57, 63, 30, 36, 38, 59, 67],
  time: [null, 20, null, 20, 20, 20, 22, 22, 22, 22, 22],
  colours: [null, null, 20, 28, null, 28, null, 30, 30, null, 30],
  nir: [null, null, null, null, null, null, null, null, 36, null, 36],
  waveform: [null, null, null, null, 28, 34, null, null, null, 30, 38],
} as const;

/** Steps of a millimetre from `offsetM`. */
export function writeLas(
  file: string,
  points: readonly LasPoint[],
  offsetM: readonly [number, number, number],
  options: LasOptions = {},
): void {
  writeFileSync(file, lasBytes(points, offsetM, options));
}

function lasBytes(
  points: readonly LasPoint[],
  offsetM: readonly [number, number, number],
  { format = 1, extras = [], geoKeys, wkt }: LasOptions,
): Uint8Array {
  const isLong = format >= 6;
  const headBytes = isLong ? 375 : 227;
  const list = [
    ...(extras.length > 0 ? [extraRecord(extras)] : []),
    ...(geoKeys === undefined ? [] : [projection(34735, keyDirectory(geoKeys))]),
    ...(wkt === undefined ? [] : [projection(2112, new TextEncoder().encode(`${wkt}\0`))]),
  ];
  const records = Buffer.concat(list);
  const start = headBytes + records.length;
  const plainBytes = layout.bytes[format] ?? 0;
  const step = plainBytes + extras.reduce((sum, { type }) => sum + Number(type[1]), 0);
  const bytes = new Uint8Array(start + step * points.length);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode('LASF'));
  bytes.set([1, isLong ? 4 : 2], 24);
  view.setUint16(94, headBytes, true);
  view.setUint32(96, start, true);
  view.setUint32(100, list.length, true);
  view.setUint8(104, format);
  view.setUint16(105, step, true);
  if (isLong) view.setBigUint64(247, BigInt(points.length), true);
  else view.setUint32(107, points.length, true);
  for (const [axis, m] of offsetM.entries()) {
    view.setFloat64(131 + 8 * axis, 0.001, true);
    view.setFloat64(155 + 8 * axis, m, true);
  }
  bytes.set(records, headBytes);
  for (const [row, point] of points.entries()) {
    const at = start + step * row;
    const pointView = new DataView(bytes.buffer, at, step);
    for (const [axis, m] of point.positionM.entries()) {
      pointView.setInt32(4 * axis, Math.round((m - (offsetM[axis] ?? 0)) * 1000), true);
    }
    pointView.setUint16(12, point.intensity, true);
    if (isLong) setLongFlags(pointView, point);
    else setShortFlags(pointView, point);
    setByFormat(pointView, point, format, row);
    setExtras(pointView, point, extras, plainBytes);
  }
  return bytes;
}

function setShortFlags(view: DataView, point: LasPoint): void {
  view.setUint8(14, (point.returnNo ?? 1) | ((point.returns ?? 1) << 3));
  view.setUint8(15, point.classification | (point.isWithheld === true ? 128 : 0));
  view.setInt8(16, point.scanAngle ?? 0);
  view.setUint8(17, point.userData ?? 0);
  view.setUint16(18, point.sourceId ?? 0, true);
}

function setLongFlags(view: DataView, point: LasPoint): void {
  view.setUint8(14, (point.returnNo ?? 1) | ((point.returns ?? 1) << 4));
  view.setUint8(15, (point.isWithheld === true ? 4 : 0) | ((point.channel ?? 0) << 4));
  view.setUint8(16, point.classification);
  view.setUint8(17, point.userData ?? 0);
  view.setInt16(18, point.scanAngle ?? 0, true);
  view.setUint16(20, point.sourceId ?? 0, true);
}

function setByFormat(view: DataView, point: LasPoint, format: number, row: number): void {
  const { time, colours, nir, waveform } = layout;
  const [timeAt, coloursAt, nirAt, waveformAt] = [time, colours, nir, waveform].map(
    (offsets) => offsets[format] ?? null,
  );
  if (typeof timeAt === 'number') view.setFloat64(timeAt, point.timeS, true);
  for (const [index, value] of (point.colours ?? []).entries()) {
    const at = index < 3 ? coloursAt : nirAt;
    if (typeof at === 'number') view.setUint16(at + 2 * (index % 3), value, true);
  }
  if (typeof waveformAt !== 'number') return;
  // Descriptor 1, packets of 64 bytes one behind the other, and where the return is in its packet.
  view.setUint8(waveformAt, 1);
  view.setBigUint64(waveformAt + 1, BigInt(60 + 64 * row), true);
  view.setUint32(waveformAt + 9, 64, true);
  view.setFloat32(waveformAt + 13, 1000, true);
}

function setExtras(
  view: DataView,
  { extra = {} }: LasPoint,
  extras: readonly LasExtra[],
  plainBytes: number,
): void {
  let at = plainBytes;
  for (const { name, type } of extras) {
    if (type === 'u2') view.setUint16(at, extra[name] ?? 0, true);
    else view.setFloat64(at, extra[name] ?? 0, true);
    at += Number(type[1]);
  }
}

function keyDirectory(keys: Readonly<Record<number, number>>): Uint8Array {
  const entries = Object.entries(keys).flatMap(([key, value]) => [Number(key), 0, 1, value]);
  return new Uint8Array(Uint16Array.from([1, 1, 0, entries.length / 4, ...entries]).buffer);
}

function projection(id: number, content: Uint8Array): Uint8Array {
  const record = new Uint8Array(54 + content.length);
  const view = new DataView(record.buffer);
  record.set(new TextEncoder().encode('LASF_Projection'), 2);
  view.setUint16(18, id, true);
  view.setUint16(20, content.length, true);
  record.set(content, 54);
  return record;
}

/** LASF_Spec 4 (table 24). */
function extraRecord(extras: readonly LasExtra[]): Uint8Array {
  const record = new Uint8Array(54 + 192 * extras.length);
  const view = new DataView(record.buffer);
  record.set(new TextEncoder().encode('LASF_Spec'), 2);
  view.setUint16(18, 4, true);
  view.setUint16(20, 192 * extras.length, true);
  for (const [index, { name, type, isScaled = false }] of extras.entries()) {
    const at = 54 + 192 * index;
    record.set([type === 'u2' ? 3 : 10, isScaled ? 8 | 16 : 0], at + 2);
    record.set(new TextEncoder().encode(name), at + 4);
    view.setFloat64(at + 112, 0.01, true);
    view.setFloat64(at + 136, 5, true);
  }
  return record;
}

/** A LAZ file of this folder, with the points of `sampleLas`. */
export interface LazSample {
  name: string;
  format: number;
  extras: readonly LasExtra[];
}

const amplitude: readonly LasExtra[] = [{ name: 'Amplitude', type: 'u2', isScaled: true }];
/** PDAL's names. */
const beamNames = ['Origin', 'Direction'].flatMap((part) =>
  ['X', 'Y', 'Z'].map((axis) => `Beam${part}${axis}`),
);

/** Formats 4 and 5 are not among those that laz-perf compresses. */
export const lazSamples: readonly LazSample[] = [
  ...[0, 1, 2, 3, 6, 7, 8, 9, 10].map((format) => {
    return { name: `format-${format}`, format, extras: format % 3 !== 0 ? amplitude : [] };
  }),
  { name: 'variable', format: 7, extras: [] },
  { name: 'beams', format: 6, extras: beamNames.map((name) => ({ name, type: 'f8' })) },
];

export function lazSampleFile({ name }: Pick<LazSample, 'name'>): string {
  return join(import.meta.dirname, 'laz', `${name}.laz`);
}

export const sampleOriginM = [500_000, 5_400_000, 300] as const;

/** Pulses with three returns each, from a sensor above that moves along x. */
export const samplePoints: readonly LasPoint[] = Array.from({ length: 250 }, (_, row) => {
  const pulse = Math.floor(row / 3);
  const [east, north, height] = sampleOriginM;
  const from = [east + pulse / 1000, north, height + 100];
  // Down and a little aside, in thirds: of length 1, and the same in every binary64.
  const towards = [1 / 3, pulse % 2 === 0 ? 2 / 3 : -2 / 3, -2 / 3];
  const beam = beamNames.map((name, at) => [name, [...from, ...towards][at]] as const);
  return {
    positionM: [
      east + (pulse * 50 + ((pulse * pulse * 7) % 400)) / 1000,
      north + (((pulse * 731) % 20_000) - 10_000) / 1000,
      height + ((row * 137) % 2500) / 1000,
    ],
    timeS: 1000 + pulse / 1000,
    intensity: (row * 977) % 5000,
    classification: 1 + (row % 7),
    returnNo: 1 + (row % 3),
    returns: 3,
    isWithheld: row % 50 === 49,
    channel: Math.floor(row / 60) % 3,
    scanAngle: (pulse % 41) - 20,
    userData: Math.floor(row / 100),
    sourceId: 7 + Math.floor(row / 90),
    colours: [row * 90, 65_535 - row * 40, (row * 777) % 65_536, (row * 31) % 9000],
    extra: { Amplitude: (row * 19) % 3000, ...Object.fromEntries(beam) },
  };
});

export function writeSampleLas(file: string, { format, extras }: LazSample): void {
  writeLas(file, samplePoints, sampleOriginM, { format, extras });
}
