// Moving instances in the view of a scene: rows of its table at a time, names over them, the time that a timeline covers.
import { describe, expect, it } from 'vitest';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { MotionLaw, MotionRecipe } from '#contract/worker/motions.ts';
import { stillRows } from '#renderer/logic/scene/groundPaint.ts';
import { motionSpan } from '#renderer/logic/scene/motionSpan.ts';
import { motionWay } from '#renderer/logic/scene/motionWay.ts';
import { createMovingRows, lawOfInstance } from '#renderer/logic/scene/movingRows.ts';
import { nameLabels } from '#renderer/logic/scene/nameLabels.ts';
import { tableOf } from './sceneTables.ts';

const path: MotionLaw = {
  kind: 'path',
  pointsM: [
    [0, 0, 0],
    [30, 0, 0],
  ],
  speedMPerS: 2,
  startS: 1,
  isClosed: false,
  turnM: 0.5,
};
const turning: MotionLaw = {
  kind: 'rotating',
  pivotM: [0, 0, 0],
  axis: [0, 0, 1],
  phaseRad: 0,
  rateRadPerS: Math.PI / 8,
};
const keyframes: MotionLaw = {
  kind: 'keyframes',
  isSmooth: false,
  repeats: false,
  keyframes: [
    { timeS: -3, positionM: [0, 0, 0], rotation: [0, 0, 0, 1] },
    { timeS: 40, positionM: [8, 0, 0], rotation: [0, 0, 0, 1] },
  ],
};

const motions: MotionRecipe[] = [
  { name: 'car', law: path },
  { name: 'gate', law: turning },
];
const contents = {
  motions,
  models: [{ name: 'cube' }],
  placed: [
    { id: 1, name: 'wheel', model: 0, class: 0, motion: 0 },
    { id: 2, name: 'body', model: 0, class: 0, motion: 0 },
    { id: 3, name: 'bar', model: 0, class: 0, motion: 1 },
    { id: 4, name: 'rock', model: 0, class: 0 },
  ],
} as unknown as SceneContents;
const halfM = [2, 1, 1] as const;
const newTable = () =>
  tableOf([
    { model: 0, positionM: [1, 0, 0], halfM },
    { model: 0, positionM: [-1, 0, 1], halfM },
    { model: 0, positionM: [5, 0, 0], halfM },
    { model: 0, positionM: [9, 9, 0], halfM },
  ]);

describe('rows that move', () => {
  it('are where their motions take them, whatever the times before', () => {
    const table = newTable();
    const moving = createMovingRows(contents, table);
    expect(moving.rows).toEqual([0, 1, 2]);
    for (let step = 0; step <= 40; step += 1) moving.setTime(step / 10);
    moving.setTime(4);
    // 2 m/s for 3 s, and a quarter turn.
    expect([...table.positionM.subarray(0, 3)]).toEqual([7, 0, 0]);
    const [x, y] = table.positionM.subarray(6, 8);
    expect(Math.hypot(x ?? NaN, (y ?? NaN) - 5)).toBeLessThan(1e-12);
    const box = [...table.boxesM.subarray(12, 18)];
    for (const [axis, value] of [-1, 3, -1, 1, 7, 1].entries()) {
      expect(box[axis]).toBeCloseTo(value, 5);
    }
    expect([...table.positionM.subarray(9)]).toEqual([9, 9, 0]);
    moving.setTime(0);
    expect(table.positionM).toEqual(newTable().positionM);
    expect(table.boxesM).toEqual(newTable().boxesM);
  });

  it('have the law of their motion; others have none', () => {
    expect(lawOfInstance(contents, 3)).toBe(turning);
    expect(lawOfInstance(contents, 4)).toBeNull();
  });

  it('are left out of what is painted on the ground', () => {
    const table = newTable();
    const still = stillRows(table, (row) => row < 3);
    expect(still.count).toBe(1);
    expect([...still.positionM]).toEqual([9, 9, 0]);
    expect([...still.boxesM]).toEqual([...table.boxesM.subarray(18, 24)]);
  });

  it('with one motion have its name, above all of them', () => {
    const labels = nameLabels(contents, newTable(), []);
    expect(labels.map(({ text }) => text)).toEqual(['car', 'bar', 'rock']);
    expect(labels[0]?.positionM[2]).toBeCloseTo(2.1, 5);
    expect(labels[0]?.positionM[0]).toBeCloseTo(0, 5);
  });
});

describe('the time of a timeline', () => {
  it('covers what ends, or a round of what does not', () => {
    expect(motionSpan(motions)).toEqual({ startS: 0, endS: 20 });
    expect(motionSpan([{ name: 'gate', law: turning }])).toEqual({ startS: 0, endS: 20 });
    expect(motionSpan([{ name: 'k', law: keyframes }])).toEqual({ startS: -3, endS: 45 });
    expect(motionSpan([])).toEqual({ startS: 0, endS: 10 });
  });
});

describe('the way of a motion', () => {
  it('is a line through its keyframes or corners; what turns about an axis has none', () => {
    const way = motionWay(keyframes, { startS: -3, endS: 45 });
    expect(way?.pointsM.at(0)).toEqual([0, 0, 0]);
    expect(way?.pointsM.at(-1)).toEqual([8, 0, 0]);
    expect(way?.keyframesM).toHaveLength(2);
    expect(motionWay(path, { startS: 0, endS: 20 })?.pointsM).toEqual(path.pointsM);
    expect(motionWay(turning, { startS: 0, endS: 20 })).toBeNull();
  });
});
