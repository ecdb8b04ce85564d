// Objects whose middle a rectangle of the view covers.
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { rowOf, type InstanceTable } from './instanceTable.ts';
import type { PointM } from './measuring.ts';

/** Shares of the view: −1 to 1 from left to right and from bottom to top. */
export interface ViewBox {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
}

/** Ids of placed objects and walls. `onScreen`: null for what is out of sight. */
export function objectsInBox(
  { placed, models }: SceneContents,
  table: InstanceTable,
  box: ViewBox,
  onScreen: (placeM: PointM) => { x: number; y: number } | null,
): number[] {
  const ground = models.findIndex(({ name }) => name === 'ground:surface');
  return placed.flatMap(({ id, model }) => {
    const row = model === ground ? -1 : rowOf(table, id);
    if (row < 0) return [];
    const [x = 0, y = 0, z = 0] = table.spheresM.subarray(4 * row, 4 * row + 3);
    const at = onScreen([x, y, z]);
    const isIn =
      at !== null && at.x >= box.minX && at.x <= box.maxX && at.y >= box.minY && at.y <= box.maxY;
    return isIn ? [id] : [];
  });
}
