// Names over a view of a scene: of placed objects, above them; and of what is selected, whatever it is.
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { rowOf, type InstanceTable } from './instanceTable.ts';
import type { PointM } from './measuring.ts';
import type { SceneObject } from './sceneObjects.ts';

export interface NameLabel {
  text: string;
  positionM: PointM;
  kind: 'name';
  /** Above the place. */
  liftPx?: number;
  /** True for selected objects. */
  isFirst: boolean;
}

/** Height of a name above its box. */
const aboveM = 0.1;

/** Several objects with one motion have the name of the motion, above all of them. */
export function nameLabels(
  { placed, models, motions }: SceneContents,
  table: InstanceTable,
  selected: readonly SceneObject[],
): NameLabel[] {
  const ground = models.findIndex(({ name }) => name === 'ground:surface');
  const chosen = new Set(selected.map(({ id }) => id));
  const others = placed.filter(({ id, model }) => model !== ground && !chosen.has(id));
  const groups = Map.groupBy(others, ({ id, motion }) => motion ?? -id);
  return [
    ...[...groups.values()].map((group) => {
      const [first] = group;
      // Names of motions have no colon; that of the vehicle has its view behind one.
      const motion = group.length > 1 ? motions[first?.motion ?? -1]?.name : undefined;
      return {
        text: motion?.split(':')[0] ?? first?.name ?? '',
        ids: group.map(({ id }) => id),
        isFirst: false,
      };
    }),
    ...selected.map(({ id, name }) => ({ text: name, ids: [id], isFirst: true })),
  ].flatMap(({ text, ids, isFirst }) => {
    const positionM = topOf(table, ids);
    return positionM === null ? [] : [{ text, positionM, kind: 'name' as const, isFirst }];
  });
}

/** Above the middle of the box of some instances; null where none of them is on screen. */
function topOf(table: InstanceTable, ids: readonly number[]): PointM | null {
  const low = [Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const id of ids) {
    const row = rowOf(table, id);
    if (row < 0) continue;
    const [minX = 0, minY = 0, , maxX = 0, maxY = 0, maxZ = 0] = table.boxesM.subarray(6 * row);
    for (const [axis, value] of [minX, minY].entries()) {
      low[axis] = Math.min(low[axis] ?? value, value);
    }
    for (const [axis, value] of [maxX, maxY, maxZ].entries()) {
      high[axis] = Math.max(high[axis] ?? value, value);
    }
  }
  const [lowX = 0, lowY = 0] = low;
  const [highX = 0, highY = 0, highZ = 0] = high;
  if (lowX > highX) return null;
  return [(lowX + highX) / 2, (lowY + highY) / 2, highZ + aboveM];
}
