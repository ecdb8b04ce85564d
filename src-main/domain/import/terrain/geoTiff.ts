// GeoTIFF terrains (OGC 19-008): the first band of the first image, in projected metres, north up. The size of image
// and tiles is known from the directory before any of them is decoded.
import { addDecoder, BaseDecoder, fromArrayBuffer, type GeoTIFFImage } from 'geotiff';
import type { Parsed } from '#contract/documents/problems.ts';
import type { ImportCount } from '#contract/host/importMethods.ts';
import type { ImportedScene } from '../importedScene.ts';
import { refused } from '../table.ts';
import { directoryFault } from './tiffDirectories.ts';
import { gridSizeProblem, type HeightGrid, terrainScene } from './heightGrid.ts';

/** Bytes of one tile or strip at most. */
const maxTileBytes = 2 ** 28;
/** Columns and rows of a tile that is larger than its image at most. */
const maxTileSide = 4096;
const userDefined = 32767;
const modelTypeGeographic = 2;
const rasterIsPoint = 2;
const unitMetre = 9001;

/**
 * Deflate into memory that is taken once. Why not the library's: it takes twice the size of the strip, and however much
 * the strip inflates to. What follows a whole strip is not read.
 */
class DeflateDecoder extends BaseDecoder {
  override async decodeBlock(packed: ArrayBuffer): Promise<ArrayBuffer> {
    const { tileWidth, tileHeight, bitsPerSample, planarConfiguration } = this.parameters;
    const bits = typeof bitsPerSample === 'number' ? [bitsPerSample] : Array.from(bitsPerSample);
    const pixelBits = planarConfiguration === 2 ? Math.max(...bits) : bits.reduce((a, b) => a + b);
    const bytes = new Uint8Array(Math.ceil((tileWidth * pixelBits) / 8) * tileHeight);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
    const reader = stream.getReader();
    let length = 0;
    while (length < bytes.length) {
      const { done, value } = await reader.read();
      if (done) break;
      const part = value.subarray(0, bytes.length - length);
      bytes.set(part, length);
      length += part.length;
    }
    await reader.cancel();
    return bytes.buffer.transfer(length);
  }
}
addDecoder([8, 32946], () => Promise.resolve(DeflateDecoder));

/** The ground that a file becomes. @param picture name of the heights beside the scenario */
export async function geoTiffScene(
  bytes: Uint8Array,
  picture: string,
): Promise<Parsed<ImportedScene>> {
  const read = await readGeoTiff(bytes);
  if (read.value === null) return read;
  const scene = await terrainScene(read.value.grid, picture);
  if (scene.value === null) return scene;
  const ignored = [...read.value.ignored, ...scene.value.ignored];
  return { value: { ...scene.value, ignored }, problems: [] };
}

/** The grid and what else the file has; a file that is damaged or beyond limits is one problem. */
async function readGeoTiff(
  bytes: Uint8Array,
): Promise<Parsed<{ grid: HeightGrid; ignored: ImportCount[] }>> {
  try {
    const fault = directoryFault(bytes);
    if (fault !== null) return refused('(file)', fault);
    const isWhole = bytes.byteLength === bytes.buffer.byteLength;
    const file = await fromArrayBuffer(
      (isWhole ? bytes : new Uint8Array(bytes)).buffer as ArrayBuffer,
    );
    const image = await file.getImage(0);
    const frame = frameOf(image);
    if (typeof frame === 'string') return refused('(file)', frame);
    const heights = await readHeights(image);
    const ignored = [
      { what: 'bands after the first', count: image.getSamplesPerPixel() - 1 },
      { what: 'further images (overviews, masks)', count: (await file.getImageCount()) - 1 },
    ].filter(({ count }) => count > 0);
    return { value: { grid: { ...frame, heights }, ignored }, problems: [] };
  } catch (error) {
    return refused(
      '(file)',
      `expected a GeoTIFF, found a damaged one: ${(error as Error).message}`,
    );
  }
}

