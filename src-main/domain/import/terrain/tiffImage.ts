// One image of a GeoTIFF: how its first band is stored, checked before any of it is read.
import { TiffRefusal, tags, type Tag, type TiffDirectory } from './tiffDirectories.ts';

export interface TiffImage {
  directory: TiffDirectory;
  columns: number;
  rows: number;
  isTiled: boolean;
  /** Size of a tile, or of a strip, which is as wide as the image. */
  tileColumns: number;
  tileRows: number;
  compression: number;
  /** 1: none; 2: differences of neighbours; 3: those of the bytes of floating-point numbers. */
  predictor: number;
  bands: number;
  /** Bands that a tile has side by side: all or one. */
  samples: number;
  /** Bytes of a sample; all bands have as many. */
  sampleBytes: number;
  /** Reads samples that are in the byte order of the machine. */
  samplesOf: (bytes: ArrayBuffer) => Samples;
  /** Heights that are none; null: the file states no such number. */
  noData: number | null;
}

export type Samples =
  | Uint8Array
  | Uint16Array
  | Uint32Array
  | Int8Array
  | Int16Array
  | Int32Array
  | Float16Array
  | Float32Array
  | Float64Array;

/** Bytes of one tile or strip at most, packed or not; strips that are not compressed are read in parts. */
export const maxTileBytes = 2 ** 28;
/** Columns and rows of a tile that is larger than its image at most. */
const maxTileSide = 4096;
const separatePlanes = 2;

/** By format of samples (1 unsigned, 2 signed, 3 floating point) and their bits. */
const readers: Readonly<Record<string, TiffImage['samplesOf']>> = {
  '1/8': (bytes) => new Uint8Array(bytes),
  '1/16': (bytes) => new Uint16Array(bytes),
  '1/32': (bytes) => new Uint32Array(bytes),
  '2/8': (bytes) => new Int8Array(bytes),
  '2/16': (bytes) => new Int16Array(bytes),
  '2/32': (bytes) => new Int32Array(bytes),
  '3/16': (bytes) => new Float16Array(bytes),
  '3/32': (bytes) => new Float32Array(bytes),
  '3/64': (bytes) => new Float64Array(bytes),
};

/** @throws TiffRefusal for an image that is not read, with what was expected */
export function tiffImage(directory: TiffDirectory): TiffImage {
  const numberOf = (tag: Tag, other: number): number => directory.values(tag)[0] ?? other;
  const columns = numberOf(tags.columns, 0);
  const rows = numberOf(tags.rows, 0);
  if (!isCount(columns) || !isCount(rows)) {
    throw new TiffRefusal(`expected whole numbers of columns and rows, found ${columns} × ${rows}`);
  }
  const isTiled = directory.entries.has(tags.tileColumns);
  const tileColumns = isTiled ? numberOf(tags.tileColumns, 0) : columns;
  const tileRows = isTiled
    ? numberOf(tags.tileRows, 0)
    : Math.min(numberOf(tags.rowsPerStrip, rows), rows);
  if (!isTileSide(tileColumns, columns) || !isTileSide(tileRows, rows)) {
    throw new TiffRefusal(
      `expected tiles no larger than the image or ${maxTileSide} × ${maxTileSide}, found ${tileColumns} × ${tileRows}`,
    );
  }
  const bands = numberOf(tags.samples, 1);
  const bits = directory.values(tags.bitsPerSample);
  const format = `${numberOf(tags.sampleFormat, 1)}/${bits[0] ?? 1}`;
  const samplesOf = readers[format];
  if (samplesOf === undefined || bits.some((count) => count !== bits[0])) {
    throw new TiffRefusal(
      `expected samples of 8, 16 or 32 bits, or floating-point ones of 16, 32 or 64, found ${bits.slice(0, 4).join(', ')} bits of format ${format[0]}`,
    );
  }
  const isPlanar = numberOf(tags.planarConfiguration, 1) === separatePlanes;
  const compression = numberOf(tags.compression, 1);
  const image: TiffImage = {
    directory,
    columns,
    rows,
    isTiled,
    tileColumns,
    tileRows,
    compression,
    predictor: compression === 1 ? 1 : numberOf(tags.predictor, 1),
    bands,
    samples: isPlanar ? 1 : bands,
    sampleBytes: Number(bits[0]) / 8,
    samplesOf,
    noData: noDataOf(directory),
  };
  const tileBytes = rowBytesOf(image) * (isReadByRows(image) ? 1 : tileRows);
  if (!(isCount(bands) && tileBytes <= maxTileBytes)) {
    throw new TiffRefusal(
      `expected tiles or strips of at most ${maxTileBytes} bytes, found ${tileBytes}: gdal_translate -co TILED=YES in.tif out.tif`,
    );
  }
  return image;
}

/** Bytes of a row of a tile or strip. */
export function rowBytesOf(image: TiffImage): number {
  return image.tileColumns * image.samples * image.sampleBytes;
}

/** Whether a part of a strip can be read without what is before it. */
export function isReadByRows({ isTiled, compression }: TiffImage): boolean {
  return !isTiled && compression === 1;
}

function isCount(count: number): boolean {
  return Number.isSafeInteger(count) && count >= 1;
}

function isTileSide(side: number, ofImage: number): boolean {
  return isCount(side) && side <= Math.max(ofImage, maxTileSide);
}

function noDataOf(directory: TiffDirectory): number | null {
  const text = String.fromCharCode(...directory.values(tags.noData).slice(0, 100));
  const value = text.replace(/\0.*$/s, '').trim();
  return value === '' ? null : Number(value);
}
