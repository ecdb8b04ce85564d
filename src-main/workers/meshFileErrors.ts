// Failures about a mesh file of a scene: the worker names the file alone, which need not be the one a person thinks of.
import { UnderstoryError } from '#contract/errors.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';

/**
 * The failure with the path of the file that its message begins with; unchanged where it begins with no file of a model,
 * or where models have files of that name in several folders.
 */
export function withMeshPath(error: unknown, { models }: SceneRecipe): unknown {
  if (!(error instanceof UnderstoryError)) return error;
  const { code, message, details } = error;
  const { file } = details;
  if (typeof file !== 'string' || !message.startsWith(file)) return error;
  const paths = new Set(
    models.flatMap(({ source }) =>
      source.kind === 'mesh' && nameOf(source.file) === file ? [source.file] : [],
    ),
  );
  const [path] = paths;
  if (path === undefined || paths.size > 1) return error;
  return new UnderstoryError(code, `${path}${message.slice(file.length)}`, {
    ...details,
    file: path,
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
