// GeoTIFFs, written byte by byte (TIFF 6.0; BigTIFF; OGC 19-008), of any size where they are written by ranges: strips or
// tiles, compressed or not, with predictors, overviews and tiles without bytes.
import { deflateSync, zstdCompressSync } from 'node:zlib';
import { packLzw } from './lzw.ts';

type Type = 2 | 3 | 4 | 12 | 16;
const sizes: Record<Type, number> = { 2: 1, 3: 2, 4: 4, 12: 8, 16: 8 };

const compressions = {
  none: { code: 1, pack: (bytes: Uint8Array) => bytes },
  lzw: { code: 5, pack: packLzw },
  deflate: { code: 8, pack: (bytes: Uint8Array) => deflateSync(bytes, { level: 1 }) },
  packbits: { code: 32773, pack: packBits },
  zstd: { code: 50000, pack: (bytes: Uint8Array) => zstdCompressSync(bytes) },
};

/** Format and bits of samples, and what writes one. */
const samplesOf = {
  uint8: [1, 8, (view, at, value) => view.setUint8(at, value)],
  uint16: [1, 16, (view, at, value, isLittle) => view.setUint16(at, value, isLittle)],
  int16: [2, 16, (view, at, value, isLittle) => view.setInt16(at, value, isLittle)],
  int32: [2, 32, (view, at, value, isLittle) => view.setInt32(at, value, isLittle)],
  float16: [3, 16, (view, at, value, isLittle) => view.setFloat16(at, value, isLittle)],
  float32: [3, 32, (view, at, value, isLittle) => view.setFloat32(at, value, isLittle)],
  float64: [3, 64, (view, at, value, isLittle) => view.setFloat64(at, value, isLittle)],
} satisfies Record<
  string,
  [number, number, (view: DataView, at: number, value: number, isLittle: boolean) => void]
>;

export interface GeoTiffOptions {
  columns?: number;
  rows?: number;
  /** Distance of cells along both axes. */
  stepM?: number;
  /** Column and row of the whole image, or of an overview that has one cell for `factor` × `factor`. */
  heightAt?: (column: number, row: number, factor: number) => number;
  /** Columns and rows of a tile; left out: strips. */
  tile?: [number, number];
  rowsPerStrip?: number;
  compression?: keyof typeof compressions;
  predictor?: 1 | 2 | 3;
  sample?: keyof typeof samplesOf;
  /** Further bands hold the negative of the heights. */
  bands?: number;
  isPlanar?: boolean;
  isBigEndian?: boolean;
  isBigTiff?: boolean;
  noData?: string;
  /** Keys of GeoTIFF by number, beside a projected model. */
  geoKeys?: Readonly<Record<number, number>>;
  /** Cells of the image for one of an overview. */
  overviews?: number[];
  /** Tiles, or strips with x = 0, that have no bytes. */
  isSparse?: (x: number, y: number, factor: number) => boolean;
}

/** The first corner is at 500000, 5400000 of EPSG:25832; heights rise by an eighth of a metre from cell to cell. */
export function geoTiff(options: GeoTiffOptions = {}): Uint8Array<ArrayBuffer> {
  let bytes = new Uint8Array(2 ** 16);
  let end = 0;
  writeGeoTiff(options, (at, part) => {
    if (at + part.length > bytes.length) {
      const longer = new Uint8Array(2 * (at + part.length));
      longer.set(bytes);
      bytes = longer;
    }
    bytes.set(part, at);
    end = Math.max(end, at + part.length);
  });
  return bytes.slice(0, end);
}

