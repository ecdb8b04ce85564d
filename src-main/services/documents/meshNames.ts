// Files that a mesh names: material files of an OBJ with their images, images of a PLY.
import type { ModelSource } from '#contract/worker/recipe.ts';
import { imageBeside, mtlImages, nameInside, plyImages } from '#domain/scene/meshBeside.ts';
import { createObjSummary } from '#domain/scene/objSummary.ts';
import type { Files } from '../ports/files.ts';

export type MeshSource = Extract<ModelSource, { kind: 'mesh' }>;
export type MeshNamePorts = Pick<Files, 'pieces' | 'readText' | 'resolveFrom' | 'size'>;

export interface NamedFile {
  /** False: it is a material file. */
  isImage: boolean;
  /** As the mesh or its material file writes it. */
  name: string;
  /** As seen from the folder of the mesh; null: outside of it, where nothing is read. */
  beside: string | null;
}

/** Limits of the native reader (native-workers/core/scene/readers/meshFile.h). */
const [maxImageBytes, maxMaterialBytes] = [2 ** 26, 2 ** 24];

/** Header of a PLY; more is not looked at. */
const maxHeaderBytes = 2 ** 20;

/**
 * In the order of the mesh, whether they are there or not.
 * @param mesh with an absolute file
 * @param maxObjBytes that are looked at: statements `mtllib` begin a file
 */
export async function filesNamedBy(
  files: MeshNamePorts,
  mesh: MeshSource,
  signal: AbortSignal,
  maxObjBytes = Infinity,
): Promise<NamedFile[]> {
  const imagesOf = (library: string, images: readonly string[]): NamedFile[] =>
    mesh.textures === false
      ? []
      : images.map((name) => ({ isImage: true, name, beside: imageBeside(library, name) }));
  if (mesh.format === 'ply') {
    return imagesOf('', plyImages(await headerOf(files, mesh.file, signal)));
  }
  if (mesh.format !== 'obj') return [];
  const reader = createObjSummary();
  let read = 0;
  const take = (bytes: Uint8Array): boolean => {
    reader.push(bytes);
    read += bytes.length;
    return read < maxObjBytes;
  };
  await files.pieces(mesh.file, take, signal);
  const named: NamedFile[] = [];
  for (const name of reader.end().libraries) {
    const library: NamedFile = { isImage: false, name, beside: nameInside(name) };
    named.push(library);
    const file = await pathOf(files, mesh, library, signal);
    if (file !== null) {
      named.push(...imagesOf(name, mtlImages(await files.readText(file, signal))));
    }
  }
  return named;
}

/** The absolute path of a named file; null where it is not there, or larger than the native reader takes. */
export async function pathOf(
  files: MeshNamePorts,
  mesh: MeshSource,
  { isImage, beside }: NamedFile,
  signal: AbortSignal,
): Promise<string | null> {
  if (beside === null) return null;
  const file = files.resolveFrom(mesh.file, beside);
  const bytes = await files.size(file, signal).catch(() => Infinity);
  return bytes <= (isImage ? maxImageBytes : maxMaterialBytes) ? file : null;
}

async function headerOf(
  files: Pick<MeshNamePorts, 'pieces'>,
  file: string,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  await files.pieces(
    file,
    (bytes) => {
      text += decoder.decode(bytes, { stream: true });
      return text.length < maxHeaderBytes;
    },
    signal,
  );
  return text.slice(0, maxHeaderBytes);
}
