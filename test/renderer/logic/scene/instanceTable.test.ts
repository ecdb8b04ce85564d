// Instances as rows: matrices and balls, finding by id, and what a move by hand does to the box.
import { Matrix4, Quaternion, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { movePose, rowOf } from '#renderer/logic/scene/instanceTable.ts';
import { tableOf } from './sceneTables.ts';

describe('a table of instances', () => {
  it('has the matrix of each pose', () => {
    const yawRad = 0.7;
    const table = tableOf([
      { model: 0, positionM: [1, 2, 3], halfM: [1, 1, 1], scale: 1.5, yawRad },
    ]);
    const expected = new Matrix4().compose(
      new Vector3(1, 2, 3),
      new Quaternion().setFromAxisAngle(new Vector3(0, 0, 1), yawRad),
      new Vector3(1.5, 1.5, 1.5),
    );
    for (const [k, value] of expected.elements.entries()) {
      expect(table.matrices[k]).toBeCloseTo(value, 6);
    }
    expect([...table.spheresM]).toEqual([1, 2, 3, Math.fround(Math.sqrt(3))]);
  });

  it('finds rows by id, with gaps', () => {
    const table = tableOf(
      Array.from({ length: 5 }, () => ({ model: 0, positionM: [0, 0, 0], halfM: [1, 1, 1] })),
    );
    table.instanceId.set([1, 4, 7, 8, 100]);
    expect([1, 4, 7, 8, 100].map((id) => rowOf(table, id))).toEqual([0, 1, 2, 3, 4]);
    expect([0, 2, 9, 101].map((id) => rowOf(table, id))).toEqual([-1, -1, -1, -1]);
  });

  it('moves, turns and scales the box with the pose', () => {
    const table = tableOf([{ model: 0, positionM: [5, 0, 1], halfM: [2, 1, 1] }]);
    const half = Math.SQRT1_2;
    movePose(table, 0, { positionM: [0, 10, 2], rotation: [0, 0, half, half], scale: 2 });
    const expected = [-2, 6, 0, 2, 14, 4];
    for (const [k, value] of expected.entries()) expect(table.boxesM[k]).toBeCloseTo(value, 5);
    expect(table.spheresM[1]).toBeCloseTo(10, 5);
  });
});
