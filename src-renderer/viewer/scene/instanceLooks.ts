// How each instance of a scene looks: brightness, warmth and mark, 3 numbers a row. Copies differ a little; walls and
// ground do not.
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { Looks } from './instancedModels.ts';

export interface InstanceLooks {
  readonly values: Looks;
  /** `light`: 1 for a row in the sun. */
  setLight: (row: number, light: number) => void;
  /** 0: not marked. */
  setMark: (row: number, strength: number) => void;
}

/** `copies`: instances of each model. All rows are in the sun, none is marked. */
export function createInstanceLooks(table: InstanceTable, copies: Uint32Array): InstanceLooks {
  const values = new Float32Array(3 * table.count);
  for (let row = 0; row < table.count; row += 1) setLight(row, 1);
  return {
    values,
    setLight,
    setMark(row, strength) {
      values[3 * row + 2] = strength;
    },
  };

  function setLight(row: number, light: number): void {
    const id = table.instanceId[row] ?? 0;
    const isAlone = (copies[table.modelId[row] ?? 0] ?? 0) < 2;
    const first = Math.abs(Math.sin(id * 12.9898) * 43758.5453) % 1;
    const second = Math.abs(Math.sin(id * 78.233) * 12543.1237) % 1;
    values[3 * row] = light * (isAlone ? 1 : 0.86 + 0.28 * first);
    values[3 * row + 1] = isAlone ? 0 : 2 * second - 1;
  }
}
