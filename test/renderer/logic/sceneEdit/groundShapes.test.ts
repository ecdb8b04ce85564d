// Shapes of a scenario on the ground: where they are in the document.
import { describe, expect, it } from 'vitest';
import { editDocument, documentData } from '#domain/scenario/editDocument.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { moveEdits } from '#renderer/logic/sceneEdit/manyParts.ts';
import { groundShapes, type GroundShape } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { outlineOf, shapeEdits, type ShapeChange } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { text, forest, data, all, shapeAt, slope, changed } from './shapesOfScenario.ts';

describe('the shapes of a scenario', () => {
  it('are all its places on the ground, relative to the origin', () => {
    expect(parseScenario(text).problems).toEqual([]);
    expect(all.map(({ key }) => key).toSorted()).toEqual([
      'estimate.boxM',
      'mission',
      'mission.startM',
      'navigation.costMap',
      'scene.ground',
      'scene.ground.roads[0].pointsM',
      'scene.instances[0].positionM',
      'scene.instances[1].positionM',
      'scene.motions.keys.keyframes',
      'scene.motions.spin.pivotM',
      'scene.motions.way.pointsM',
      'scene.scatters[0].areaM',
      'scene.scatters[0].keepClear[0]',
      'scene.stands[0].trees',
      'scene.walls[0]',
      'survey.positions',
    ]);
    expect(shapeAt('scene.scatters[0].areaM')).toMatchObject({
      part: ['scene', 'scatters', 0],
      label: 'many: area',
      line: 'closed',
      pointsM: [
        [0, 0],
        [10, 0],
        [10, 4],
      ],
    });
    expect(shapeAt('scene.scatters[0].keepClear[0]')).toMatchObject({
      tone: 'clear',
      label: 'many: exclusion zone, 3 m',
    });
    expect(shapeAt('survey.positions').pointNames).toEqual(['position-1', 'north']);
    expect(shapeAt('scene.motions.way.pointsM').line).toBe('closed');
  });

  it('have the heading of a start as a line, which turns it', () => {
    expect(shapeAt('mission.startM')).toMatchObject({
      part: ['mission'],
      pointsM: [
        [-10, 0],
        [-6, 0],
      ],
    });
    const north = changed('mission.startM', { kind: 'point', index: 1, toM: [-10, 3] });
    expect(north).toContain('startYawDeg: 90');
    expect(north).toContain('startM: [990, 2000], goalM: [1010, 2000]');
    const turned = changed('mission.startM', { kind: 'move', byM: [0, 0], turnRad: -Math.PI / 4 });
    expect(turned).toContain('startYawDeg: -45');
    // Moved, it is the mission that moves its start.
    expect(
      shapeEdits(data, shapeAt('mission.startM'), { kind: 'move', byM: [1, 1] }, slope),
    ).toEqual([]);
  });

  it('grow with the parts that they are selected with', () => {
    const twice = { kind: 'move', byM: [0, 0], scale: 2, aboutM: [0, 0] } as const;
    const zone = changed('scene.scatters[0].keepClear[0]', twice);
    expect(zone).toContain('{ centreM: [1004, 2002], radiusM: 6 } # the well');
    const ground = changed('scene.ground', twice);
    expect(ground).toContain('sizeM: [400, 200]');
    const area = changed('scene.scatters[0].areaM', twice);
    expect(area).toContain('areaM: [[1000, 2000], [1020, 2000], [1020, 2008]] # m');
  });

  it('have the cost map as a square of whole cells, about the mission unless its corner is stated', () => {
    const map = shapeAt('navigation.costMap');
    expect(map).toMatchObject({ part: ['navigation'], label: 'navigation: cost map' });
    expect([map.pointsM[0], map.pointsM[2]]).toEqual([
      [-100, -100],
      [100, 100],
    ]);
    // The corner that is opposite stays: 400 cells of 0.5 m become 261, and none of them is cut.
    const sized = documentData(changed(map.key, { kind: 'point', index: 0, toM: [-30.4, -20] }));
    expect(sized).toMatchObject({
      navigation: { costMap: { cells: 261, originM: [969.5, 1969.5] } },
    });
    const [again] = groundShapes(sized, ([part]) => part === 'navigation');
    expect([again?.pointsM[0], again?.pointsM[2]]).toEqual([
      [-30.5, -30.5],
      [100, 100],
    ]);
    const moved = documentData(changed(map.key, { kind: 'move', byM: [7, 0] }));
    expect(moved).toMatchObject({ navigation: { costMap: { originM: [907, 1900] } } });
    expect(moved).not.toHaveProperty('navigation.costMap.cells');
    const least = changed(map.key, { kind: 'point', index: 2, toM: [-99.5, -99.5] });
    expect(documentData(least)).toMatchObject({ navigation: { costMap: { cells: 10 } } });
    expect(groundShapes({ navigation: {} }, () => true)).toEqual([]);
  });

  it('have what is in tiles in the first one, where it stays', () => {
    expect(parseScenario(forest).problems).toEqual([]);
    const of = documentData(forest);
    const shapes = new Map(groundShapes(of, () => true).map((shape) => [shape.key, shape]));
    expect([...shapes.keys()]).toEqual([
      'scene.landscapes[0].areaM',
      'scene.landscapes[0]',
      'scene.landscapes[0].scatters[0].areaM',
      'scene.landscapes[0].stands[0].trees',
    ]);
    const [, tile, fern, oaks] = [...shapes.values()];
    if (tile === undefined || fern === undefined || oaks === undefined) throw new Error('no tile');
    const after = (shape: GroundShape, change: ShapeChange): string =>
      editDocument(forest, shapeEdits(of, shape, change, slope)).text;
    expect(tile).toMatchObject({ label: 'forest: tile', pointsM: [[50, 112.5]] });
    expect(outlineOf(tile)).toHaveLength(4 * 50 + 1);
    expect(after(tile, { kind: 'point', index: 0, toM: [60, 100] })).toBe(
      forest.replace('sideM: 50 # metres', 'sideM: 60 # metres'),
    );
    expect(fern).toMatchObject({
      part: ['scene', 'landscapes', 0],
      label: 'fern: area in tile',
      pointsM: [
        [0, 100],
        [50, 100],
        [50, 120],
      ],
    });
    expect(after(fern, { kind: 'point', index: 2, toM: [40, 200] })).toBe(
      forest.replace('[50, 0], [50, 20]] # below', '[50, 0], [40, 50]] # below'),
    );
    expect(after(fern, { kind: 'insert', index: 3, atM: [-5, 110] })).toContain(
      '[50, 20], [0, 10]] # below',
    );
    expect(after(fern, { kind: 'move', byM: [30, 10] })).toBe(
      forest.replace('[[0, 0], [50, 0], [50, 20]]', '[[0, 10], [50, 10], [50, 30]]'),
    );
    expect(oaks.pointsM).toEqual([[10, 120]]);
    // Moved with its landscape, nothing in the tile changes.
    const move = { kind: 'move', byM: [5, 0] } as const;
    const edits = moveEdits(of, ['scene', 'landscapes', 0], move, slope);
    expect(editDocument(forest, edits).text).toBe(
      forest.replace(
        '[[1000, 2100], [1200, 2100], [1150, 2300]]',
        '[[1005, 2100], [1205, 2100], [1155, 2300]]',
      ),
    );
  });

  it('keep the heights of a box', () => {
    expect(changed('estimate.boxM', { kind: 'point', index: 2, toM: [20, 6] })).toBe(
      text.replace('[1010, 2004, 8]', '[1020, 2006, 8]'),
    );
  });

  it('are those of the parts that are asked for', () => {
    const ofWall = groundShapes(data, (part) => part[1] === 'walls');
    expect(ofWall.map(({ key }) => key)).toEqual(['scene.walls[0]']);
    expect(groundShapes(null, () => true)).toEqual([]);
    expect(
      groundShapes({ scene: { walls: [{ fromM: [0, 'x'], toM: [1, 1] }] } }, () => true),
    ).toEqual([]);
  });

  it('have outlines in steps of at most a metre, round and back', () => {
    const path = outlineOf(shapeAt('scene.scatters[0].areaM'));
    expect(path[0]).toEqual(path.at(-1));
    const lengths = path.slice(1).map(([x, y], k) => Math.hypot(x - path[k]![0], y - path[k]![1]));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1 + 1e-9);
    expect(lengths.reduce((sum, one) => sum + one, 0)).toBeCloseTo(14 + Math.hypot(10, 4), 9);
    const circle = outlineOf(shapeAt('scene.scatters[0].keepClear[0]'));
    for (const [x, y] of circle) expect(Math.hypot(x - 2, y - 1)).toBeCloseTo(3, 9);
    expect(outlineOf(shapeAt('scene.stands[0].trees'))).toEqual([]);
    expect(outlineOf(shapeAt('scene.walls[0]')).at(-1)).toEqual([4, 10]);
  });
});
