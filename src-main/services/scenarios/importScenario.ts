// scenario.import: reads foreign files, lets the importers of domain/import convert them, and writes a scenario with
// what lies beside it. Guarantees: nothing is written before every file was understood; the scenario takes its name
// only when it has no problems, and what lies beside it stays only then.
import { badInput, UnderstoryError } from '#contract/errors.ts';
import type { Plant } from '#contract/documents/plant.ts';
import type { Parsed } from '#contract/documents/problems.ts';
import { importFormats, type ImportFormat } from '#contract/host/importMethods.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { importFormatOf } from '#domain/import/formats.ts';
import { slugOf, type ImportedScene } from '#domain/import/importedScene.ts';
import { importedDocument } from '#domain/import/importedDocument.ts';
import { plantOfForm } from '#domain/import/species.ts';
import { refused } from '#domain/import/table.ts';
import { importTreeList } from '#domain/import/treeList.ts';
import { bytesText } from '#domain/shared/formats.ts';
import { documentName, readReferred } from '#services/documents/documentFiles.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Files } from '#services/ports/files.ts';
import { importHeliosFile, importMavs } from './importForeign.ts';
import { importAsciiGrid, importGeoTiff } from './importTerrain.ts';
import { checkMeshes, type ScenePorts } from '#services/scans/sceneWork.ts';

/** Problems of a file that are told: a damaged one may have hundreds of thousands. */
const maxProblems = 100;

export type ImportPorts = ScenePorts & { documents: Documents; files: Files };
type Request = RequestOf<'scenario.import'>;

/** @throws UnderstoryError 'bad-input' with every problem at its file; 'not-found', 'io', 'disk-full' as Files */
export async function importScenario(
  ports: ImportPorts,
  request: Request,
  context: HandlerContext,
): Promise<Replies['scenario.import']> {
  const { files } = ports;
  const sources: Replies['scenario.import']['sources'] = [];
  const parts: ImportedScene[] = [];
  for (const file of request.files) {
    const format = request.format ?? importFormatOf(file);
    if (format === null) {
      const known = importFormats.join(', ');
      throw refusal(`'${file}': expected a file of a known ending, or --format ${known}`);
    }
    const part = await importFile(ports, file, format, request, context.signal);
    if (part.value === null) {
      const problems = part.problems.slice(0, maxProblems).map(({ path, code, message }) => {
        return { path: `${file}: ${path}`, code, message };
      });
      throw new UnderstoryError('bad-input', `'${file}' cannot be imported`, { problems });
    }
    parts.push({ ...part.value, crs: request.crs ?? part.value.crs });
    const { imported, ignored, notes } = part.value;
    sources.push({ file, format, imported, ignored, notes });
  }
  const names = request.files.map((file) => documentName(file)).join(', ');
  const document = importedDocument(names, `Imported from ${names}.`, parts);
  if (document.value === null) {
    const { problems } = document;
    throw new UnderstoryError('bad-input', 'the files do not make one scenario', { problems });
  }
  const { text } = document.value;
  const beside = await filesBeside(files, request, document.value);
  // Why written before the check: it reads the meshes and heights that the scenario names.
  const notices = await files.writeChecked(beside, async () => {
    const found = await checkText(ports, request.out, text, context);
    await files.writeText(request.out, text);
    return found;
  });
  return { scenario: request.out, files: beside.map(({ path }) => path), sources, notices };
}

function refusal(message: string): UnderstoryError {
  return badInput('files', message);
}

