// The instances of a scene as typed arrays, a row each: what drawing, culling and picking read. Made once
// from the columns of `scene.open`; only poses and boxes of what moves, or is moved by hand, change afterwards.
import type { Columns } from '#contract/columns.ts';

export interface InstanceTable {
  count: number;
  /** Rising. */
  instanceId: Uint32Array;
  modelId: Uint16Array;
  classId: Uint16Array;
  scale: Float64Array;
  /** x, y, z of each row. */
  positionM: Float64Array;
  /** x, y, z, w of each row: worldFromModel. */
  rotation: Float64Array;
  /** worldFromModel, 4 × 4, column by column, 16 a row. */
  matrices: Float32Array;
  /** World boxes: min x y z, max x y z; 6 a row. */
  boxesM: Float32Array;
  /** The balls about the boxes: x, y, z, radius; 4 a row. */
  spheresM: Float32Array;
}

/** The columns of a chunk 'instances' (instanceColumnNames) as a table. @throws where one is missing. */
export function instanceTable(columns: Columns): InstanceTable {
  const { instance_id: instanceId, model_id: modelId, class_id: classId } = columns;
  if (
    !(instanceId instanceof Uint32Array && modelId instanceof Uint16Array) ||
    !(classId instanceof Uint16Array)
  ) {
    throw new Error('the columns of the instances are not those of the contract');
  }
  const count = instanceId.length;
  const table: InstanceTable = {
    count,
    instanceId,
    modelId,
    classId,
    scale: new Float64Array(numbers(columns, 'scale')),
    positionM: interleaved(columns, ['x_m', 'y_m', 'z_m'], new Float64Array(3 * count)),
    rotation: interleaved(columns, ['qx', 'qy', 'qz', 'qw'], new Float64Array(4 * count)),
    matrices: new Float32Array(16 * count),
    boxesM: interleaved(columns, boxColumns, new Float32Array(6 * count)),
    spheresM: new Float32Array(4 * count),
  };
  for (let row = 0; row < count; row += 1) {
    writeMatrix(table, row);
    writeSphere(table, row);
  }
  return table;
}

/** The row of an id, or -1. */
export function rowOf({ instanceId, count }: InstanceTable, id: number): number {
  let from = 0;
  let to = count - 1;
  while (from <= to) {
    const middle = (from + to) >> 1;
    const here = instanceId[middle] ?? 0;
    if (here === id) return middle;
    if (here < id) from = middle + 1;
    else to = middle - 1;
  }
  return -1;
}

export interface RowPose {
  positionM: [number, number, number];
  /** x, y, z, w: worldFromModel. */
  rotation: [number, number, number, number];
  scale: number;
}

export function poseOfRow({ positionM, rotation, scale }: InstanceTable, row: number): RowPose {
  return {
    positionM: [at(positionM, 3 * row), at(positionM, 3 * row + 1), at(positionM, 3 * row + 2)],
    rotation: [
      at(rotation, 4 * row),
      at(rotation, 4 * row + 1),
      at(rotation, 4 * row + 2),
      at(rotation, 4 * row + 3),
    ],
    scale: scale[row] ?? 1,
  };
}

/** Gives a row another pose: matrix, box and ball follow. The new box is that of the turned old box. */
export function movePose(table: InstanceTable, row: number, pose: RowPose): void {
  const before = table.matrices.slice(16 * row, 16 * row + 16);
  const scaleBefore = table.scale[row] ?? 1;
  table.positionM.set(pose.positionM, 3 * row);
  table.rotation.set(pose.rotation, 4 * row);
  table.scale[row] = pose.scale;
  writeMatrix(table, row);
  const after = table.matrices.subarray(16 * row, 16 * row + 16);
  const box = table.boxesM.slice(6 * row, 6 * row + 6);
  const moved = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let corner = 0; corner < 8; corner += 1) {
    const world = [0, 1, 2].map((axis) => at(box, corner & (1 << axis) ? axis + 3 : axis));
    const local = [0, 1, 2].map((axis) => {
      let sum = 0;
      for (let k = 0; k < 3; k += 1) {
        sum += at(before, 4 * axis + k) * (at(world, k) - at(before, 12 + k));
      }
      return sum / scaleBefore ** 2;
    });
    for (let axis = 0; axis < 3; axis += 1) {
      let value = at(after, 12 + axis);
      for (let k = 0; k < 3; k += 1) value += at(after, 4 * k + axis) * at(local, k);
      moved[axis] = Math.min(at(moved, axis), value);
      moved[axis + 3] = Math.max(at(moved, axis + 3), value);
    }
  }
  table.boxesM.set(moved, 6 * row);
  writeSphere(table, row);
}

const boxColumns = ['min_x_m', 'min_y_m', 'min_z_m', 'max_x_m', 'max_y_m', 'max_z_m'];

function writeMatrix(table: InstanceTable, row: number): void {
  const { matrices, positionM, rotation } = table;
  const s = at(table.scale, row);
  const x = at(rotation, 4 * row);
  const y = at(rotation, 4 * row + 1);
  const z = at(rotation, 4 * row + 2);
  const w = at(rotation, 4 * row + 3);
  const to = 16 * row;
  matrices[to] = s * (1 - 2 * (y * y + z * z));
  matrices[to + 1] = s * 2 * (x * y + w * z);
  matrices[to + 2] = s * 2 * (x * z - w * y);
  matrices[to + 4] = s * 2 * (x * y - w * z);
  matrices[to + 5] = s * (1 - 2 * (x * x + z * z));
  matrices[to + 6] = s * 2 * (y * z + w * x);
  matrices[to + 8] = s * 2 * (x * z + w * y);
  matrices[to + 9] = s * 2 * (y * z - w * x);
  matrices[to + 10] = s * (1 - 2 * (x * x + y * y));
  for (let axis = 0; axis < 3; axis += 1) matrices[to + 12 + axis] = at(positionM, 3 * row + axis);
  matrices[to + 15] = 1;
}

function writeSphere({ boxesM, spheresM }: InstanceTable, row: number): void {
  let squares = 0;
  for (let axis = 0; axis < 3; axis += 1) {
    const from = at(boxesM, 6 * row + axis);
    const to = at(boxesM, 6 * row + axis + 3);
    spheresM[4 * row + axis] = (from + to) / 2;
    squares += ((to - from) / 2) ** 2;
  }
  spheresM[4 * row + 3] = Math.sqrt(squares);
}

function interleaved<A extends Float32Array | Float64Array>(
  columns: Columns,
  names: readonly string[],
  into: A,
): A {
  for (const [offset, name] of names.entries()) {
    const column = numbers(columns, name);
    for (let row = 0; row < column.length; row += 1) {
      into[names.length * row + offset] = column[row] ?? 0;
    }
  }
  return into;
}

function numbers(columns: Columns, name: string): Float32Array | Float64Array {
  const column = columns[name];
  if (column instanceof Float32Array || column instanceof Float64Array) return column;
  throw new Error(`the instances have no column ${name}`);
}

function at(values: ArrayLike<number>, index: number): number {
  return values[index] ?? 0;
}
