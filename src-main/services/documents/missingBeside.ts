// Files that meshes name and that are not there: their faces are read without them, and a note names them.
import { formatPath } from '#contract/documents/problems.ts';
import type { ModelRecipe, ModelSource } from '#contract/worker/recipe.ts';
import { imageBeside, mtlImages, nameInside, plyImages } from '#domain/scene/meshBeside.ts';
import { createObjSummary } from '#domain/scene/objSummary.ts';
import type { Notice } from '#domain/shared/notice.ts';
import type { Files } from '../ports/files.ts';

type MeshSource = Extract<ModelSource, { kind: 'mesh' }>;

/** Limits of the native reader (core/scene/readers/meshFile.h). */
const maxMaterialFileBytes = 2 ** 24;
const maxImageFileBytes = 2 ** 26;

/** Header of a PLY; more is not looked at. */
const maxHeaderBytes = 2 ** 20;

/** Statements `mtllib` begin a file: of a large one the rest is not looked at. */
const maxObjBytes = 2 ** 26;

/** Reads meshes as far as they name files. */
export type BesideFiles = Pick<Files, 'pieces' | 'readText' | 'resolveFrom' | 'size'>;

/** A notice for each model of the document whose mesh names files that cannot be read. */
export async function missingNotices(
  files: BesideFiles,
  models: readonly ModelRecipe[],
  signal: AbortSignal,
): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const { name, source } of models) {
    if (source.kind !== 'mesh' || name.includes(':')) continue;
    const missing = await missingOf(files, source, signal);
    if (missing.length === 0) continue;
    const shown = missing.slice(0, 3).map((file) => `'${file}'`);
    const more = missing.length > 3 ? ` and ${missing.length - 3} more` : '';
    const message = `without ${shown.join(', ')}${more}: expected in the folder of the mesh; it has no colours and no holes of these`;
    notices.push({ path: formatPath(['scene', 'models', name]), message });
  }
  return notices;
}

/** Names as the files give them, each once. */
async function missingOf(
  files: BesideFiles,
  source: MeshSource,
  signal: AbortSignal,
): Promise<string[]> {
  const missing = new Set<string>();
  const hasImages = source.textures !== false;
  const isThere = async (beside: string | null, maxBytes: number): Promise<boolean> => {
    if (beside === null) return false;
    const file = files.resolveFrom(source.file, beside);
    const bytes = await files.size(file, signal).catch(() => Infinity);
    return bytes <= maxBytes;
  };
  const checkImages = async (library: string, images: readonly string[]): Promise<void> => {
    for (const image of images) {
      if (!(await isThere(imageBeside(library, image), maxImageFileBytes))) missing.add(image);
    }
  };
  if (source.format === 'ply' && hasImages) {
    await checkImages('', plyImages(await headerOf(files, source.file, signal)));
  }
  if (source.format !== 'obj') return [...missing];
  const reader = createObjSummary();
  let read = 0;
  const take = (bytes: Uint8Array): boolean => {
    reader.push(bytes);
    read += bytes.length;
    return read < maxObjBytes;
  };
  await files.pieces(source.file, take, signal);
  for (const library of reader.end().libraries) {
    if (!(await isThere(nameInside(library), maxMaterialFileBytes))) missing.add(library);
    else if (hasImages) {
      const text = await files.readText(files.resolveFrom(source.file, library), signal);
      await checkImages(library, mtlImages(text));
    }
  }
  return [...missing];
}

async function headerOf(files: BesideFiles, file: string, signal: AbortSignal): Promise<string> {
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
