// GeoTIFFs of single-precision heights, little-endian, written byte by byte (TIFF 6.0, OGC 19-008).
import { deflateSync } from 'node:zlib';

type Type = 3 | 4 | 12;
const sizes: Record<Type, number> = { 3: 2, 4: 4, 12: 8 };

export interface GeoTiffOptions {
  columns?: number;
  rows?: number;
  /** By row from the north; default: an eighth of a metre more from cell to cell. */
  heights?: Float32Array<ArrayBuffer>;
  /** One tile instead of one strip. */
  isTiled?: boolean;
  isDeflated?: boolean;
}

/** A file of one strip or tile, its first corner at 500000, 5400000 of EPSG:25832, cells of a metre. */
export function geoTiff({
  columns = 16,
  rows = 16,
  heights = new Float32Array(columns * rows).map((_, at) => at / 8),
  isTiled = false,
  isDeflated = false,
}: GeoTiffOptions): Uint8Array<ArrayBuffer> {
  const plain = new Uint8Array(heights.buffer);
  const content = isDeflated ? deflateSync(plain) : plain;
  const place: [tag: number, type: Type, values: number[]][] = isTiled
    ? [
        [322, 4, [columns]],
        [323, 4, [rows]],
        [324, 4, [8]],
        [325, 4, [content.length]],
      ]
    : [
        [273, 4, [8]],
        [278, 4, [rows]],
        [279, 4, [content.length]],
      ];
  const entries: typeof place = [
    [256, 4, [columns]],
    [257, 4, [rows]],
    [258, 3, [32]],
    [259, 3, [isDeflated ? 8 : 1]],
    [262, 3, [1]],
    [277, 3, [1]],
    [339, 3, [3]],
    [33550, 12, [1, 1, 0]],
    [33922, 12, [0, 0, 0, 500000, 5400000, 0]],
    [34735, 3, [1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 25832]],
    ...place,
  ];
  entries.sort(([a], [b]) => a - b);
  const directoryAt = 8 + content.length + (content.length % 2);
  let valuesAt = directoryAt + 2 + 12 * entries.length + 4;
  const bytes = new Uint8Array(valuesAt + 512);
  const view = new DataView(bytes.buffer);
  const put = (at: number, type: Type, value: number): void => {
    if (type === 3) view.setUint16(at, value, true);
    else if (type === 4) view.setUint32(at, value, true);
    else view.setFloat64(at, value, true);
  };
  bytes.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, directoryAt, true);
  bytes.set(content, 8);
  view.setUint16(directoryAt, entries.length, true);
  for (const [row, [tag, type, values]] of entries.entries()) {
    const at = directoryAt + 2 + 12 * row;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, values.length, true);
    const size = sizes[type];
    const from = values.length * size <= 4 ? at + 8 : valuesAt;
    if (from === valuesAt) {
      view.setUint32(at + 8, valuesAt, true);
      valuesAt += values.length * size;
    }
    for (const [index, value] of values.entries()) put(from + index * size, type, value);
  }
  return bytes.slice(0, valuesAt);
}
