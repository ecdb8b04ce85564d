// Instances that a person has hidden or locked in the view: which ids a part of the scenario has, and their rows.
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { scatterOfCopy } from '#contract/worker/instanceNames.ts';
import { rowOf, type InstanceTable } from './instanceTable.ts';
import { idOfName } from './sceneObjects.ts';

/** Ids that follow each other. */
export interface IdRange {
  firstId: number;
  count: number;
}

export interface InstanceMasks {
  hidden: readonly IdRange[];
  locked: readonly IdRange[];
}

/** The instances of a part: of an object, a wall, the ground, a scatter, a stand or a landscape by its name. */
export function idsOfPart(contents: SceneContents, list: string, name: string): IdRange[] {
  switch (list) {
    case 'ground':
    case 'instances':
    case 'walls': {
      const firstId = idOfName(contents, list === 'ground' ? 'ground' : name);
      return firstId === null ? [] : [{ firstId, count: 1 }];
    }
    case 'scatters':
      return contents.scatters.filter((one) => one.name === name);
    case 'stands': {
      const own = contents.placed.filter((one) => scatterOfCopy(one.name) === name);
      return own.map(({ id }) => ({ firstId: id, count: 1 }));
    }
    case 'landscapes':
      return contents.landscapes
        .filter((one) => one.name === name)
        .map(({ firstId, columns, rows, plantsPerSquare }) => {
          return { firstId, count: columns * rows * plantsPerSquare };
        });
    default:
      return [];
  }
}

/** 1 for each row of a table whose id is in a range. */
export function rowMask(table: InstanceTable, ranges: readonly IdRange[]): Uint8Array<ArrayBuffer> {
  const mask = new Uint8Array(table.count);
  for (const { firstId, count } of ranges) {
    const last = firstId + count - 1;
    for (let row = firstRow(table, firstId); row < table.count; row += 1) {
      if ((table.instanceId[row] ?? Infinity) > last) break;
      mask[row] = 1;
    }
  }
  return mask;
}

/** The first row whose id is no smaller. */
function firstRow(table: InstanceTable, id: number): number {
  const exact = rowOf(table, id);
  if (exact >= 0) return exact;
  const next = table.instanceId.findIndex((one) => one >= id);
  return next === -1 ? table.count : next;
}
