// Hidden and locked parts and groups, by list and name; stored per scenario; and the instances that they are.
import { describe, expect, it } from 'vitest';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { idsOfPart, rowMask } from '#renderer/logic/scene/instanceMasks.ts';
import { stepOnGround } from '#renderer/logic/sceneEdit/groundSteps.ts';
import type { GroundShape } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { carriedChange, carriedPose, groupPivot } from '#renderer/logic/sceneEdit/groupPose.ts';
import { changedPoints } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import {
  freeGroupName,
  grouped,
  noStates,
  pathsOfKeys,
  renamedPart,
  stateKey,
  storedStates,
  toggled,
  ungrouped,
  withStates,
} from '#renderer/logic/sceneEdit/partStates.ts';
import { tableOf } from '#test/renderer/logic/scene/sceneTables.ts';

const data = {
  scene: {
    ground: { kind: 'plane' },
    instances: [{ name: 'a' }, { name: 'b' }],
    walls: [{ name: 'wall' }],
    models: { cube: {} },
  },
};

describe('states of parts', () => {
  it('are known by list and name, and found again after edits', () => {
    expect(stateKey(data, ['scene', 'instances', 1])).toBe('instances b');
    expect(stateKey(data, ['scene', 'ground'])).toBe('ground');
    expect(stateKey(data, ['scene', 'models', 'cube'])).toBeNull();
    expect(stateKey(data, ['mission'])).toBeNull();
    expect(pathsOfKeys(data, ['instances b'])).toEqual([['scene', 'instances', 1]]);
    const edited = { scene: { instances: [{ name: 'b' }] } };
    expect(pathsOfKeys(edited, ['instances b'])).toEqual([['scene', 'instances', 0]]);
    expect(pathsOfKeys(data, ['instances c'])).toEqual([]);
  });

  it('are switched for all that are chosen', () => {
    expect(toggled(['a'], ['a', 'b'])).toEqual(['a', 'b']);
    expect(toggled(['a', 'b', 'c'], ['a', 'b'])).toEqual(['c']);
  });

  it('have groups, of which a part is in one at most', () => {
    const first = grouped(noStates, ['a', 'b', 'c'], freeGroupName(noStates));
    expect(first.groups).toEqual({ 'Group 1': ['a', 'b', 'c'] });
    const second = grouped(first, ['c', 'd'], freeGroupName(first));
    expect(second.groups).toEqual({ 'Group 1': ['a', 'b'], 'Group 2': ['c', 'd'] });
    expect(ungrouped(second, ['a']).groups).toEqual({ 'Group 2': ['c', 'd'] });
    expect(renamedPart({ ...second, hidden: ['c'] }, 'c', 'e')).toMatchObject({
      hidden: ['e'],
      groups: { 'Group 2': ['e', 'd'] },
    });
  });

  it('are stored per scenario; junk is nothing, and nothing is not stored', () => {
    const states = { hidden: ['a'], locked: [], groups: { g: ['a', 'b'] } };
    const text = withStates(
      withStates(null, '/other', { ...noStates, locked: ['x'] }),
      '/one',
      states,
    );
    expect(storedStates(text, '/one')).toEqual(states);
    expect(storedStates(text, '/other').locked).toEqual(['x']);
    expect(withStates(text, '/one', noStates)).not.toContain('/one');
    expect(storedStates('{"/one": {"hidden": [1, "a"], "groups": 7}}', '/one')).toEqual({
      hidden: ['a'],
      locked: [],
      groups: {},
    });
    expect(storedStates('junk', '/one')).toEqual(noStates);
    const many = Array.from({ length: 60 }, (_, index) => `/${index}`);
    const all = many.reduce<string | null>((now, one) => withStates(now, one, states), null);
    expect(storedStates(all, '/0')).toEqual(noStates);
    expect(storedStates(all, '/59')).toEqual(states);
  });
});

