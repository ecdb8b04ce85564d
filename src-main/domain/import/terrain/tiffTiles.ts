// Reads the tiles or strips of a TIFF that a window meets, one at a time. Guarantees: nothing else of the file is read;
// beside a tile only parts of the index are in memory; tiles outside the file, and tiles that overlap, are refused.
import { finishTile, unpacked } from './tiffCodecs.ts';
import { TiffRefusal, indexOf, type TiffSource } from './tiffDirectories.ts';
import {
  isReadByRows,
  maxTileBytes,
  rowBytesOf,
  type Samples,
  type TiffImage,
} from './tiffImage.ts';

/** Cells of an image: from the first column and row to before the last. */
export interface Window {
  columns: readonly [from: number, to: number];
  rows: readonly [from: number, to: number];
}

/** Samples of whole rows of a tile. */
export interface Tile {
  column: number;
  row: number;
  columns: number;
  rows: number;
  samples: Samples;
  /** Distance of two cells of the first band in `samples`. */
  stride: number;
}

/** Why parts: a strip that is not compressed may be the whole image. */
const partBytes = 2 ** 22;

/** By rows of tiles. @throws TiffRefusal; failures of the source and of the library as they are */
export async function* tilesIn(
  source: TiffSource,
  image: TiffImage,
  { columns: [west, east], rows: [north, south] }: Window,
): AsyncGenerator<Tile> {
  const { tileColumns, tileRows } = image;
  const across = Math.ceil(image.columns / tileColumns);
  const down = Math.ceil(image.rows / tileRows);
  const places = placesOf(source, image, across * down);
  const height = isReadByRows(image)
    ? Math.max(1, Math.min(tileRows, Math.floor(partBytes / rowBytesOf(image))))
    : tileRows;
  for (let y = Math.floor(north / tileRows); y * tileRows < south; y += 1) {
    const first = y * tileRows;
    // Why the last strip only: tiles are as high as the others, whatever the image covers of them.
    const end = image.isTiled ? first + tileRows : Math.min(first + tileRows, image.rows);
    for (let x = Math.floor(west / tileColumns); x * tileColumns < east; x += 1) {
      const place = await places(y * across + x);
      if (place === null) continue;
      const from = first + height * Math.floor(Math.max(0, north - first) / height);
      for (let row = from; row < Math.min(end, south); row += height) {
        const rows = Math.min(height, end - row);
        const skipped = (row - first) * rowBytesOf(image);
        yield {
          column: x * tileColumns,
          row,
          columns: tileColumns,
          rows,
          samples: await readTile(source, image, { place, skipped, rows }),
          stride: image.samples,
        };
      }
    }
  }
}

interface Place {
  offset: number;
  bytes: number;
}

/** Where tiles are in the file, by their number; null: the tile has no bytes, and its cells no heights. */
function placesOf(
  source: TiffSource,
  image: TiffImage,
  tiles: number,
): (tile: number) => Promise<Place | null> {
  const { directory, isTiled } = image;
  const offsets = indexOf(source, directory, isTiled ? 324 : 273);
  const sizes = indexOf(source, directory, isTiled ? 325 : 279);
  const found = Math.min(offsets.count, sizes.count);
  if (found < tiles) {
    throw new TiffRefusal(`expected the places of ${tiles} tiles or strips, found ${found}`);
  }
  let bytesInAll = 0;
  return async (tile) => {
    const bytes = await sizes.at(tile);
    if (bytes === 0) return null;
    const offset = await offsets.at(tile);
    if (!(offset + bytes <= source.bytes)) {
      throw new Error(`the tile or strip ${tile} is outside the file`);
    }
    bytesInAll += bytes;
    // Each is read once, so that more bytes than the file has are those of tiles that overlap (TIFF 6.0, section 7).
    if (bytesInAll > source.bytes) throw new Error('tiles or strips overlap in the file');
    return { offset, bytes };
  };
}

async function readTile(
  source: TiffSource,
  image: TiffImage,
  { place, skipped, rows }: { place: Place; skipped: number; rows: number },
): Promise<Samples> {
  const length = rows * rowBytesOf(image);
  const isWhole = image.compression !== 1;
  const bytes = isWhole ? place.bytes : Math.min(length, Math.max(0, place.bytes - skipped));
  if (bytes > maxTileBytes) throw new Error(`a tile or strip has ${bytes} bytes in the file`);
  const packed = await source.read(place.offset + skipped, bytes);
  if (packed.length < bytes) throw new Error('the file became shorter meanwhile');
  const buffer = await unpacked(image, packed, length);
  finishTile(image, buffer);
  return image.samplesOf(buffer);
}
