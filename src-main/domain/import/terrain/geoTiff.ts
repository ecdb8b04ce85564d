// GeoTIFF terrains (OGC 19-008) of any size: the first band of the first image, or of an overview where larger cells are
// asked for, in projected metres, north up. Guarantees: only the tiles that the cut meets are read, and the size of the
// result is known before any of them is.
import type { Parsed } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { isMetre, unitOfEpsg, unitText } from '#domain/shared/systemUnits.ts';
import type { ImportedScene } from '../importedScene.ts';
import { refused } from '../table.ts';
import {
  cutHeights,
  cutNotes,
  gridCut,
  type GridCut,
  type GridFrame,
  type TerrainCut,
} from './gridCut.ts';
import { gridSizeProblem, terrainScene, type TerrainPart } from './heightGrid.ts';
import {
  readDirectories,
  tags,
  type TiffDirectory,
  TiffRefusal,
  type TiffSource,
} from './tiffDirectories.ts';
import { tiffImage, type TiffImage } from './tiffImage.ts';
import { tilesIn } from './tiffTiles.ts';

const userDefined = 32767;
const modelTypeGeographic = 2;
const rasterIsPoint = 2;
const unitMetre = 9001;
const reducedResolution = 1;
const transparencyMask = 4;
/** Keys of GeoTIFF. */
const keys = { model: 1024, raster: 1025, projected: 3072, unit: 3076, verticalUnit: 4099 };

export interface GeoTiffOptions {
  /** Name of the heights beside the scenario. */
  picture: string;
  cut: TerrainCut;
  /** Rows of the file that are done, of those that the cut meets. */
  onProgress: (done: number, total: number) => void;
}

/** The ground that a file becomes. @throws what reading the source throws */
export async function geoTiffScene(
  source: TiffSource,
  options: GeoTiffOptions,
): Promise<Parsed<ImportedScene>> {
  const read = await readGeoTiff(source, options);
  if (read.value === null) return read;
  return terrainScene(read.value, options.picture);
}

/** The grid and what else the file has; a file that is damaged or beyond limits is one problem. */
async function readGeoTiff(
  source: TiffSource,
  { cut: asked, onProgress }: GeoTiffOptions,
): Promise<Parsed<TerrainPart>> {
  try {
    const directories = await readDirectories(source);
    const level = levelFor(directories, asked.cellM);
    const cut = gridCut(level.frame, asked);
    const problem = typeof cut === 'string' ? cut : gridSizeProblem(cut.frame);
    if (typeof cut === 'string' || problem !== null) return refused('(file)', problem ?? '');
    const heights = await readHeights(source, level.image, cut, onProgress);
    const ignored = [
      { what: 'bands after the first', count: level.image.bands - 1 },
      { what: 'further images (overviews, masks)', count: directories.length - 1 },
    ].filter(({ count }) => count > 0);
    const notes = cutNotes(level.frame, cut, asked);
    if (level.isOverview) notes.unshift('heights are those of an overview in the file');
    return { value: { grid: { ...cut.frame, heights }, ignored, notes }, problems: [] };
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    const { message } = error as Error;
    if (error instanceof TiffRefusal) return refused('(file)', message);
    return refused('(file)', `expected a GeoTIFF, found a damaged one: ${message}`);
  }
}

interface Level {
  image: TiffImage;
  frame: GridFrame;
  isOverview: boolean;
}

/** The image with the largest cells that are no larger than asked for: the first one, or an overview of it. */
function levelFor([first, ...others]: readonly TiffDirectory[], cellM = 0): Level {
  if (first === undefined) throw new TiffRefusal('expected a GeoTIFF, found no image');
  const whole = frameOf(first);
  let level = { directory: first, frame: whole, isOverview: false };
  for (const directory of others) {
    const frame = overviewFrame(directory, whole);
    if (frame === null || !frame.stepM.every((stepM) => stepM <= cellM * (1 + 1e-6))) continue;
    if (frame.columns < level.frame.columns) level = { directory, frame, isOverview: true };
  }
  return { image: tiffImage(level.directory), frame: level.frame, isOverview: level.isOverview };
}

/** Cells of an overview cover the same ground as those of the whole. null: the image is none. */
function overviewFrame(directory: TiffDirectory, whole: GridFrame): GridFrame | null {
  const [columns = 0, rows = 0] = [tags.columns, tags.rows].map((tag) => directory.values(tag)[0]);
  const [kind = 0] = directory.values(tags.subfileType);
  const isOverview = (kind & reducedResolution) !== 0 && (kind & transparencyMask) === 0;
  if (!isOverview || !(columns >= 1 && rows >= 1)) return null;
  const [stepX, stepY] = whole.stepM;
  const stepM: [number, number] = [(stepX * whole.columns) / columns, (stepY * whole.rows) / rows];
  const westM = whole.westM + (stepM[0] - stepX) / 2;
  const northM = whole.northM - (stepM[1] - stepY) / 2;
  return { columns, rows, westM, northM, stepM, crs: whole.crs };
}