describe('instances of a part', () => {
  const contents = {
    placed: [
      { id: 1, name: 'ground', model: 0, class: 0 },
      { id: 2, name: 'oak', model: 1, class: 0 },
      { id: 3, name: 'wood-1', model: 1, class: 0 },
      { id: 4, name: 'wood-12', model: 1, class: 0 },
    ],
    scatters: [{ name: 'grass', firstId: 10, count: 3, model: 1, class: 0 }],
    landscapes: [],
  } as unknown as SceneContents;

  it('are single ones, rows of a scatter, trees of a stand', () => {
    expect(idsOfPart(contents, 'instances', 'oak')).toEqual([{ firstId: 2, count: 1 }]);
    expect(idsOfPart(contents, 'ground', '')).toEqual([{ firstId: 1, count: 1 }]);
    expect(idsOfPart(contents, 'scatters', 'grass')).toMatchObject([{ firstId: 10, count: 3 }]);
    expect(idsOfPart(contents, 'stands', 'wood').map(({ firstId }) => firstId)).toEqual([3, 4]);
    expect(idsOfPart(contents, 'instances', 'none')).toEqual([]);
  });

  it('are rows of the table, those that are not in it left out', () => {
    const table = tableOf(
      [0, 1, 2, 3].map((x) => ({ model: 0, positionM: [x, 0, 0], halfM: [1, 1, 1] })),
    );
    table.instanceId.set([1, 5, 6, 9]);
    expect([...rowMask(table, [{ firstId: 2, count: 5 }])]).toEqual([0, 1, 1, 0]);
    expect([
      ...rowMask(table, [
        { firstId: 9, count: 100 },
        { firstId: 1, count: 1 },
      ]),
    ]).toEqual([1, 0, 0, 1]);
    expect([...rowMask(table, [{ firstId: 20, count: 2 }])]).toEqual([0, 0, 0, 0]);
  });
});

describe('objects together', () => {
  const pose = (x: number, y: number) => ({
    positionM: [x, y, 0] as [number, number, number],
    rotation: [0, 0, 0, 1] as [number, number, number, number],
    scale: 2,
  });

  it('have their handles in the middle, a single one its own', () => {
    expect(groupPivot([pose(0, 0), pose(4, 2)])).toEqual({ ...pose(2, 1), scale: 1 });
    const one = pose(1, 1);
    expect(groupPivot([one])).toBe(one);
    expect(groupPivot([])).toBeNull();
    expect(carriedPose(one, one, pose(5, 5))).toEqual(pose(5, 5));
  });

  it('turn about the middle and grow from it', () => {
    const before = { ...pose(2, 0), scale: 1 };
    const half = Math.SQRT1_2;
    const turned = carriedPose(pose(4, 0), before, { ...before, rotation: [0, 0, half, half] });
    expect(turned.positionM.map((one) => Math.round(one * 1e6) / 1e6)).toEqual([2, 2, 0]);
    expect(turned.rotation[2]).toBeCloseTo(half, 9);
    expect(carriedPose(pose(4, 0), before, { ...before, scale: 3 })).toMatchObject({
      positionM: [8, 0, 0],
      scale: 6,
    });
  });

  it('carry shapes on the ground by the same handles', () => {
    const before = { ...pose(2, 0), scale: 1 };
    const after = {
      positionM: [3, 5, 1] as [number, number, number],
      rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2] as [number, number, number, number],
      scale: 2,
    };
    const change = carriedChange(before, after);
    expect(change).toMatchObject({ byM: [1, 5], scale: 2, aboutM: [2, 0] });
    expect(change.turnRad).toBeCloseTo(Math.PI / 2, 9);
    const area = changedPoints(
      {
        tile: null,
        layout: { kind: 'list', minPoints: 3, canAdd: true },
        pointsM: [
          [2, 0],
          [4, 0],
        ],
      } as unknown as GroundShape,
      change,
    );
    // As an object of the group at the same place.
    expect(area[0]).toEqual([3, 5]);
    expect(area[1]?.map((one) => Math.round(one * 1e6) / 1e6)).toEqual([3, 9]);
    const [x, y] = carriedPose(pose(4, 0), before, after).positionM;
    expect([x, y].map((one) => Math.round(one * 1e6) / 1e6)).toEqual([3, 9]);
  });

  it('step along the axis of the world that the camera is nearest to', () => {
    expect(stepOnGround([0.1, 0.9, -0.2], 0, 1, 0.5)).toEqual([0, 0.5]);
    expect(stepOnGround([0.1, 0.9, -0.2], 1, 0, 0.5)).toEqual([0.5, 0]);
    expect(stepOnGround([-0.9, 0.1, 0], 0, 1, 1)).toEqual([-1, 0]);
    expect(stepOnGround([-0.9, 0.1, 0], 1, 0, 1)).toEqual([0, 1]);
    expect(stepOnGround([0, 0, -1], 0, 1, 1)).toEqual([0, 1]);
  });
});
