// Scenes of other simulators, with the files that they name: meshes stay where they are, and are looked for in given
// folders, beside the scene and in the folders above it, as the simulators resolve names from their own root.
import type { Parsed } from '#contract/documents/problems.ts';
import type { ForeignFiles, ForeignMesh } from '#domain/import/foreignMeshes.ts';
import type { HeliosFiles } from '#domain/import/helios/importHelios.ts';
import type { ImportedScene } from '#domain/import/importedScene.ts';
import { refused } from '#domain/import/table.ts';
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
): Promise<Parsed<ImportedScene>> {
  const { mavsScene } = await import('#domain/import/mavs/mavsScene.ts');
  const text = await files.readText(source.file);
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (error) {
    return refused('(file)', `expected JSON: ${(error as Error).message}`);
  }
  return mavsScene(data, foreignFiles(files, source), source.stem);
}

export async function importHeliosFile(
  files: Files,
  source: ForeignSource,
): Promise<Parsed<ImportedScene>> {
  const { parseXml } = await import('#domain/import/helios/xml.ts');
  const { importHelios } = await import('#domain/import/helios/importHelios.ts');
  const document = parseXml(await files.readText(source.file));
  if (document.value === null) return document;
  const readXml: HeliosFiles['readXml'] = async (name) => {
    const file = await findFile(files, source, name);
    return file === null ? null : parseXml(await files.readText(file));
  };
  return importHelios(document.value, { ...foreignFiles(files, source), readXml }, source.stem);
}

function foreignFiles(files: Files, source: ForeignSource): ForeignFiles {
  const find = (name: string): Promise<string | null> => findFile(files, source, name);
  return {
    findMesh: async (name): Promise<ForeignMesh | null> => {
      const isMesh = meshEndings.some((ending) => name.toLowerCase().endsWith(ending));
      const file = isMesh ? await find(name) : null;
      if (file === null) return null;
      const { materials, colours } = await meshSummary(files, file);
      return { file: files.pathFrom(source.out, file), materials, colours };
    },
    readMesh: async (name) => {
      const file = await find(name);
      if (file === null) throw new Error(`'${name}' was found before`);
      return files.readBytes(file, maxMeshBytes);
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