/** Place and system of the image, or what is wrong with them. */
function frameOf(image: GeoTIFFImage): Omit<HeightGrid, 'heights'> | string {
  const [columns, rows] = [image.getWidth(), image.getHeight()];
  const sizeProblem = gridSizeProblem(columns, rows);
  if (sizeProblem !== null) return sizeProblem;
  const [tileColumns, tileRows] = [image.getTileWidth(), image.getTileHeight()];
  if (!isTileSide(tileColumns, columns) || !isTileSide(tileRows, rows)) {
    return `expected tiles no larger than the image or ${maxTileSide} × ${maxTileSide}, found ${tileColumns} × ${tileRows}`;
  }
  const tileBytes = tileColumns * tileRows * image.getBytesPerPixel();
  if (!(tileBytes <= maxTileBytes)) {
    return `expected tiles of at most ${maxTileBytes} bytes, found ${tileBytes}`;
  }
  const keys = image.getGeoKeys() ?? {};
  const toMetres = 'gdalwarp -t_srs EPSG:25832 in.tif out.tif, with your zone';
  if (keys.GTModelTypeGeoKey === modelTypeGeographic) {
    return `expected projected coordinates in metres, found degrees: ${toMetres}`;
  }
  const unit = Number(keys.ProjLinearUnitsGeoKey ?? unitMetre);
  if (unit !== unitMetre) return `expected metres, found the unit ${unit} (EPSG): ${toMetres}`;
  const verticalUnit = Number(keys.VerticalUnitsGeoKey ?? unitMetre);
  if (verticalUnit !== unitMetre && verticalUnit !== userDefined) {
    return `expected heights in metres, found the unit ${verticalUnit} (EPSG)`;
  }
  const place = placeOf(image);
  if (typeof place === 'string') return place;
  const code = Number(keys.ProjectedCSTypeGeoKey ?? userDefined);
  const crs = code > 0 && code < userDefined ? `EPSG:${code}` : null;
  return { ...place, columns, rows, crs };
}

function isTileSide(side: number, ofImage: number): boolean {
  return Number.isInteger(side) && side >= 1 && side <= Math.max(ofImage, maxTileSide);
}

/** Centre of the first cell and the distance of cells. */
function placeOf(image: GeoTIFFImage): Pick<HeightGrid, 'westM' | 'northM' | 'stepM'> | string {
  const directory = image.getFileDirectory();
  const matrix = directory.getValue('ModelTransformation') as ArrayLike<number> | undefined;
  const tie = directory.getValue('ModelTiepoint') as ArrayLike<number> | undefined;
  const scale = directory.getValue('ModelPixelScale') as ArrayLike<number> | undefined;
  if (!matrix && !(tie?.length === 6 && scale)) {
    return 'expected a place in the world (one tie point and a pixel scale), found a TIFF without one';
  }
  const stepX = matrix?.[0] ?? scale?.[0] ?? NaN;
  const stepY = matrix?.[5] ?? -(scale?.[1] ?? NaN);
  // The tie point gives the world position of a pixel, mostly of (0, 0).
  const x = matrix?.[3] ?? (tie?.[3] ?? NaN) - (tie?.[0] ?? NaN) * stepX;
  const y = matrix?.[7] ?? (tie?.[4] ?? NaN) - (tie?.[1] ?? NaN) * stepY;
  if (matrix && ((matrix[1] ?? 0) !== 0 || (matrix[4] ?? 0) !== 0)) {
    return 'expected rows along x, found a rotated picture: gdalwarp in.tif out.tif';
  }
  if (!(stepX > 0) || !(stepY < 0) || !Number.isFinite(x + y)) {
    return `expected a first row in the north and cells above 0 m, found ${stepX} × ${stepY}`;
  }
  // A pixel is an area from its north-western corner, unless the file says that it is a point.
  const toCentre = image.getGeoKeys()?.GTRasterTypeGeoKey === rasterIsPoint ? 0 : 0.5;
  return {
    westM: x + toCentre * stepX,
    northM: y + toCentre * stepY,
    stepM: [stepX, -stepY],
  };
}

/** The first band, some rows at a time. */
async function readHeights(image: GeoTIFFImage): Promise<Float32Array> {
  const [columns, rows] = [image.getWidth(), image.getHeight()];
  const heights = new Float32Array(columns * rows);
  const noData = image.getGDALNoData();
  const noDataSingle = noData === null ? null : Math.fround(noData);
  const band = Math.max(1, Math.min(rows, Math.max(image.getTileHeight(), 64)));
  for (let row = 0; row < rows; row += band) {
    const end = Math.min(rows, row + band);
    const values = await image.readRasters({
      window: [0, row, columns, end],
      samples: [0],
      interleave: true,
    });
    for (let at = 0; at < (end - row) * columns; at += 1) {
      const height = Number(values[at]);
      const isNone = height === noData || height === noDataSingle || !(Math.abs(height) <= 1e9);
      heights[row * columns + at] = isNone ? NaN : height;
    }
  }
  return heights;
}
