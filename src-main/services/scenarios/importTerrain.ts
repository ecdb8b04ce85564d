// Terrain files, read for their importers: ESRI ASCII grids piece by piece, GeoTIFFs by ranges.
import type { Parsed } from '#contract/documents/problems.ts';
import type { ImportedScene } from '#domain/import/importedScene.ts';
import { asciiGridReader } from '#domain/import/terrain/asciiGrid.ts';
import type { TerrainCut } from '#domain/import/terrain/gridCut.ts';
import { terrainScene } from '#domain/import/terrain/heightGrid.ts';
import type { Files } from '#services/ports/files.ts';

/** Letters of a .prj at most: as scene.crs takes them. */
const maxCrsLetters = 100_000;

export interface TerrainRequest {
  file: string;
  /** Name of the heights beside the scenario. */
  picture: string;
  cut: TerrainCut;
}

/** The system of coordinates is that of a .prj beside the file. */
export async function importAsciiGrid(
  files: Files,
  { file, picture, cut }: TerrainRequest,
): Promise<Parsed<ImportedScene>> {
  const besides = ['.prj', '.PRJ'].map((ending) => file.replace(/\.[^.]*$/, ending));
  let crs: string | null = null;
  for (const prj of besides) {
    if (crs !== null || !(await files.exists(prj))) continue;
    const text = (await files.readText(prj)).trim();
    // Why only WKT: the older form of .prj (`Projection UTM` …) is no name that scene.crs takes.
    if (/^[A-Z]+CR?S\[/i.test(text) && text.length <= maxCrsLetters) crs = text;
  }
  const reader = asciiGridReader(crs, cut);
  const decoder = new TextDecoder('latin1');
  await files.pieces(file, (bytes) => reader.take(decoder.decode(bytes, { stream: true })));
  const read = reader.finish();
  if (read.value === null) return read;
  return terrainScene(read.value, picture);
}

/** As importAsciiGrid; the file states its system. Why its reader is loaded here: only GeoTIFF needs the library. */
export async function importGeoTiff(
  files: Files,
  { file, picture, cut }: TerrainRequest,
  onProgress: (done: number, total: number) => void,
): Promise<Parsed<ImportedScene>> {
  const { geoTiffScene } = await import('#domain/import/terrain/geoTiff.ts');
  return files.ranges(file, (source) => geoTiffScene(source, { picture, cut, onProgress }));
}
