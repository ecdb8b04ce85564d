// Names over a view of a scene: of placed objects, above them; and of what is selected, whatever it is.
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { BoundsM } from '../cloud/cloudBounds.ts';
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
  /** The box of the named objects. */
  boundsM?: BoundsM;
}

/** Height of a name above its box. */
export const aboveM = 0.1;

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
    const boundsM = boundsOf(table, ids);
    if (boundsM === null) return [];
    const { minM, maxM } = boundsM;
    const positionM = [(minM[0] + maxM[0]) / 2, (minM[1] + maxM[1]) / 2, maxM[2] + aboveM] as const;
    return [{ text, positionM, kind: 'name' as const, isFirst, boundsM }];
  });
}

/** The box of some instances; null where none of them is on screen. */
function boundsOf(table: InstanceTable, ids: readonly number[]): BoundsM | null {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const id of ids) {
    const row = rowOf(table, id);
    if (row < 0) continue;
    for (const axis of [0, 1, 2] as const) {
      low[axis] = Math.min(low[axis], table.boxesM[6 * row + axis] ?? Infinity);
      high[axis] = Math.max(high[axis], table.boxesM[6 * row + 3 + axis] ?? -Infinity);
    }
  }
  return low[0] > high[0] ? null : { minM: low, maxM: high };
}
