// Changes of shapes on the ground, and the edits of the document that they are.
import { describe, expect, it } from 'vitest';
import { groundShapes, type PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import {
  canRemovePoint,
  changedPoints,
  gapsOf,
  removalEdits,
  shapeEdits,
} from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { text, shapeAt, changed, applied } from './shapesOfScenario.ts';

describe('a change of a shape', () => {
  it('moves a point, in whole centimetres, and keeps the comments', () => {
    const after = changed('scene.scatters[0].areaM', {
      kind: 'point',
      index: 1,
      toM: [12.3456, -1],
    });
    expect(after).toBe(text.replace('[1010, 2000], [1010, 2004]', '[1012.35, 1999], [1010, 2004]'));
  });

  it('adds a point where a gap is, and removes one', () => {
    const area = shapeAt('scene.scatters[0].areaM');
    expect(gapsOf(area)).toEqual([
      { index: 1, atM: [5, 0] },
      { index: 2, atM: [10, 2] },
      { index: 3, atM: [5, 2] },
    ]);
    expect(changed(area.key, { kind: 'insert', index: 3, atM: [0, 4] })).toContain(
      'areaM: [[1000, 2000], [1010, 2000], [1010, 2004], [1000, 2004]] # m',
    );
    expect([canRemovePoint(area), removalEdits(area, 0)]).toEqual([false, null]);
    expect(removalEdits(shapeAt('scene.scatters[0].keepClear[0]'), 0)).toEqual([
      { path: ['scene', 'scatters', 0, 'keepClear', 0], op: 'remove' },
    ]);
    const positions = shapeAt('survey.positions');
    expect(gapsOf(positions)).toEqual([{ index: 1, atM: [0, 5] }]);
    expect(applied(removalEdits(positions, 0) ?? [])).not.toContain('headStepDeg');
    expect(changed(positions.key, { kind: 'insert', index: 1, atM: [10, 5] })).toContain(
      '- { positionM: [1010, 2005, 4] }',
    );
    expect(gapsOf(shapeAt('scene.motions.keys.keyframes'))).toEqual([]);
    expect(gapsOf(shapeAt('scene.walls[0]'))).toEqual([]);
  });

  it('moves ends of walls, start and goal by their names', () => {
    expect(changed('scene.walls[0]', { kind: 'point', index: 1, toM: [6, 12] })).toBe(
      text.replace('toM: [1004, 2010]', 'toM: [1006, 2012]'),
    );
    expect(changed('mission', { kind: 'point', index: 0, toM: [-12, 1] })).toBe(
      text.replace('startM: [990, 2000]', 'startM: [988, 2001]'),
    );
  });

  it('keeps heights above the ground, whether they are written so or as heights in the world', () => {
    const by = { kind: 'move', byM: [10, 0] } as const;
    expect(changed('scene.instances[0].positionM', by)).toContain('positionM: [1011, 2002, 0.5]');
    expect(changed('scene.instances[1].positionM', by)).toContain('positionM: [1011, 2002, 8]');
    expect(changed('scene.motions.way.pointsM', by)).toContain(
      '[[1010, 2000, 6], [1020, 2000, 6]]',
    );
  });

  it('moves a circle by its centre, and sizes it by its edge', () => {
    const key = 'scene.scatters[0].keepClear[0]';
    expect(changed(key, { kind: 'point', index: 0, toM: [5, 5] })).toBe(
      text.replace('centreM: [1002, 2001]', 'centreM: [1005, 2005]'),
    );
    expect(changed(key, { kind: 'point', index: 1, toM: [2, 6] })).toBe(
      text.replace('radiusM: 3', 'radiusM: 5'),
    );
  });

  it('sizes a rectangle by a corner, and the opposite one stays', () => {
    const ground = shapeAt('scene.ground');
    expect(ground.pointsM).toEqual([
      [-100, -50],
      [100, -50],
      [100, 50],
      [-100, 50],
    ]);
    const change = { kind: 'point', index: 1, toM: [120, -60] } as const;
    expect(changedPoints(ground, change)).toEqual([
      [-100, -60],
      [120, -60],
      [120, 50],
      [-100, 50],
    ]);
    const after = changed('scene.ground', change);
    expect(after).toContain('sizeM: [220, 110]');
    expect(after).toContain('centreM: [1010, 1995]');
    const survey = {
      survey: {
        areaM: [
          [4, 6],
          [0, 0],
        ],
      },
    };
    const [area] = groundShapes(survey, () => true);
    if (area === undefined) throw new Error('no area');
    const edits = shapeEdits(survey, area, { kind: 'point', index: 3, toM: [8, -2] }, () => 0);
    // The corner of x first and y last.
    expect(edits).toEqual([
      {
        path: ['survey', 'areaM'],
        op: 'set',
        value: [
          [8, 6],
          [0, -2],
        ],
      },
    ]);
  });

  it('moves and turns the whole', () => {
    const turn = { kind: 'move', byM: [0, 1], turnRad: Math.PI / 2, aboutM: [0, 0] } as const;
    expect(changedPoints(shapeAt('scene.scatters[0].areaM'), turn).map(rounded)).toEqual([
      [0, 1],
      [0, 11],
      [-4, 11],
    ]);
    // A circle is carried along.
    expect(changedPoints(shapeAt('scene.scatters[0].keepClear[0]'), turn).map(rounded)).toEqual([
      [-1, 3],
      [2, 3],
    ]);
  });
});

function rounded(place: PlaceM): number[] {
  return place.map((one) => Math.round(one * 1e6) / 1e6 + 0);
}
