// Files of other programs as one scenario, converted by the importers of domain/import. Hosts do it on a thread: a file
// is converted as a whole, without turns for other work.
import { badInput, UnderstoryError } from '#contract/errors.ts';
import type { Plant } from '#contract/documents/plant.ts';
import type { Parsed } from '#contract/documents/problems.ts';
import { importFormats, type ImportFormat } from '#contract/host/importMethods.ts';
import { conversionAdvice, importFormatOf } from '#domain/import/formats.ts';
import type { LoadDraco } from '#domain/import/gltf/gltfDocument.ts';
import { slugOf, type ImportedScene } from '#domain/import/importedScene.ts';
import { importedDocument, type ImportedDocument } from '#domain/import/importedDocument.ts';
import { plantOfForm } from '#domain/import/species.ts';
import { refused } from '#domain/import/table.ts';
import { importTreeList } from '#domain/import/treeList.ts';
import { bytesText } from '#domain/shared/formats.ts';
import { notesOfReplaced, problemOfSystem } from '#services/documents/systems.ts';
import { documentName, readReferred } from '#services/documents/documentFiles.ts';
import type { Files } from '#services/ports/files.ts';
import type { ConversionRequest, ConvertedFiles } from '#services/ports/sceneImports.ts';
import { importHeliosFile, importMavs } from './importForeign.ts';
import { importAsciiGrid, importGeoTiff } from './importTerrain.ts';

/** A conversion in steps: `read` every file of a request in its order, then `join` them to one scenario. */
export interface Conversion {
  read(file: string, request: ConversionRequest): Promise<ConvertedFiles['sources'][number]>;
  join(request: ConversionRequest): Promise<ImportedDocument>;
}

/** Formats that an area and a distance of heights apply to. */
const terrainFormats: readonly ImportFormat[] = ['ascii-grid', 'geotiff'];
/** Problems of a file that are reported: a damaged one may have hundreds of thousands. */
const maxProblems = 100;

/** @throws UnderstoryError as SceneImports */
export async function convertFiles(
  conversion: Conversion,
  request: ConversionRequest,
): Promise<ConvertedFiles> {
  const sources: ConvertedFiles['sources'] = [];
  for (const file of request.files) sources.push(await conversion.read(file, request));
  const hasTerrain = sources.some(({ format }) => terrainFormats.includes(format));
  if (!hasTerrain && (request.areaM ?? request.cellM) !== undefined) {
    const path = request.areaM === undefined ? 'cellM' : 'areaM';
    throw badInput(path, `expected a terrain (${terrainFormats.join(', ')}) among the files`);
  }
  return { ...(await conversion.join(request)), sources };
}

export type ReadProgress = (done: number, total: number) => void;

export interface ConversionOptions {
  /** As readGltf takes it. */
  loadDraco?: LoadDraco;
  /** Called where a file takes long, with parts of it. */
  onProgress?: ReadProgress;
}

/** Steps over parts that were read before. Nothing here is cancelled: the owner of the thread ends it. */
export function createConversion(files: Files, options: ConversionOptions = {}): Conversion {
  const parts: ImportedScene[] = [];
  return {
    read: async (file, request) => {
      const format = request.format ?? importFormatOf(file);
      if (format === null) {
        const known = importFormats.join(', ');
        const expected = `expected a file of a known ending, or --format ${known}`;
        const advice = conversionAdvice(file);
        throw badInput(
          'files',
          `'${file}': ${advice === null ? expected : `${expected}; ${advice}`}`,
        );
      }
      const part = await importFile(files, { file, format, ...options }, request);
      if (part.value === null) {
        const problems = part.problems.slice(0, maxProblems).map(({ path, code, message }) => {
          return { path: `${file}: ${path}`, code, message };
        });
        throw new UnderstoryError('bad-input', `'${file}' cannot be imported`, { problems });
      }
      const { crs, imported, ignored, notes } = part.value;
      if (crs !== null) await expectMetres(files, crs, file);
      parts.push({ ...part.value, crs: request.crs ?? crs });
      const replaced = notesOfReplaced(request.crs, crs, 'file');
      return { file, format, imported, ignored, notes: [...notes, ...replaced] };
    },
    join: (request) => {
      const names = request.files.map((file) => documentName(file)).join(', ');
      const { value, problems } = importedDocument(names, `Imported from ${names}.`, parts);
      if (value !== null) return Promise.resolve(value);
      throw new UnderstoryError('bad-input', 'the files do not make one scenario', { problems });
    },
  };
}

