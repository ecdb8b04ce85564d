// Notices about the meshes of a scene that did not stop it: facets left out, faces that are not plane or cross
// themselves. For reports of `scenario check` and `scan`.
import { formatPath } from '#contract/documents/problems.ts';
import type { ModelSummary } from '#contract/worker/worker.ts';
import { countText } from '#domain/shared/formats.ts';
import type { Notice } from '#domain/shared/notice.ts';

/** One notice for each model and kind; none for models without such facets. */
export function meshNotices(
  models: readonly Pick<ModelSummary, 'name' | 'degenerate' | 'nonPlanar' | 'selfIntersecting'>[],
): Notice[] {
  return models.flatMap(({ name, degenerate, nonPlanar, selfIntersecting }) => {
    const path = formatPath(['scene', 'models', name]);
    const found = [
      [degenerate, 'without area: left out'],
      [nonPlanar, 'with corners off one plane: made of plane triangles'],
      [selfIntersecting, 'with edges that cross: the area they cover is ambiguous'],
    ] as const;
    return found
      .filter(([count]) => count > 0)
      .map(([count, what]) => {
        const noun = what.startsWith('without') ? 'triangle' : 'face';
        return { path, message: `${countText(count)} ${noun}${count === 1 ? '' : 's'} ${what}` };
      });
  });
}
