// Instance tables for tests: upright copies of models of a given size at given places.
import { instanceTable, type InstanceTable } from '#renderer/logic/scene/instanceTable.ts';

export interface TestInstance {
  model: number;
  positionM: readonly [number, number, number];
  /** Half sizes of the box about the position. */
  halfM: readonly [number, number, number];
  scale?: number;
  yawRad?: number;
}

/** Ids count from 1. */
export function tableOf(instances: readonly TestInstance[]): InstanceTable {
  const count = instances.length;
  const column = (value: (one: TestInstance) => number): Float64Array =>
    Float64Array.from(instances, value);
  const box = (axis: 0 | 1 | 2, side: -1 | 1): Float32Array =>
    Float32Array.from(instances, ({ positionM, halfM }) => positionM[axis] + side * halfM[axis]);
  return instanceTable({
    instance_id: Uint32Array.from({ length: count }, (_, row) => row + 1),
    model_id: Uint16Array.from(instances, ({ model }) => model),
    class_id: new Uint16Array(count),
    x_m: column(({ positionM }) => positionM[0]),
    y_m: column(({ positionM }) => positionM[1]),
    z_m: column(({ positionM }) => positionM[2]),
    qx: new Float64Array(count),
    qy: new Float64Array(count),
    qz: column(({ yawRad = 0 }) => Math.sin(yawRad / 2)),
    qw: column(({ yawRad = 0 }) => Math.cos(yawRad / 2)),
    scale: column(({ scale = 1 }) => scale),
    min_x_m: box(0, -1),
    min_y_m: box(1, -1),
    min_z_m: box(2, -1),
    max_x_m: box(0, 1),
    max_y_m: box(1, 1),
    max_z_m: box(2, 1),
  });
}
