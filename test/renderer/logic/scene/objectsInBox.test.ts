// Objects in a rectangle of the view, by their middles; the ground and what is out of sight are left out.
import { expect, it } from 'vitest';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { objectsInBox } from '#renderer/logic/scene/objectsInBox.ts';
import { tableOf } from './sceneTables.ts';

it('are those whose middle it covers', () => {
  const table = tableOf(
    [0, 1, 2, 3].map((x) => ({ model: 1, positionM: [x, 0, 0], halfM: [1, 1, 1] })),
  );
  const ids = [...table.instanceId];
  const contents = {
    models: [{ name: 'ground:surface' }, { name: 'tree' }],
    placed: ids.map((id, index) => ({
      id,
      name: `o${index}`,
      model: index === 1 ? 0 : 1,
      class: 0,
    })),
  } as unknown as SceneContents;
  const onScreen = ([x]: readonly [number, number, number]) =>
    x > 2.5 ? null : { x: x / 10, y: 0 };
  const box = { minX: -0.01, maxX: 0.3, minY: -0.1, maxY: 0.1 };
  expect(objectsInBox(contents, table, box, onScreen)).toEqual([ids[0], ids[2]]);
  expect(objectsInBox(contents, table, { ...box, minX: 0.05 }, onScreen)).toEqual([ids[2]]);
  expect(objectsInBox(contents, table, { ...box, minY: 0.05 }, onScreen)).toEqual([]);
});
