// The view of the Learn page: framed once, read again where the camera rests, and places that are clicked.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, nextTick, shallowRef, type EffectScope, type ShallowRef } from 'vue';
import { useLearnScene } from '#renderer/composables/learn/useLearnScene.ts';
import { useDocks } from '#renderer/stores/frame/docks.ts';
import { panelListKey } from '#renderer/stores/frame/panelList.ts';
import { useLearnView } from '#renderer/stores/learn/learnView.ts';
import { useModelFiles } from '#renderer/stores/learn/modelFiles.ts';
import { useLogFiles } from '#renderer/stores/learn/logFiles.ts';
import { usePlaceRanges } from '#renderer/stores/learn/placeRanges.ts';
import type { CloudTable } from '#renderer/logic/cloud/cloudTable.ts';
import type { LearnViewer } from '#renderer/viewer/learn/learnViewer.ts';
import { answerLearning } from '#test/renderer/stores/hostAnswers.ts';
import { openPage, type OpenPage } from '#test/renderer/stores/openPage.ts';

let page: OpenPage;
let scope: EffectScope;
let viewer: ShallowRef<LearnViewer | null>;
let placeM: readonly [number, number, number] | null;
let onCameraMoved: () => void;
let framed: number;
let cloud: CloudTable | null;
let colourings: string[];
/** Pixels that were picked. */
let picked: [number, number][];

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  placeM = [1, 2, 3];
  [framed, cloud, colourings, picked] = [0, null, [], []];
  page = openPage({ at: '#/learn', provided: [[panelListKey, []]] });
  answerLearning(page, { hashOf: (file) => file });
  page.answer('learn.place', () => ({ beams: 0, outcomes: [] }));
  scope = effectScope(true);
  viewer = shallowRef<LearnViewer | null>(null);
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
});

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(10);

async function open() {
  const scene = page.within(() => scope.run(() => useLearnScene(viewer))!);
  const others = ['showSample', 'showModel', 'clearModel', 'setLook', 'setRight', 'showPlace'];
  viewer.value = {
    ...Object.fromEntries(others.map((name) => [name, vi.fn()])),
    eyeM: () => [0, 0, 9],
    frame: () => void (framed += 1),
    log: {
      show: (table: CloudTable) => void (cloud = table),
      colour: (by: string) => void colourings.push(by),
    },
    pointAt: (...pixel: [number, number]) => {
      picked.push(pixel);
      return placeM === null ? null : { placeM, values: null };
    },
    onCameraMoved: (listener: () => void) => void (onCameraMoved = listener),
  } as unknown as LearnViewer;
  await settled();
  const panel = vi.spyOn(useDocks(), 'show').mockReturnValue();
  return { scene, panel };
}

const pointer = (clientX: number, button = 0): PointerEvent =>
  ({ clientX, clientY: 5, button }) as PointerEvent;

describe('a log', () => {
  it('is drawn once for all colours, and framed once', async () => {
    await open();
    const before = cloud;
    expect([cloud?.positionsM.length, colourings.at(-1), framed]).toEqual([3, 'height', 1]);
    useLearnView().colours.cloud = 'class';
    await settled();
    expect([framed, colourings.at(-1)]).toEqual([1, 'class']);
    expect(cloud).toBe(before);
    useLogFiles().show('/d/logs/b.log');
    await settled();
    expect(framed).toBe(2);
  });
});

describe('the camera', () => {
  it('reads more of the model for its place once it rests', async () => {
    await open();
    const lookFrom = vi.spyOn(useLearnView(), 'lookFrom').mockReturnValue();
    for (let move = 0; move < 5; move += 1) {
      onCameraMoved();
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(lookFrom).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(500);
    expect(lookFrom.mock.calls).toEqual([[[0, 0, 9]]]);
  });

  it('reads nothing after the view closes', async () => {
    await open();
    const lookFrom = vi.spyOn(useLearnView(), 'lookFrom').mockReturnValue();
    onCameraMoved();
    scope.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(lookFrom).not.toHaveBeenCalled();
  });
});

describe('a click', () => {
  it('shows the ranges at its place in the world', async () => {
    const { scene, panel } = await open();
    scene.pointerDown(pointer(10));
    scene.pointerUp(pointer(12));
    expect([usePlaceRanges().placeM, scene.isMissed.value]).toEqual([[101, 2, 3], false]);
    expect(panel).toHaveBeenCalledWith('learn-ranges');
  });

  it('reports that it meets nothing, and keeps the earlier place', async () => {
    const { scene, panel } = await open();
    placeM = null;
    scene.pointerDown(pointer(10));
    scene.pointerUp(pointer(10));
    expect([usePlaceRanges().placeM, scene.isMissed.value]).toEqual([null, true]);
    expect(panel).not.toHaveBeenCalled();
  });

  it('is ignored after a drag and with another button', async () => {
    const { scene } = await open();
    scene.pointerDown(pointer(10));
    scene.pointerUp(pointer(20));
    scene.pointerUp(pointer(20));
    scene.pointerDown(pointer(10, 2));
    scene.pointerUp(pointer(10, 2));
    expect(picked).toEqual([]);
  });

  it('by key picks the middle of the log: of the view, or of its left half beside a model', async () => {
    const { scene } = await open();
    const box = { left: 100, top: 50, width: 400, height: 200 };
    const canvas = { getBoundingClientRect: () => box } as unknown as HTMLElement;
    scene.lookAtCentre(canvas);
    page.within(useModelFiles).show('site.ply');
    scene.lookAtCentre(canvas);
    await nextTick();
    expect(picked).toEqual([
      [300, 150],
      [200, 150],
    ]);
  });
});
