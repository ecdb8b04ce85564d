// What the things of a scene are called, by the ids that returns carry.
import { scatterCopyName } from '#contract/instanceNames.ts';
import type { SceneContents } from '#contract/sceneMethods.ts';

/** 'object 17' where the scene has none of that id. */
export function objectName(
  contents: Pick<SceneContents, 'placed' | 'scatters'> | null,
  id: number,
): string {
  const placed = contents?.placed.find((one) => one.id === id);
  if (placed !== undefined) return placed.name;
  const scatter = contents?.scatters.find(
    ({ firstId, count }) => id >= firstId && id < firstId + count,
  );
  return scatter === undefined ? `object ${id}` : scatterCopyName(scatter, id);
}
