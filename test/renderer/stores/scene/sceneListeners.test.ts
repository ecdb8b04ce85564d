// The listeners of an open scene: one that comes late gets what the others had.
import { expect, it } from 'vitest';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import {
  createSceneListeners,
  type ArrivedMesh,
  type SceneListener,
} from '#renderer/stores/scene/sceneListeners.ts';

const table = {} as InstanceTable;
const contents = (name: string) => ({ name }) as unknown as SceneContents;
const mesh = (model: number) => ({ model, level: 0 }) as ArrivedMesh;

/** A listener and what it was told. */
function recorder(): { listener: SceneListener; heard: unknown[] } {
  const heard: unknown[] = [];
  return {
    heard,
    listener: {
      onScene: (scene, _, isSame) =>
        heard.push([(scene as unknown as { name: string }).name, isSame]),
      onMesh: ({ model }) => heard.push(model),
      onClosed: () => heard.push('closed'),
    },
  };
}

it('a late listener gets the scene and the meshes so far, in order, and what follows', () => {
  const { subscribe, show, addMesh } = createSceneListeners();
  show(contents('a'), table, false);
  addMesh(mesh(1));
  addMesh(mesh(0));
  const late = recorder();
  subscribe(late.listener);
  addMesh(mesh(2));
  expect(late.heard).toEqual([['a', false], 1, 0, 2]);
});

it('meshes of the scene before are not given to a new listener', () => {
  const { subscribe, show, addMesh, close } = createSceneListeners();
  const early = recorder();
  subscribe(early.listener);
  show(contents('a'), table, false);
  addMesh(mesh(1));
  show(contents('b'), table, true);
  const late = recorder();
  subscribe(late.listener);
  expect(late.heard).toEqual([['b', false]]);
  expect(early.heard).toEqual([['a', false], 1, ['b', true]]);
  close();
  const last = recorder();
  subscribe(last.listener);
  expect([early.heard.at(-1), last.heard]).toEqual(['closed', []]);
});

it('one that has ended its subscription gets nothing', () => {
  const { subscribe, show } = createSceneListeners();
  const { listener, heard } = recorder();
  subscribe(listener)();
  show(contents('a'), table, false);
  expect(heard).toEqual([]);
});
