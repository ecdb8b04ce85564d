// The files of a mesh: the mesh, and the material files and images that it names, which lie in its folder.
import { UnderstoryError } from '#contract/errors.ts';
import { isBesideName, type MeshSet } from '#contract/documents/bundle.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import {
  filesNamedBy,
  pathOf,
  type MeshNamePorts,
  type MeshSource,
} from '#services/documents/meshNames.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';

type MeshPorts = MeshNamePorts & Pick<Files, 'hash'>;

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

/** Files that are there, each once. Why only these: the mesh is read without the others here, and so it is there. */
async function besideNames(
  ports: MeshPorts,
  mesh: MeshSource,
  signal: AbortSignal,
): Promise<string[]> {
  const found = new Set<string>();
  for (const named of await filesNamedBy(ports, mesh, signal)) {
    const { isImage, name, beside } = named;
    if (!isImage && (beside === null || name.split('/').includes('..'))) {
      const message = `the mesh '${mesh.file}' names the file '${name}', which a bundle cannot hold: expected one in its folder`;
      throw new UnderstoryError('unsupported', message);
    }
    if (beside !== null && (await pathOf(ports, mesh, named, signal)) !== null) found.add(beside);
  }
  return [...found];
}
