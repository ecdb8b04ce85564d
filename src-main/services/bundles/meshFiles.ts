// The files of a mesh: the mesh, and the material files and images that it names, which lie in its folder.
import { UnderstoryError } from '#contract/errors.ts';
import { isBesideName, type MeshSet } from '#contract/documents/bundle.ts';
import type { ModelSource } from '#contract/worker/recipe.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import { imageBeside, mtlImages, nameInside, plyImages } from '#domain/scene/meshBeside.ts';
import { createObjSummary } from '#domain/scene/objSummary.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';

type MeshSource = Extract<ModelSource, { kind: 'mesh' }>;
type MeshPorts = Pick<Files, 'hash' | 'pieces' | 'readText' | 'exists' | 'resolveFrom'>;

/** A mesh as a bundle holds it. */
export interface PortableMesh {
  /** SHA-256 of the mesh file alone. */
  hash: string;
  /** Its name in the recipe of the bundle. */
  name: string;
  /** Where the entries of the bundle are here. */
  files: Map<string, string>;
  /** The list of a mesh with files beside it: name of the entry and its text; null: it names none. */
  set: { name: string; text: string } | null;
}

/** More of a header is not read. */
const maxHeaderBytes = 2 ** 20;

/**
 * Names in the bundle, by contents. @param mesh with an absolute file, which exists
 * @throws UnderstoryError 'unsupported' for a name that a bundle cannot hold
 */
export async function portableMesh(
  ports: MeshPorts,
  mesh: MeshSource,
  signal: AbortSignal,
): Promise<PortableMesh> {
  const hash = await ports.hash(mesh.file, signal);
  const own = `${hash}.${mesh.format}`;
  const files = new Map([[`meshes/${own}`, mesh.file]]);
  const beside: MeshSet['beside'] = [];
  for (const name of (await besideNames(ports, mesh, signal)).sort()) {
    if (!isBesideName(name)) {
      const message = `the mesh '${mesh.file}' names the file '${name}', which a bundle cannot hold: rename it`;
      throw new UnderstoryError('unsupported', message);
    }
    const file = ports.resolveFrom(mesh.file, name);
    const contents = await ports.hash(file, signal);
    files.set(`beside/${contents}`, file);
    beside.push({ name, sha256: contents });
  }
  if (beside.length === 0) return { hash, name: `meshes/${own}`, files, set: null };
  const set: MeshSet = { mesh: hash, beside };
  const text = canonicalJson(set);
  const setHash = await sha256(text);
  const list = { name: `meshes/${setHash}.json`, text };
  return { hash, name: `meshes/${setHash}/${own}`, files, set: list };
}

/** Files that exist, each once. */
async function besideNames(
  ports: MeshPorts,
  mesh: MeshSource,
  signal: AbortSignal,
): Promise<string[]> {
  const hasImages = mesh.textures !== false;
  if (mesh.format === 'ply') {
    const images = hasImages ? plyImages(await headerOf(ports, mesh.file, signal)) : [];
    return existing(
      ports,
      mesh,
      images.map((image) => imageBeside('', image)),
    );
  }
  if (mesh.format !== 'obj') return [];
  const reader = createObjSummary();
  await ports.pieces(mesh.file, (bytes) => reader.push(bytes), signal);
  const names: (string | null)[] = [];
  for (const library of reader.end().libraries) {
    const name = nameInside(library);
    if (name === null || library.split('/').includes('..')) {
      const message = `the mesh '${mesh.file}' names the file '${library}', which a bundle cannot hold: expected one in its folder`;
      throw new UnderstoryError('unsupported', message);
    }
    const file = ports.resolveFrom(mesh.file, library);
    // Why: the mesh is read without it here, and so it is there.
    if (!(await ports.exists(file))) continue;
    const text = await ports.readText(file, signal);
    names.push(name);
    if (!hasImages) continue;
    for (const image of mtlImages(text)) names.push(imageBeside(library, image));
  }
  return existing(ports, mesh, names);
}

/** Why only these: a material that no face has may name an image that is not there. */
async function existing(
  { exists, resolveFrom }: Pick<MeshPorts, 'exists' | 'resolveFrom'>,
  { file }: MeshSource,
  names: readonly (string | null)[],
): Promise<string[]> {
  const found: string[] = [];
  for (const name of new Set(names)) {
    if (name !== null && (await exists(resolveFrom(file, name)))) found.push(name);
  }
  return found;
}

async function headerOf(
  { pieces }: Pick<MeshPorts, 'pieces'>,
  file: string,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  await pieces(
    file,
    (bytes) => {
      text += decoder.decode(bytes, { stream: true });
      return text.length < maxHeaderBytes;
    },
    signal,
  );
  return text.slice(0, maxHeaderBytes);
}