/** As geoTiff, part by part. @param put writes bytes at a place of the file, which may have a gap before it */
export function writeGeoTiff(
  options: GeoTiffOptions,
  put: (at: number, bytes: Uint8Array) => void,
): void {
  const { columns = 16, rows = 16, overviews = [] } = options;
  const isLittle = options.isBigEndian !== true;
  const isBig = options.isBigTiff === true;
  const word: Type = isBig ? 16 : 4;
  const head = new DataView(new ArrayBuffer(isBig ? 16 : 8));
  head.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
  head.setUint16(2, isBig ? 43 : 42, isLittle);
  if (isBig) head.setUint16(4, 8, isLittle);
  let end = head.byteLength;
  let linkAt = isBig ? 8 : 4;
  const append = (bytes: Uint8Array): number => {
    const at = end;
    put(at, bytes);
    end += bytes.length + (bytes.length % 2);
    return at;
  };
  put(0, new Uint8Array(head.buffer));
  for (const factor of [1, ...overviews]) {
    const size = { columns: Math.ceil(columns / factor), rows: Math.ceil(rows / factor) };
    const tags = [
      ...writeImage({ ...options, ...size }, factor, isLittle, append),
      ...(factor === 1 ? placeTags(options) : [[254, 4, [1]] satisfies Tag]),
    ].sort(([a], [b]) => a - b);
    const values = tags.map(([, type, list]) => {
      if (list.length * sizes[type] <= sizes[word]) return null;
      return append(encoded(type, list, isLittle));
    });
    const entryBytes = isBig ? 20 : 12;
    const countBytes = isBig ? 8 : 2;
    const view = new DataView(new ArrayBuffer(countBytes + tags.length * entryBytes + sizes[word]));
    if (isBig) view.setBigUint64(0, BigInt(tags.length), isLittle);
    else view.setUint16(0, tags.length, isLittle);
    for (const [index, [tag, type, list]] of tags.entries()) {
      const at = countBytes + index * entryBytes;
      view.setUint16(at, tag, isLittle);
      view.setUint16(at + 2, type, isLittle);
      set(view, at + 4, word, list.length, isLittle);
      const valueAt = at + 4 + sizes[word];
      const place = values[index] ?? null;
      if (place !== null) set(view, valueAt, word, place, isLittle);
      else new Uint8Array(view.buffer).set(encoded(type, list, isLittle), valueAt);
    }
    put(linkAt, encoded(word, [append(new Uint8Array(view.buffer))], isLittle));
    linkAt = end - sizes[word] - (view.byteLength % 2);
  }
}

type Tag = [tag: number, type: Type, values: number[]];

function placeTags({ stepM = 1, noData, geoKeys = { 3072: 25832 } }: GeoTiffOptions): Tag[] {
  const keys = Object.entries({ 1024: 1, ...geoKeys }).map(([key, value]) => [
    Number(key),
    0,
    1,
    value,
  ]);
  const letters = [...(noData ?? ''), '\0'].map((letter) => letter.charCodeAt(0));
  return [
    [33550, 12, [stepM, stepM, 0]],
    [33922, 12, [0, 0, 0, 500000, 5400000, 0]],
    [34735, 3, [1, 1, 0, keys.length, ...keys.flat()]],
    ...(noData === undefined ? [] : [[42113, 2, letters] satisfies Tag]),
  ];
}

/** Writes the tiles or strips of an image and gives the tags that describe it. */
function writeImage(
  options: GeoTiffOptions & { columns: number; rows: number },
  factor: number,
  isLittle: boolean,
  append: (bytes: Uint8Array) => number,
): Tag[] {
  const { columns, rows, tile, bands = 1, isPlanar = false, predictor = 1 } = options;
  const heightAt = options.heightAt ?? ((column, row) => (row * columns + column) / 8);
  const [format, bits, setSample] = samplesOf[options.sample ?? 'float32'];
  const { code, pack } = compressions[options.compression ?? 'none'];
  const [width, height] = tile ?? [columns, Math.min(options.rowsPerStrip ?? rows, rows)];
  const across = Math.ceil(columns / width);
  const down = Math.ceil(rows / height);
  const side = isPlanar ? 1 : bands;
  const offsets: number[] = [];
  const counts: number[] = [];
  for (let plane = 0; plane < (isPlanar ? bands : 1); plane += 1) {
    for (let number = 0; number < across * down; number += 1) {
      const [x, y] = [number % across, Math.floor(number / across)];
      const isEmpty = options.isSparse?.(x, y, factor) === true;
      const lines = tile ? height : Math.min(height, rows - y * height);
      const packed = isEmpty ? new Uint8Array(0) : pack(samples(x, y, plane, lines));
      counts.push(packed.length);
      offsets.push(isEmpty ? 0 : append(packed));
    }
  }
  const word: Type = options.isBigTiff === true ? 16 : 4;
  return [
    [256, 4, [columns]],
    [257, 4, [rows]],
    [258, 3, new Array<number>(bands).fill(bits)],
    [259, 3, [code]],
    [262, 3, [1]],
    [tile ? 324 : 273, word, offsets],
    [277, 3, [bands]],
    [tile ? 325 : 279, word, counts],
    [284, 3, [isPlanar ? 2 : 1]],
    [317, 3, [predictor]],
    [339, 3, new Array<number>(bands).fill(format)],
    ...(tile
      ? [[322, 4, [width]] satisfies Tag, [323, 4, [height]] satisfies Tag]
      : [[278, 4, [height]] satisfies Tag]),
  ];

  function samples(x: number, y: number, plane: number, lines: number): Uint8Array {
    const size = bits / 8;
    const bytes = new Uint8Array(width * lines * side * size);
    const view = new DataView(bytes.buffer);
    for (let cell = 0; cell < width * lines; cell += 1) {
      const column = x * width + (cell % width);
      const row = y * height + Math.floor(cell / width);
      const isIn = column < columns && row < rows;
      for (let band = 0; band < side; band += 1) {
        const sign = band + plane === 0 ? 1 : -1;
        const at = (cell * side + band) * size;
        setSample(view, at, isIn ? sign * heightAt(column, row, factor) : 0, isLittle);
      }
    }
    const rowBytes = width * side * size;
    for (let at = 0; predictor !== 1 && at < bytes.length; at += rowBytes) {
      const row = bytes.subarray(at, at + rowBytes);
      if (predictor === 2) subtractNeighbours(row, { size, stride: side, isLittle });
      else splitPlanes(row, { size, stride: side, isLittle });
    }
    return bytes;
  }
}

