// Names over a view of a scene: of placed objects, above them; and of what is selected, whatever it is.
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { rowOf, type InstanceTable } from './instanceTable.ts';
import type { PointM } from './measuring.ts';
import type { SceneObject } from './sceneObjects.ts';

export interface NameLabel {
  text: string;
  positionM: PointM;
  kind: 'name';
  /** True for selected objects. */
  isFirst: boolean;
}

/** Height of a name above its box. */
const aboveM = 0.1;

export function nameLabels(
  { placed, models }: SceneContents,
  table: InstanceTable,
  selected: readonly SceneObject[],
): NameLabel[] {
  const ground = models.findIndex(({ name }) => name === 'ground:surface');
  const chosen = new Set(selected.map(({ id }) => id));
  const others = placed.filter(({ id, model }) => model !== ground && !chosen.has(id));
  return [...others, ...selected].flatMap(({ id, name }) => {
    const row = rowOf(table, id);
    if (row < 0) return [];
    const box = table.boxesM.subarray(6 * row, 6 * row + 6);
    const [minX = 0, minY = 0, , maxX = 0, maxY = 0, maxZ = 0] = box;
    const positionM = [(minX + maxX) / 2, (minY + maxY) / 2, maxZ + aboveM] as const;
    return [{ text: name, positionM, kind: 'name' as const, isFirst: chosen.has(id) }];
  });
}