async function importFile(
  { files }: ImportPorts,
  file: string,
  format: ImportFormat,
  { unit, species, out, meshes }: Request,
  signal: AbortSignal,
): Promise<Parsed<ImportedScene>> {
  const stem = slugOf(documentName(out), 'scene');
  switch (format) {
    case 'mavs':
      return importMavs(files, { file, out, folders: meshes, stem }, signal);
    case 'helios':
      return importHeliosFile(files, { file, out, folders: meshes, stem }, signal);
    case 'ascii-grid':
      return importAsciiGrid(files, file, `${stem}-heights.png`, signal);
    case 'geotiff':
      return importGeoTiff(files, file, `${stem}-heights.png`, signal);
    case 'gltf':
      return importGltf(files, file, stem, signal);
    case 'tree-list': {
      const nameOf = (plant: string): string =>
        files.isAbsolute(plant) ? files.pathFrom(out, plant) : plant;
      const plants = await readPlants(files, Object.values(species), nameOf, signal);
      if (plants.value === null) return plants;
      const text = await files.readText(file, signal);
      const bySpecies = Object.entries(species).map(
        ([name, plant]) => [name.toLowerCase(), nameOf(plant)] as const,
      );
      const options = { unit, plants: plants.value, species: Object.fromEntries(bySpecies) };
      return importTreeList(text, options);
    }
  }
}

/** Bytes of a glTF and all files that it names at most, each counted once. */
const maxGltfBytes = 2 ** 30;

async function importGltf(
  files: Files,
  file: string,
  stem: string,
  signal: AbortSignal,
): Promise<Parsed<ImportedScene>> {
  const bytes = await files.readBytes(file, maxGltfBytes, signal);
  const source = { name: file, signal };
  const beside = await files.texts.foreignGltfFiles(source, bytes);
  if (beside.value === null) return beside;
  const named = beside.value.map(({ name }) => ({ name, path: files.resolveFrom(file, name) }));
  let size = bytes.length;
  for (const { path } of named) size += await files.size(path, signal);
  if (size > maxGltfBytes) {
    const found = `${bytesText(size)} in ${named.length + 1} files`;
    const message = `expected a glTF of at most ${bytesText(maxGltfBytes)}, found ${found}`;
    return refused('(file)', message);
  }
  const resources: Record<string, Uint8Array> = {};
  for (const { name, path } of named) {
    resources[name] = await files.readBytes(path, maxGltfBytes, signal);
  }
  return files.texts.foreignGltf(source, bytes, resources, stem);
}

/** The plants that represent species, and those that a request names, by their names in the scenario. */
async function readPlants(
  files: Files,
  named: readonly string[],
  nameOf: (plant: string) => string,
  signal: AbortSignal,
): Promise<Parsed<ReadonlyMap<string, Plant>>> {
  const plants = new Map<string, Plant>();
  for (const name of new Set([...Object.values(plantOfForm), ...named])) {
    const plant = await readReferred(files, 'plant', name, null, 'species', signal);
    if (plant.value === null) return plant;
    plants.set(nameOf(name), plant.value);
  }
  return { value: plants, problems: [] };
}

/** The files to write beside the scenario. @throws UnderstoryError 'bad-input' for one that is not to be replaced */
async function filesBeside(
  files: Files,
  { out, isReplacing }: Request,
  document: { files: ImportedScene['files'] },
): Promise<{ path: string; content: string | Uint8Array }[]> {
  const named = document.files.map(({ name, content }) => {
    return { path: files.resolveFrom(out, name), content };
  });
  for (const path of [out, ...named.map((file) => file.path)]) {
    if (!isReplacing && (await files.exists(path))) throw refusal(`there is '${path}' already`);
  }
  return named;
}

/** Problems of a scenario's text and of its meshes, as scenario.check finds them, end the import. */
async function checkText(
  ports: ImportPorts,
  scenario: string,
  text: string,
  context: HandlerContext,
): Promise<Replies['scenario.import']['notices']> {
  const { signal } = context;
  const { value, problems } = await ports.documents.loadScenario(scenario, { text, signal });
  const message = `the imported scenario '${scenario}' has problems`;
  if (value === null) throw new UnderstoryError('bad-input', message, { problems });
  const meshes = await checkMeshes(ports, value.compiled.recipe, context);
  if (meshes.problems.length === 0) return meshes.notices;
  throw new UnderstoryError('bad-input', message, { problems: meshes.problems });
}
