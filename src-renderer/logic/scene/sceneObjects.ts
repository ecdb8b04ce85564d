// An instance of a scene as a person sees it: its name, and its part of the document.
import { landscapePlant, scatterCopyName } from '#contract/worker/instanceNames.ts';
import type { SceneContents } from '#contract/host/sceneMethods.ts';

export interface SceneObject {
  id: number;
  name: string;
  /** 'copy': one of a scatter's or a landscape's, which is not listed in the document. */
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
  { placed, scatters, landscapes, classes, models }: SceneContents,
  id: number,
): SceneObject | null {
  // Placed objects count from 1 (compileScene).
  const own = placed[id - 1]?.id === id ? placed[id - 1] : placed.find((one) => one.id === id);
  const scatter = scatters.find(({ firstId, count }) => id >= firstId && id < firstId + count);
  const [plant = null] = landscapes.flatMap((one) => landscapePlant(one, id) ?? []);
  const source = own ?? scatter ?? plant;
  if (source === null) return null;
  const model = models[source.model];
  return {
    id,
    name: own?.name ?? (scatter === undefined ? source.name : scatterCopyName(scatter, id)),
    kind: own === undefined ? 'copy' : kindOf(model?.name ?? ''),
    scatter: own === undefined ? (scatter?.name ?? null) : null,
    className: classes[source.class] ?? '',
    modelName: (model?.name ?? '').replace(/^(wall|ground):.*/, '$1'),
    triangles: model?.triangles ?? 0,
  };
}

/** The id of a name, if the scene has one. */
export function idOfName(
  { placed, scatters, landscapes }: SceneContents,
  name: string,
): number | null {
  const own = placed.find((one) => one.name === name);
  if (own !== undefined) return own.id;
  for (const { name: scatter, firstId, count } of scatters) {
    if (!name.startsWith(`${scatter}-`)) continue;
    const number = Number(name.slice(scatter.length + 1));
    if (Number.isInteger(number) && number >= 1 && number <= count) return firstId + number - 1;
  }
  return plantOfName(landscapes, name);
}

/** By its square and its name or number in the tile. */
function plantOfName(landscapes: SceneContents['landscapes'], name: string): number | null {
  const [, called, square = '', plant = ''] = /^(.+)-([1-9]\d*):(.+)$/.exec(name) ?? [];
  const landscape = landscapes.find((one) => one.name === called);
  if (landscape === undefined) return null;
  const { firstId, plantsPerSquare, tileOf, tiles } = landscape;
  const { plants = [] } = tiles[tileOf[Number(square) - 1] ?? -1] ?? {};
  const own = plants.findIndex((one) => one.name === plant);
  const number = own >= 0 ? own : plants.length + Number(plant) - 1;
  const id = firstId + (Number(square) - 1) * plantsPerSquare + number;
  return landscapePlant(landscape, id)?.name === name ? id : null;
}

function kindOf(modelName: string): SceneObject['kind'] {
  if (modelName === 'ground:surface') return 'ground';
  return modelName.startsWith('wall:') ? 'wall' : 'placed';
}
