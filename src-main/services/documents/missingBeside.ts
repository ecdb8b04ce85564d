// Files that meshes name and that are not there: their faces are read without them, and a note names them.
import { formatPath } from '#contract/documents/problems.ts';
import type { ModelRecipe } from '#contract/worker/recipe.ts';
import type { Notice } from '#domain/shared/notice.ts';
import { filesNamedBy, pathOf, type MeshNamePorts } from './meshNames.ts';

/** The rest of a larger OBJ is not looked at. */
const maxObjBytes = 2 ** 26;

/** A notice for each model of the document whose mesh names files that cannot be read. */
export async function missingNotices(
  files: MeshNamePorts,
  models: readonly ModelRecipe[],
  signal: AbortSignal,
): Promise<Notice[]> {
  const notices: Notice[] = [];
  for (const { name, source } of models) {
    if (source.kind !== 'mesh' || name.includes(':')) continue;
    const missing = new Set<string>();
    for (const named of await filesNamedBy(files, source, signal, maxObjBytes)) {
      if ((await pathOf(files, source, named, signal)) === null) missing.add(named.name);
    }
    if (missing.size === 0) continue;
    const shown = [...missing].slice(0, 3).map((file) => `'${file}'`);
    const more = missing.size > 3 ? ` and ${missing.size - 3} more` : '';
    const message = `without ${shown.join(', ')}${more}: expected in the folder of the mesh; it has no colours and no holes of these`;
    notices.push({ path: formatPath(['scene', 'models', name]), message });
  }
  return notices;
}
