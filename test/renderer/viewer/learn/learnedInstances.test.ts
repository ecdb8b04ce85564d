// Elements of learned models in the view of a scene: at the places of their instances, also after these have moved.
import { Group, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { gatherModel } from '#renderer/logic/learn/modelTables.ts';
import { movePose, poseOfRow } from '#renderer/logic/scene/instanceTable.ts';
import { createViewClip } from '#renderer/viewer/engine/clip/clipUniforms.ts';
import { createLearnedInstances } from '#renderer/viewer/learn/learnedInstances.ts';
import { tableOf } from '#test/renderer/logic/scene/sceneTables.ts';

it('are drawn where their instances are, and follow those that move', () => {
  const halfM = [1, 1, 1] as const;
  const table = tableOf([
    { model: 1, positionM: [3, 0, 0], halfM },
    { model: 0, positionM: [9, 9, 9], halfM },
    { model: 1, positionM: [0, 5, 0], halfM },
  ]);
  const into = new Group();
  const drawn = createLearnedInstances(into, createViewClip());
  drawn.add(gatherModel().joined(), table, 1);
  const places = (): number[][] =>
    (into.children[0]?.children ?? []).map((at) => at.getWorldPosition(new Vector3()).toArray());
  expect(places()).toEqual([
    [3, 0, 0],
    [0, 5, 0],
  ]);
  movePose(table, 2, { ...poseOfRow(table, 2), positionM: [0, 7, 1] });
  drawn.place(table);
  expect(places()).toEqual([
    [3, 0, 0],
    [0, 7, 1],
  ]);
  drawn.dispose();
  expect(into.children).toEqual([]);
});