/** Place and system of the first image. @throws TiffRefusal */
function frameOf(directory: TiffDirectory): GridFrame {
  const geoKeys = geoKeysOf(directory);
  const toMetres = 'gdalwarp -t_srs EPSG:25832 in.tif out.tif, with your zone';
  if (geoKeys.get(keys.model) === modelTypeGeographic) {
    throw new TiffRefusal(`expected projected coordinates in metres, found degrees: ${toMetres}`);
  }
  const unit = unitOfEpsg(geoKeys.get(keys.unit) ?? unitMetre);
  if (!isMetre(unit)) {
    throw new TiffRefusal(`expected metres, found ${unitText(unit)}: ${toMetres}`);
  }
  const verticalCode = geoKeys.get(keys.verticalUnit) ?? unitMetre;
  const verticalUnit = unitOfEpsg(verticalCode);
  if (verticalCode !== userDefined && !isMetre(verticalUnit)) {
    throw new TiffRefusal(`expected heights in metres, found ${unitText(verticalUnit)}`);
  }
  const [columns = 0, rows = 0] = [tags.columns, tags.rows].map((tag) => directory.values(tag)[0]);
  const toCentre = geoKeys.get(keys.raster) === rasterIsPoint ? 0 : 0.5;
  const code = geoKeys.get(keys.projected) ?? userDefined;
  const crs = code > 0 && code < userDefined ? `EPSG:${code}` : null;
  return { columns, rows, ...placeOf(directory, toCentre), crs };
}

/** Keys whose value is in the directory itself (OGC 19-008, 7.1.1): codes. */
function geoKeysOf(directory: TiffDirectory): ReadonlyMap<number, number> {
  const [, , , ...entries] = directory.values(tags.geoKeys);
  const found = new Map<number, number>();
  for (let at = 1; at + 3 < entries.length; at += 4) {
    const [key = 0, location, , value = 0] = entries.slice(at, at + 4);
    if (location === 0) found.set(key, value);
  }
  return found;
}

/**
 * Centre of the first cell and the distance of cells. @param toCentre from the position of a pixel to its centre: a pixel is an
 * area from its north-western corner, unless the file says that it is a point
 */
function placeOf(
  directory: TiffDirectory,
  toCentre: number,
): Pick<GridFrame, 'westM' | 'northM' | 'stepM'> {
  const matrix = directory.values(tags.transformation);
  const tie = directory.values(tags.tiePoint);
  const scale = directory.values(tags.pixelScale);
  const hasMatrix = matrix.length > 0;
  if (!hasMatrix && !(tie.length === 6 && scale.length > 0)) {
    throw new TiffRefusal(
      'expected a place in the world (one tie point and a pixel scale), found a TIFF without one',
    );
  }
  const stepX = matrix[0] ?? scale[0] ?? NaN;
  const stepY = matrix[5] ?? -(scale[1] ?? NaN);
  // The tie point gives the world position of a pixel, mostly of (0, 0).
  const x = matrix[3] ?? (tie[3] ?? NaN) - (tie[0] ?? NaN) * stepX;
  const y = matrix[7] ?? (tie[4] ?? NaN) - (tie[1] ?? NaN) * stepY;
  if (hasMatrix && ((matrix[1] ?? 0) !== 0 || (matrix[4] ?? 0) !== 0)) {
    throw new TiffRefusal(
      'expected rows along x, found a rotated picture: gdalwarp in.tif out.tif',
    );
  }
  if (!(stepX > 0) || !(stepY < 0) || !Number.isFinite(x + y)) {
    throw new TiffRefusal(
      `expected a first row in the north and cells above 0 m, found ${stepX} × ${stepY}`,
    );
  }
  return {
    westM: x + toCentre * stepX,
    northM: y + toCentre * stepY,
    stepM: [stepX, -stepY],
  };
}

/** The first band, a tile at a time. */
async function readHeights(
  source: TiffSource,
  image: TiffImage,
  cut: GridCut,
  onProgress: GeoTiffOptions['onProgress'],
): Promise<Float32Array> {
  const { noData } = image;
  const noDataSingle = noData === null ? null : Math.fround(noData);
  const heights = cutHeights(cut, (height) => height === noData || height === noDataSingle);
  const [north, south] = cut.rows;
  let top = north;
  for await (const tile of tilesIn(source, image, cut)) {
    if (tile.row > top) {
      top = tile.row;
      heights.isDone(top);
      onProgress(top - north, south - north);
    }
    for (let row = 0; row < tile.rows; row += 1) {
      const at = row * tile.columns * tile.stride;
      const part = { at, stride: tile.stride, count: tile.columns };
      heights.addRow(tile.row + row, tile.column, tile.samples, part);
    }
  }
  return heights.finish();
}
