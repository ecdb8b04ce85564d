// Rasters as GeoTIFF (TIFF 6.0; OGC 19-008): one band of 32-bit numbers, little-endian, one strip, cells as areas.
// NaN: no data, which GDAL's tag 42113 names.
import type { Raster } from '#services/ports/exporters.ts';

/** Types of fields of a directory. */
const [ascii, short, long, double] = [2, 3, 4, 12];
const bytesOf: Record<number, number> = { [ascii]: 1, [short]: 2, [long]: 4, [double]: 8 };
const headerBytes = 8;
const entryBytes = 12;
/** Values of more bytes lie behind the directory. */
const inlineBytes = 4;

interface Field {
  tag: number;
  type: number;
  values: readonly number[];
}

/** The whole file. @throws RangeError where the values are not as many as the cells */
export function encodeGeoTiff({ columns, rows, values, ...place }: Raster): Uint8Array {
  if (values.length !== columns * rows) {
    throw new RangeError(`expected ${columns * rows} values, found ${values.length}`);
  }
  const fields = fieldsOf({ columns, rows, ...place });
  const directoryBytes = 2 + entryBytes * fields.length + 4;
  let end = headerBytes + directoryBytes;
  const places = fields.map(({ type, values: of }) => {
    const bytes = of.length * (bytesOf[type] ?? 0);
    if (bytes <= inlineBytes) return null;
    const at = end + (end % 2);
    end = at + bytes;
    return at;
  });
  const stripAt = end + ((4 - (end % 4)) % 4);
  const file = new Uint8Array(stripAt + 4 * values.length);
  const view = new DataView(file.buffer);
  file.set([0x49, 0x49, 42, 0]); // II, 42
  view.setUint32(4, headerBytes, true);
  view.setUint16(headerBytes, fields.length, true);
  for (const [index, { tag, type, values: of }] of fields.entries()) {
    const at = headerBytes + 2 + entryBytes * index;
    const place = places[index] ?? null;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, of.length, true);
    if (place !== null) view.setUint32(at + 8, place, true);
    const stated = tag === stripOffsets ? [stripAt] : of;
    for (const [n, value] of stated.entries()) {
      setValue(view, (place ?? at + 8) + n * (bytesOf[type] ?? 0), type, value);
    }
  }
  for (const [cell, value] of values.entries()) view.setFloat32(stripAt + 4 * cell, value, true);
  return file;
}

const stripOffsets = 273;

/** In order of their tags. */
function fieldsOf({ columns, rows, cellM, westM, northM, epsg }: Omit<Raster, 'values'>): Field[] {
  const one = (tag: number, value: number, type = short): Field => ({ tag, type, values: [value] });
  // GTModelType projected, GTRasterType area, then the system and metres.
  const keys = [
    [1024, 0, 1, 1],
    [1025, 0, 1, 1],
    ...(epsg === null ? [] : [[3072, 0, 1, epsg]]),
    [3076, 0, 1, 9001],
  ];
  return [
    one(256, columns, long),
    one(257, rows, long),
    one(258, 32), // bits
    one(259, 1), // not compressed
    one(262, 1), // black is low
    one(stripOffsets, 0, long),
    one(277, 1), // bands
    one(278, rows, long),
    one(279, 4 * columns * rows, long),
    one(339, 3), // floating point
    { tag: 33550, type: double, values: [cellM, cellM, 0] },
    { tag: 33922, type: double, values: [0, 0, 0, westM, northM, 0] },
    { tag: 34735, type: short, values: [1, 1, 0, keys.length, ...keys.flat()] },
    { tag: 42113, type: ascii, values: [...new TextEncoder().encode('nan\0')] },
  ];
}

function setValue(view: DataView, at: number, type: number, value: number): void {
  if (type === ascii) view.setUint8(at, value);
  else if (type === short) view.setUint16(at, value, true);
  else if (type === long) view.setUint32(at, value, true);
  else view.setFloat64(at, value, true);
}
