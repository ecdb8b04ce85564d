// Scenes of other simulators, with the files that they name: meshes stay where they are, and are looked for in given
// folders, beside the scene and in the folders above it, as the simulators resolve names from their own root.
import type { Parsed } from '#contract/documents/problems.ts';
import type { ForeignMesh } from '#domain/import/foreignMeshes.ts';
import type { HeliosFiles } from '#domain/import/helios/importHelios.ts';
import type { ImportedScene } from '#domain/import/importedScene.ts';
import { meshSummary } from '#services/documents/meshSummary.ts';
import type { Files } from '#services/ports/files.ts';

export interface ForeignSource {
  /** Absolute: the scene, and the scenario that it becomes. */
  file: string;
  out: string;
  /** Absolute folders that are searched first. */
  folders: readonly string[];
  /** Stem of the names of files beside the scenario. */
  stem: string;
}

/** Bytes of a mesh that is copied at most. */
const maxMeshBytes = 2 ** 29;
/** Folders above a scene that are searched. */
const maxLevels = 8;
const meshEndings = ['.obj', '.ply', '.stl'];

export async function importMavs(
  files: Files,
  source: ForeignSource,
  signal: AbortSignal,
): Promise<Parsed<ImportedScene>> {
  const { mavsScene } = await import('#domain/import/mavs/mavsScene.ts');
  const text = await files.readText(source.file, signal);
  const data = await files.texts.foreignJson({ name: source.file, signal }, text);
  if (data.problems.length > 0) return { value: null, problems: data.problems };
  return mavsScene(data.value, foreignFiles(files, source, signal), source.stem);
}

export async function importHeliosFile(
  files: Files,
  source: ForeignSource,
  signal: AbortSignal,
): Promise<Parsed<ImportedScene>> {
  const { importHelios } = await import('#domain/import/helios/importHelios.ts');
  const text = await files.readText(source.file, signal);
  const document = await files.texts.foreignXml({ name: source.file, signal }, text);
  if (document.value === null) return document;
  return importHelios(document.value, foreignFiles(files, source, signal), source.stem);
}

function foreignFiles(files: Files, source: ForeignSource, signal: AbortSignal): HeliosFiles {
  const find = (name: string): Promise<string | null> => findFile(files, source, name);
  return {
    readXml: async (name) => {
      const file = await find(name);
      if (file === null) return null;
      return files.texts.foreignXml({ name: file, signal }, await files.readText(file, signal));
    },
    findMesh: async (name): Promise<ForeignMesh | null> => {
      const isMesh = meshEndings.some((ending) => name.toLowerCase().endsWith(ending));
      const file = isMesh ? await find(name) : null;
      if (file === null) return null;
      const { materials, colours } = await meshSummary(files, file, signal);
      return { file: files.pathFrom(source.out, file), materials, colours };
    },
    readMesh: async (name) => {
      const file = await find(name);
      if (file === null) throw new Error(`'${name}' was found before`);
      return files.readBytes(file, maxMeshBytes, signal);
    },
  };
}

/** The first file of that name; null: there is none. */
async function findFile(
  files: Files,
  { file, folders }: ForeignSource,
  name: string,
): Promise<string | null> {
  const plain = name.replaceAll('\\', '/');
  const above = Array.from({ length: maxLevels }, (_, level) => '../'.repeat(level));
  const places = files.isAbsolute(plain)
    ? [plain]
    : [
        ...folders.map((folder) => files.resolveFrom(`${folder}/scene`, plain)),
        // MAVS has its meshes in a folder beside its scenes.
        files.resolveFrom(file, `meshes/${plain}`),
        ...above.map((up) => files.resolveFrom(file, `${up}${plain}`)),
      ];
  for (const place of places) if (await files.exists(place)) return place;
  return null;
}