interface RowLayout {
  /** Bytes of a sample. */
  size: number;
  /** Samples of a cell. */
  stride: number;
  isLittle: boolean;
}

/** TIFF 6.0, section 14. */
function subtractNeighbours(row: Uint8Array, { size, stride, isLittle }: RowLayout): void {
  const view = new DataView(row.buffer, row.byteOffset, row.length);
  const [read, write] = {
    1: [(at: number) => view.getUint8(at), (at: number, value: number) => view.setUint8(at, value)],
    2: [
      (at: number) => view.getUint16(at, isLittle),
      (at: number, value: number) => view.setUint16(at, value, isLittle),
    ],
    4: [
      (at: number) => view.getUint32(at, isLittle),
      (at: number, value: number) => view.setUint32(at, value, isLittle),
    ],
  }[size as 1 | 2 | 4] as [(at: number) => number, (at: number, value: number) => void];
  for (let at = row.length - size; at >= stride * size; at -= size) {
    write(at, read(at) - read(at - stride * size));
  }
}

/** Adobe Photoshop TIFF technical note 3: bytes by significance, the most significant first, then their differences. */
function splitPlanes(row: Uint8Array, { size, stride, isLittle }: RowLayout): void {
  const whole = row.slice();
  const count = row.length / size;
  for (let sample = 0; sample < count; sample += 1) {
    for (let byte = 0; byte < size; byte += 1) {
      const from = sample * size + (isLittle ? size - 1 - byte : byte);
      row[byte * count + sample] = whole[from] ?? 0;
    }
  }
  for (let at = row.length - 1; at >= stride; at -= 1) {
    row[at] = (row[at] ?? 0) - (row[at - stride] ?? 0);
  }
}

/** Runs of equal bytes, and copies of one or two. */
function packBits(bytes: Uint8Array): Uint8Array {
  const parts: number[] = [];
  for (let at = 0; at < bytes.length;) {
    let equal = 1;
    while (equal < 128 && bytes[at + equal] === bytes[at]) equal += 1;
    if (equal > 2) parts.push(257 - equal, bytes[at] ?? 0);
    else parts.push(equal - 1, ...bytes.subarray(at, at + equal));
    at += equal;
  }
  return Uint8Array.from(parts);
}

function encoded(type: Type, values: readonly number[], isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * sizes[type]));
  for (const [index, value] of values.entries()) {
    set(view, index * sizes[type], type, value, isLittle);
  }
  return new Uint8Array(view.buffer);
}

function set(view: DataView, at: number, type: Type, value: number, isLittle: boolean): void {
  if (type === 2) view.setUint8(at, value);
  else if (type === 3) view.setUint16(at, value, isLittle);
  else if (type === 4) view.setUint32(at, value, isLittle);
  else if (type === 12) view.setFloat64(at, value, isLittle);
  else view.setBigUint64(at, BigInt(value), isLittle);
}
