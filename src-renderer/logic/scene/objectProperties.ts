// Properties of an object of a scene beside its model: its position, its height, why it cannot be
// moved.
import { rowOf, type InstanceTable } from './instanceTable.ts';
import type { PointM } from './measuring.ts';
import type { SceneObject } from './sceneObjects.ts';

export interface ObjectProperties {
  /** Height of its world box. */
  heightM: number;
  positionM: PointM | null;
  /** Why it cannot be moved; null: it can. */
  unmovable: string | null;
}

export function objectProperties(
  object: SceneObject,
  table: InstanceTable | null,
): ObjectProperties {
  const row = table === null ? -1 : rowOf(table, object.id);
  const unmovable = unmovableBecause(object);
  if (table === null || row < 0) return { heightM: 0, positionM: null, unmovable };
  const { boxesM, positionM } = table;
  const [x = 0, y = 0, z = 0] = positionM.subarray(3 * row, 3 * row + 3);
  const heightM = (boxesM[6 * row + 5] ?? 0) - (boxesM[6 * row + 2] ?? 0);
  return { heightM, positionM: [x, y, z], unmovable };
}

function unmovableBecause({ kind, scatter }: SceneObject): string | null {
  if (kind === 'copy') {
    return `A copy of scatter “${scatter}”. Edit the scatter to change its copies.`;
  }
  return kind === 'ground' ? 'The ground cannot be moved.' : null;
}
