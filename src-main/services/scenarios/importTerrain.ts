// Terrain files, read for their importers (domain/import/terrain), which work on another thread.
import type { Parsed } from '#contract/documents/problems.ts';
import type { ImportedScene } from '#domain/import/importedScene.ts';
import type { Files } from '#services/ports/files.ts';

/** Bytes of a file at most: 2 ** 26 heights have 16 letters each. */
const maxGridBytes = 2 ** 30;
/** Letters of a .prj at most: as scene.crs takes them. */
const maxCrsLetters = 100_000;

/**
 * @param picture name of the heights beside the scenario. The system of coordinates is that of a .prj beside the file.
 */
export async function importAsciiGrid(
  files: Files,
  file: string,
  picture: string,
  signal: AbortSignal,
): Promise<Parsed<ImportedScene>> {
  const besides = ['.prj', '.PRJ'].map((ending) => file.replace(/\.[^.]*$/, ending));
  let crs: string | null = null;
  for (const prj of besides) {
    if (crs !== null || !(await files.exists(prj))) continue;
    const text = (await files.readText(prj, signal)).trim();
    // Why only WKT: the older form of .prj (`Projection UTM` …) is no name that scene.crs takes.
    if (/^[A-Z]+CR?S\[/i.test(text) && text.length <= maxCrsLetters) crs = text;
  }
  const bytes = await files.readBytes(file, maxGridBytes, signal);
  return files.texts.foreignAsciiGrid({ name: file, signal }, bytes, crs, picture);
}

/** As importAsciiGrid; the file states its system. */
export async function importGeoTiff(
  files: Files,
  file: string,
  picture: string,
  signal: AbortSignal,
): Promise<Parsed<ImportedScene>> {
  const bytes = await files.readBytes(file, maxGridBytes, signal);
  return files.texts.foreignGeoTiff({ name: file, signal }, bytes, picture);
}
