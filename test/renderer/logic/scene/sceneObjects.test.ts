// Texts about the objects of a scene: their properties on the card, their names over the view.
import { describe, expect, it } from 'vitest';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { nameLabels } from '#renderer/logic/scene/nameLabels.ts';
import { objectProperties } from '#renderer/logic/scene/objectProperties.ts';
import { idOfName, sceneObject, type SceneObject } from '#renderer/logic/scene/sceneObjects.ts';
import { tableOf } from './sceneTables.ts';

const table = tableOf([
  { model: 0, positionM: [0, 0, 0], halfM: [50, 50, 0] },
  { model: 1, positionM: [4, 2, 3], halfM: [1, 2, 3] },
  { model: 1, positionM: [-4, 2, 3], halfM: [1, 2, 3] },
]);
const [groundId = 0, oakId = 0, copyId = 0] = table.instanceId;
const model = (name: string): SceneContents['models'][number] => ({
  name,
  triangles: 12,
  levels: [12],
  solid: 'all' as const,
});
const contents: SceneContents = {
  scene: 'scene-1',
  originM: [0, 0, 0],
  seed: 1,
  classes: ['terrain', 'tree'],
  materials: [],
  models: [model('ground:surface'), model('oak')],
  motions: [],
  placed: [
    { id: groundId, name: 'ground', model: 0, class: 0 },
    { id: oakId, name: 'oak-a', model: 1, class: 1 },
  ],
  scatters: [{ name: 'grove', model: 1, class: 1, firstId: copyId, count: 1 }],
  landscapes: [
    {
      name: 'heath',
      firstId: 1000,
      columns: 2,
      rows: 1,
      plantsPerSquare: 4,
      tileOf: [-1, 0],
      tiles: [
        {
          plants: [{ name: 'shrub-1', class: 1, model: 1 }],
          scatters: [{ name: 'tuft', class: 1, model: 1, count: 3 }],
        },
      ],
    },
  ],
  sensors: [],
  summary: {} as SceneContents['summary'],
};

function object(id: number): SceneObject {
  const found = sceneObject(contents, id);
  if (found === null) throw new Error(`no object ${id}`);
  return found;
}

describe('the properties of an object', () => {
  it('are its height and place, and that it can be moved', () => {
    const properties = objectProperties(object(oakId), table);
    expect(properties).toEqual({ heightM: 6, positionM: [4, 2, 3], unmovable: null });
  });

  it('say why a copy and the ground stay where they are', () => {
    expect(objectProperties(object(copyId), table).unmovable).toContain('scatter “grove”');
    expect(objectProperties(object(groundId), table).unmovable).toContain('ground cannot be moved');
  });

  it('have no place for objects that are not in the table', () => {
    const gone = { ...object(oakId), id: 9999 };
    expect(objectProperties(gone, table)).toEqual({ heightM: 0, positionM: null, unmovable: null });
    expect(objectProperties(gone, null).positionM).toBeNull();
  });
});

describe('names over the picture', () => {
  it('are above placed objects, not above the ground nor above copies', () => {
    expect(nameLabels(contents, table, [])).toMatchObject([
      { text: 'oak-a', positionM: [4, 2, expect.closeTo(6.1, 5)], kind: 'name', isFirst: false },
    ]);
  });

  it('are above the selection, whatever it is, and once', () => {
    const labels = nameLabels(contents, table, [object(oakId), object(copyId)]);
    expect(labels.map(({ text, isFirst }) => [text, isFirst])).toEqual([
      ['oak-a', true],
      [object(copyId).name, true],
    ]);
  });
});

describe('plants of landscapes', () => {
  it('have names by their square and tile, and ids by their names', () => {
    for (const [id, name] of [
      [1004, 'heath-2:shrub-1'],
      [1006, 'heath-2:2'],
    ] as const) {
      expect(sceneObject(contents, id)).toMatchObject({ name, kind: 'copy', scatter: null });
      expect(idOfName(contents, name)).toBe(id);
    }
  });

  it('are none in squares without a tile, and beyond the landscape', () => {
    for (const id of [1000, 1003, 1008]) expect(sceneObject(contents, id)).toBeNull();
    for (const name of ['heath-1:1', 'heath-2:4', 'heath-3:1', 'heath-2:shrub-2', 'moor-1:1']) {
      expect(idOfName(contents, name)).toBeNull();
    }
  });
});
