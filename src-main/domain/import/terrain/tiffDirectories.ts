// Directories of a TIFF (TIFF 6.0, section 2; BigTIFF), read by ranges. Guarantees: no more memory is taken than for the
// values that are asked for, and no entry states more values than the file has bytes.

/** A file that is read by ranges, as Files.ranges gives it. */
export interface TiffSource {
  readonly bytes: number;
  /** So many bytes from `offset` on; fewer where the file ends before. */
  read(offset: number, length: number): Promise<Uint8Array<ArrayBuffer>>;
}

export interface TiffEntry {
  type: number;
  count: number;
  /** Where its values are in the file. */
  at: number;
}

/** One image of the file. */
export interface TiffDirectory {
  isLittle: boolean;
  entries: ReadonlyMap<number, TiffEntry>;
  /** None where the tag is missing. */
  values(tag: Tag): readonly number[];
}

/** A file that is not read, with what was expected; other errors are those of damaged files. */
export class TiffRefusal extends Error {}

/** Tags whose values describe an image; `indexOf` reads those of its tiles and strips. */
export const tags = {
  subfileType: 254,
  columns: 256,
  rows: 257,
  bitsPerSample: 258,
  compression: 259,
  samples: 277,
  rowsPerStrip: 278,
  planarConfiguration: 284,
  predictor: 317,
  tileColumns: 322,
  tileRows: 323,
  sampleFormat: 339,
  pixelScale: 33550,
  tiePoint: 33922,
  transformation: 34264,
  geoKeys: 34735,
  noData: 42113,
  lercParameters: 50674,
} as const;
export type Tag = (typeof tags)[keyof typeof tags];

/** Why a limit: directories that lead back to earlier ones have no end. */
const maxDirectories = 1000;
/** As libtiff has it. */
const maxEntries = 4096;
/** Values of one of `tags` at most: as many as there are bands. */
const maxValues = 65_536;
/** Values of an index that are read at a time. */
const pageValues = 4096;

/** @throws TiffRefusal; failures of the source as they are */
export async function readDirectories(source: TiffSource): Promise<TiffDirectory[]> {
  const head = viewOf(await source.read(0, 16));
  const order = head.byteLength < 8 ? 0 : head.getUint16(0);
  const isLittle = order === 0x4949;
  const version = head.byteLength < 8 ? 0 : head.getUint16(2, isLittle);
  const isBig = version === 43;
  if ((order !== 0x4949 && order !== 0x4d4d) || (version !== 42 && !isBig)) {
    throw new Error('it does not begin as a TIFF');
  }
  const layout = { isLittle, isBig };
  const directories: TiffDirectory[] = [];
  let at = wordAt(await rangeOf(source, isBig ? 8 : 4, isBig ? 8 : 4), 0, layout);
  while (at !== 0) {
    if (directories.length === maxDirectories) {
      throw new TiffRefusal(`expected at most ${maxDirectories} images`);
    }
    const { directory, next } = await readDirectory(source, at, layout);
    directories.push(directory);
    at = next;
  }
  return directories;
}

interface Layout {
  isLittle: boolean;
  isBig: boolean;
}

async function readDirectory(
  source: TiffSource,
  at: number,
  layout: Layout,
): Promise<{ directory: TiffDirectory; next: number }> {
  const { isLittle, isBig } = layout;
  const [countBytes, entryBytes, word] = isBig ? [8, 20, 8] : [2, 12, 4];
  const counted = await rangeOf(source, at, countBytes);
  const count = isBig ? wordAt(counted, 0, layout) : counted.getUint16(0, isLittle);
  if (count > maxEntries) throw new TiffRefusal(`expected at most ${maxEntries} tags an image`);
  const view = await rangeOf(source, at + countBytes, count * entryBytes + word);
  const entries = new Map<number, TiffEntry>();
  for (let entry = 0; entry < count; entry += 1) {
    const from = entry * entryBytes;
    const tag = view.getUint16(from, isLittle);
    const type = view.getUint16(from + 2, isLittle);
    const values = wordAt(view, from + 4, layout);
    const bytes = values * (valueBytes[type] ?? 1);
    if (bytes > source.bytes) {
      throw new TiffRefusal(
        `expected a GeoTIFF, found the tag ${tag} with ${values} values in a file of ${source.bytes} bytes`,
      );
    }
    const valueAt = from + 4 + word;
    const isInline = bytes <= word;
    const place = isInline ? at + countBytes + valueAt : wordAt(view, valueAt, layout);
    entries.set(tag, { type, count: values, at: place });
  }
  const values = await readValues(source, entries, isLittle);
  const directory: TiffDirectory = { isLittle, entries, values: (tag) => values.get(tag) ?? [] };
  return { directory, next: wordAt(view, count * entryBytes, layout) };
}