/** @throws UnderstoryError 'bad-input' for a file whose positions are in another unit, or angles */
async function expectMetres(files: Files, crs: string, file: string): Promise<void> {
  const problem = await problemOfSystem(files, crs);
  if (problem === null) return;
  throw badInput('files', `'${file}': ${problem}: gdalwarp -t_srs EPSG:25832, with your zone`);
}

interface ImportedFile extends ConversionOptions {
  file: string;
  format: ImportFormat;
}

async function importFile(
  files: Files,
  { file, format, loadDraco, onProgress = () => undefined }: ImportedFile,
  request: ConversionRequest,
): Promise<Parsed<ImportedScene>> {
  const { unit, species, out, meshes, areaM, cellM, columns, plotCentreM, skipsBadRows } = request;
  const stem = slugOf(documentName(out), 'scene');
  const terrain = { file, picture: `${stem}-heights.png`, cut: { areaM, cellM } };
  switch (format) {
    case 'mavs':
      return importMavs(files, { file, out, folders: meshes, stem });
    case 'helios':
      return importHeliosFile(files, { file, out, folders: meshes, stem });
    case 'ascii-grid':
      return importAsciiGrid(files, terrain);
    case 'geotiff':
      return importGeoTiff(files, terrain, onProgress);
    case 'gltf':
      return importGltf(files, file, stem, loadDraco);
    case 'tree-list': {
      const nameOf = (plant: string): string =>
        files.isAbsolute(plant) ? files.pathFrom(out, plant) : plant;
      const plants = await readPlants(files, Object.values(species), nameOf);
      if (plants.value === null) return plants;
      const text = await files.readText(file);
      const bySpecies = Object.entries(species).map(
        ([name, plant]) => [name.toLowerCase(), nameOf(plant)] as const,
      );
      const options = {
        unit,
        columns,
        plotCentreM,
        skipsBadRows,
        plants: plants.value,
        species: Object.fromEntries(bySpecies),
      };
      return importTreeList(text, options);
    }
  }
}

/** Bytes of a glTF and all files that it names at most, each counted once. */
const maxGltfBytes = 2 ** 30;

/** Why its reader is loaded here: only glTF needs the library. */
async function importGltf(
  files: Files,
  file: string,
  stem: string,
  loadDraco: LoadDraco | undefined,
): Promise<Parsed<ImportedScene>> {
  const { gltfFiles, readGltf } = await import('#domain/import/gltf/gltfDocument.ts');
  const bytes = await files.readBytes(file, maxGltfBytes);
  const beside = gltfFiles(bytes);
  if (beside.value === null) return beside;
  const missing: string[] = [];
  const named: { name: string; path: string }[] = [];
  let size = bytes.length;
  for (const { name, isImage } of beside.value) {
    const path = files.resolveFrom(file, name);
    const own = await files.size(path).catch((error: unknown) => {
      if (isImage && error instanceof UnderstoryError && error.code === 'not-found') return null;
      throw error;
    });
    if (own === null) missing.push(`image '${name}' is missing: its materials have none`);
    else named.push({ name, path });
    size += own ?? 0;
  }
  if (size > maxGltfBytes) {
    const found = `${bytesText(size)} in ${named.length + 1} files`;
    const message = `expected a glTF of at most ${bytesText(maxGltfBytes)}, found ${found}`;
    return refused('(file)', message);
  }
  const resources: Record<string, Uint8Array> = {};
  for (const { name, path } of named) resources[name] = await files.readBytes(path, maxGltfBytes);
  const read = await readGltf(bytes, resources, loadDraco);
  if (read.value === null) return read;
  const { gltfScene } = await import('#domain/import/gltf/gltfScene.ts');
  const scene = gltfScene(read.value, stem);
  scene.value?.notes.push(...missing);
  return scene;
}

/** The plants that represent species, and those that a request names, by their names in the scenario. */
async function readPlants(
  files: Files,
  named: readonly string[],
  nameOf: (plant: string) => string,
): Promise<Parsed<ReadonlyMap<string, Plant>>> {
  const plants = new Map<string, Plant>();
  for (const name of new Set([...Object.values(plantOfForm), ...named])) {
    const plant = await readReferred(files, { kind: 'plant', name, at: 'species' });
    if (plant.value === null) return plant;
    plants.set(nameOf(name), plant.value);
  }
  return { value: plants, problems: [] };
}
