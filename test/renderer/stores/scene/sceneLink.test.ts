// The edited document and the view of the scene: built again once changes rest, one selection, places that are clicked.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { usePartStates } from '#renderer/stores/scene/partStates.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { useSceneLink } from '#renderer/stores/scene/sceneLink.ts';
import { keyEvent } from '../browserStubs.ts';
import { untilCancelled } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';
import { documentHost } from './documentHost.ts';

let page: OpenPage;
/** Texts of the requests to build a scene. */
let built: (string | undefined)[];

const data = {
  scene: {
    instances: [{ name: 'oak' }, { name: 'ash' }],
    scatters: [{ name: 'grass' }],
  },
};
const contents = () =>
  ({
    originM: [100, 200, 0],
    placed: [
      { id: 1, name: 'oak', model: 0, class: 0 },
      { id: 2, name: 'ash', model: 0, class: 0 },
    ],
    scatters: [{ name: 'grass', firstId: 10, count: 5, model: 0, class: 0 }],
    landscapes: [],
    models: [{ name: 'tree' }],
    classes: ['tree'],
  }) as unknown as SceneContents;

beforeEach(() => {
  vi.useFakeTimers();
  built = [];
  page = openPage({ at: '#/scene' });
  documentHost(page).files.set('/a', 'a 1').set('/b', 'b 1');
  page.answer('document.edit', (request) => {
    const { text } = request as { text: string };
    const problems = text.includes('bad') ? [{ path: 'n', code: 'custom', message: 'bad' }] : [];
    return { text, data, value: data, problems };
  });
  page.answer('scene.open', (request, options) => {
    built.push((request as { text?: string }).text);
    return untilCancelled().how(request, options);
  });
});
afterEach(() => vi.useRealTimers());

/** A document that is open and built. */
async function open() {
  const [scene, edit, link] = [useScene(), useSceneEdit(), useSceneLink()];
  void scene.open('/a');
  await vi.advanceTimersByTimeAsync(1000);
  scene.contents = contents();
  await vi.advanceTimersByTimeAsync(0);
  built = [];
  return { scene, edit, link };
}

describe('the view', () => {
  it('shows the file as it was opened, built once', async () => {
    const scene = useScene();
    const edit = useSceneEdit();
    useSceneLink();
    void scene.open('/a');
    await vi.advanceTimersByTimeAsync(1000);
    expect([edit.document, built.length]).toEqual(['/a', 1]);
    scene.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(edit.document).toBeNull();
  });

  it('is built from the edited text once it has not changed for a while', async () => {
    const { edit } = await open();
    await edit.setText('a 2');
    await vi.advanceTimersByTimeAsync(300);
    await edit.setText('a 3');
    await vi.advanceTimersByTimeAsync(300);
    expect(built).toEqual([]);
    await vi.advanceTimersByTimeAsync(300);
    expect(built).toEqual(['a 3']);
  });

  it('stays while the text has problems, and follows what is undone', async () => {
    const { edit } = await open();
    await edit.setText('a 2');
    await vi.advanceTimersByTimeAsync(1000);
    await edit.setText('bad 2');
    await vi.advanceTimersByTimeAsync(1000);
    expect(built).toEqual(['a 2']);
    await edit.undo();
    await vi.advanceTimersByTimeAsync(1000);
    await edit.revert();
    await vi.advanceTimersByTimeAsync(1000);
    expect(built).toEqual(['a 2', 'a 1']);
  });

  it('is not built again by saving under another name', async () => {
    const { scene, edit } = await open();
    await edit.saveAs('/c', false);
    await vi.advanceTimersByTimeAsync(1000);
    expect([scene.scenario, edit.document, built]).toEqual(['/c', '/c', []]);
  });
});

describe('a selection', () => {
  it('in the view is that of the document, and the other way round', async () => {
    const { scene, edit } = await open();
    scene.select([2]);
    await vi.advanceTimersByTimeAsync(0);
    expect(edit.selectedPath).toEqual(['scene', 'instances', 1]);
    edit.select(['scene', 'instances', 0]);
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.selection).toEqual([1]);
    scene.select([]);
    await vi.advanceTimersByTimeAsync(0);
    expect(edit.selectedPath).toBeNull();
  });

  it('of a copy is its scatter in the document, and stays in the view', async () => {
    const { scene, edit } = await open();
    scene.select([12]);
    await vi.advanceTimersByTimeAsync(0);
    expect([edit.selectedPath, scene.selection]).toEqual([['scene', 'scatters', 0], [12]]);
  });

  it('of several is that of all, the last one first, in both directions', async () => {
    const { scene, edit } = await open();
    scene.select([1]);
    await vi.advanceTimersByTimeAsync(0);
    scene.select([1, 2]);
    await vi.advanceTimersByTimeAsync(0);
    expect(edit.selectedPath).toEqual(['scene', 'instances', 1]);
    expect(edit.selectedPaths).toEqual([
      ['scene', 'instances', 0],
      ['scene', 'instances', 1],
    ]);
    expect(scene.selection).toEqual([1, 2]);
    edit.toggle(['scene', 'instances', 1]);
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.selection).toEqual([1]);
    edit.toggle(['scene', 'instances', 1]);
    await vi.advanceTimersByTimeAsync(0);
    expect(scene.selection).toEqual([1, 2]);
  });

  it('in the view is the whole group of an object, and the object alone at a second click', async () => {
    const { scene, edit } = await open();
    edit.selectAll([
      ['scene', 'instances', 0],
      ['scene', 'instances', 1],
    ]);
    usePartStates().group();
    edit.select(null);
    await vi.advanceTimersByTimeAsync(0);
    scene.select([1]);
    await vi.advanceTimersByTimeAsync(0);
    expect([...scene.selection].toSorted()).toEqual([1, 2]);
    scene.select([1]);
    await vi.advanceTimersByTimeAsync(0);
    expect([scene.selection, edit.selectedPath]).toEqual([[1], ['scene', 'instances', 0]]);
  });
});

describe('a place that is clicked', () => {
  it('is given in the world, in millimetres, and the click handler of before is back', async () => {
    const { scene, link } = await open();
    const before = vi.fn();
    scene.clickHandler = before;
    const placeM = link.pointAt('Click a place');
    expect(link.pointing).toBe('Click a place');
    scene.clickHandler([1.23456, 2, 0]);
    expect(await placeM).toEqual([101.235, 202, 0]);
    expect(link.pointing).toBeNull();
    scene.clickHandler([0, 0, 0]);
    expect(before).toHaveBeenCalledTimes(1);
  });

  it('is cancelled by Escape alone, which does nothing else then', async () => {
    const { scene, link } = await open();
    const others = vi.fn();
    addEventListener('keydown', others);
    const placeM = link.pointAt('Click a place');
    page.browser.dispatch(keyEvent('keydown', { key: 'a', code: 'KeyA' }));
    expect([link.pointing, others.mock.calls.length]).toEqual(['Click a place', 1]);
    page.browser.dispatch(keyEvent('keydown', { key: 'Escape', code: 'Escape' }));
    expect(await placeM).toBe('cancelled');
    expect([scene.clickHandler, others.mock.calls.length]).toEqual([null, 1]);
  });

  it('is cancelled by asking for another one', async () => {
    const { scene, link } = await open();
    const first = link.pointAt('first');
    const second = link.pointAt('second');
    expect(await first).toBe('cancelled');
    expect(link.pointing).toBe('second');
    scene.clickHandler?.([0, 0, 0]);
    expect(await second).toEqual([100, 200, 0]);
    expect(scene.clickHandler).toBeNull();
  });
});
