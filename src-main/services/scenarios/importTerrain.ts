// Terrain files, read for their importers: ESRI ASCII grids piece by piece, GeoTIFFs whole.
import type { Parsed } from '#contract/documents/problems.ts';
import type { ImportedScene } from '#domain/import/importedScene.ts';
import { asciiGridReader } from '#domain/import/terrain/asciiGrid.ts';
import { terrainScene } from '#domain/import/terrain/heightGrid.ts';
import type { Files } from '#services/ports/files.ts';

/** Bytes of a GeoTIFF at most. */
const maxTiffBytes = 2 ** 30;
/** Letters of a .prj at most: as scene.crs takes them. */
const maxCrsLetters = 100_000;

/**
 * @param picture name of the heights beside the scenario. The system of coordinates is that of a .prj beside the file.
 */
export async function importAsciiGrid(
  files: Files,
  file: string,
  picture: string,
): Promise<Parsed<ImportedScene>> {
  const besides = ['.prj', '.PRJ'].map((ending) => file.replace(/\.[^.]*$/, ending));
  let crs: string | null = null;
  for (const prj of besides) {
    if (crs !== null || !(await files.exists(prj))) continue;
    const text = (await files.readText(prj)).trim();
    // Why only WKT: the older form of .prj (`Projection UTM` …) is no name that scene.crs takes.
    if (/^[A-Z]+CR?S\[/i.test(text) && text.length <= maxCrsLetters) crs = text;
  }
  const reader = asciiGridReader(crs);
  const decoder = new TextDecoder('latin1');
  await files.pieces(file, (bytes) => reader.take(decoder.decode(bytes, { stream: true })));
  const grid = reader.finish();
  return grid.value === null ? grid : terrainScene(grid.value, picture);
}

/** As importAsciiGrid; the file states its system. Why its reader is loaded here: only GeoTIFF needs the library. */
export async function importGeoTiff(
  files: Files,
  file: string,
  picture: string,
): Promise<Parsed<ImportedScene>> {
  const { geoTiffScene } = await import('#domain/import/terrain/geoTiff.ts');
  return geoTiffScene(await files.readBytes(file, maxTiffBytes), picture);
}
