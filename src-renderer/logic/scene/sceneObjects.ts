// An instance of a scene as a person sees it: its name, and its part of the document.
import { scatterCopyName } from '#contract/worker/instanceNames.ts';
import type { SceneContents } from '#contract/host/sceneMethods.ts';

export interface SceneObject {
  id: number;
  name: string;
  /** 'copy': one of a scatter's, which has no place of its own in the document. */
  kind: 'ground' | 'wall' | 'placed' | 'copy';
  /** Name of the scatter of a copy. */
  scatter: string | null;
  className: string;
  modelName: string;
  /** Triangles of the whole model. */
  triangles: number;
}

/** Null where the scene has no such instance. */
export function sceneObject(
  { placed, scatters, classes, models }: SceneContents,
  id: number,
): SceneObject | null {
  const own = placed.find((one) => one.id === id);
  const scatter = scatters.find(({ firstId, count }) => id >= firstId && id < firstId + count);
  const source = own ?? scatter;
  if (source === undefined) return null;
  const model = models[source.model];
  return {
    id,
    name: own?.name ?? (scatter === undefined ? '' : scatterCopyName(scatter, id)),
    kind: own === undefined ? 'copy' : kindOf(model?.name ?? ''),
    scatter: own === undefined ? (scatter?.name ?? null) : null,
    className: classes[source.class] ?? '',
    modelName: (model?.name ?? '').replace(/^(wall|ground):.*/, '$1'),
    triangles: model?.triangles ?? 0,
  };
}

/** The id of a name, if the scene has one. */
export function idOfName({ placed, scatters }: SceneContents, name: string): number | null {
  const own = placed.find((one) => one.name === name);
  if (own !== undefined) return own.id;
  for (const { name: scatter, firstId, count } of scatters) {
    if (!name.startsWith(`${scatter}-`)) continue;
    const number = Number(name.slice(scatter.length + 1));
    if (Number.isInteger(number) && number >= 1 && number <= count) return firstId + number - 1;
  }
  return null;
}

function kindOf(modelName: string): SceneObject['kind'] {
  if (modelName === 'ground:surface') return 'ground';
  return modelName.startsWith('wall:') ? 'wall' : 'placed';
}