async function readValues(
  source: TiffSource,
  entries: TiffDirectory['entries'],
  isLittle: boolean,
): Promise<Map<number, number[]>> {
  const values = new Map<number, number[]>();
  for (const tag of Object.values(tags)) {
    const entry = entries.get(tag);
    if (entry === undefined) continue;
    if (entry.count > maxValues) {
      throw new TiffRefusal(`expected at most ${maxValues} values of the tag ${tag}`);
    }
    values.set(tag, await valuesOf(source, entry, { from: 0, count: entry.count, isLittle }));
  }
  return values;
}

/** Numbers of an index, such as the offsets of tiles, by their place in it; some thousands are in memory. */
export function indexOf(
  source: TiffSource,
  { entries, isLittle }: TiffDirectory,
  tag: number,
): { count: number; at: (place: number) => Promise<number> } {
  const entry = entries.get(tag);
  if (entry === undefined) throw new TiffRefusal(`expected the tag ${tag}, found none`);
  let page: { from: number; values: number[] } = { from: 0, values: [] };
  return {
    count: entry.count,
    at: async (place) => {
      if (place < page.from || place >= page.from + page.values.length) {
        const from = place - (place % pageValues);
        const count = Math.min(pageValues, entry.count - from);
        page = { from, values: await valuesOf(source, entry, { from, count, isLittle }) };
      }
      return page.values[place - page.from] ?? NaN;
    },
  };
}

/** NaN for values of types that are no number. */
async function valuesOf(
  source: TiffSource,
  { type, at }: TiffEntry,
  { from, count, isLittle }: { from: number; count: number; isLittle: boolean },
): Promise<number[]> {
  const size = valueBytes[type] ?? 1;
  const view = await rangeOf(source, at + from * size, count * size);
  return Array.from({ length: count }, (_, index) => numberAt(view, index * size, type, isLittle));
}

/** Bytes of a value by type; 1 for types that there are not. */
const valueBytes: readonly number[] = [1, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 1, 1, 8, 8, 8];

function numberAt(view: DataView, at: number, type: number, isLittle: boolean): number {
  switch (type) {
    case 1:
    case 2:
    case 7:
      return view.getUint8(at);
    case 3:
      return view.getUint16(at, isLittle);
    case 4:
    case 13:
      return view.getUint32(at, isLittle);
    case 6:
      return view.getInt8(at);
    case 8:
      return view.getInt16(at, isLittle);
    case 9:
      return view.getInt32(at, isLittle);
    case 11:
      return view.getFloat32(at, isLittle);
    case 12:
      return view.getFloat64(at, isLittle);
    case 16:
    case 18:
      return Number(view.getBigUint64(at, isLittle));
    case 17:
      return Number(view.getBigInt64(at, isLittle));
    default:
      return NaN;
  }
}

function wordAt(view: DataView, at: number, { isLittle, isBig }: Layout): number {
  return isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle);
}

/** @throws TiffRefusal for a range that is not within the file */
async function rangeOf(source: TiffSource, offset: number, length: number): Promise<DataView> {
  const isWithin = offset + length <= source.bytes;
  const bytes = isWithin ? await source.read(offset, length) : null;
  if (bytes?.length === length) return viewOf(bytes);
  throw new TiffRefusal('expected a GeoTIFF, found a directory outside the file');
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
