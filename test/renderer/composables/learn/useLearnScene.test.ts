// The view of the Learn page: framed once, read again where the camera rests, and places that are clicked.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, nextTick, shallowRef, type EffectScope, type ShallowRef } from 'vue';
import { useLearnScene } from '#renderer/composables/learn/useLearnScene.ts';
import { useDocks } from '#renderer/stores/frame/docks.ts';
import { panelListKey } from '#renderer/stores/frame/panelList.ts';
import { useLearnView } from '#renderer/stores/learn/learnView.ts';
import { useLogFiles } from '#renderer/stores/learn/logFiles.ts';
import { usePlaceRanges } from '#renderer/stores/learn/placeRanges.ts';
import type { LearnViewer } from '#renderer/viewer/learn/learnViewer.ts';
import { answerLearning } from '#test/renderer/stores/hostAnswers.ts';
import { openPage, type OpenPage } from '#test/renderer/stores/openPage.ts';

let page: OpenPage;
let scope: EffectScope;
let viewer: ShallowRef<LearnViewer | null>;
let placeM: readonly [number, number, number] | null;
let onCameraMoved: () => void;
const frame = vi.fn();
const showCloud = vi.fn<(positionsM: Float32Array, rgb: Uint8Array) => void>();
const placeAt = vi.fn((_xPx: number, _yPx: number) => placeM);

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  placeM = [1, 2, 3];
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
    ...{ frame, showCloud, placeAt, eyeM: () => [0, 0, 9] },
    onCameraMoved: (listener: () => void) => void (onCameraMoved = listener),
  } as unknown as LearnViewer;
  await settled();
  const panel = vi.spyOn(useDocks(), 'show').mockReturnValue();
  return { scene, panel };
}

const pointer = (clientX: number, button = 0): PointerEvent =>
  ({ clientX, clientY: 5, button }) as PointerEvent;

describe('a log', () => {
  it('is drawn with a colour a point, and framed once, whatever its colours', async () => {
    await open();
    const [positionsM, rgb] = showCloud.mock.lastCall ?? [];
    expect([positionsM?.length, rgb?.length, frame.mock.calls.length]).toEqual([3, 3, 1]);
    useLearnView().colours.cloud = 'class';
    await settled();
    expect(frame).toHaveBeenCalledTimes(1);
    expect(showCloud.mock.lastCall?.[1]).not.toEqual(rgb);
    useLogFiles().show('/d/logs/b.log');
    await settled();
    expect(frame).toHaveBeenCalledTimes(2);
  });
});

describe('the camera', () => {
  it('that rests has more of the model read for its place, once', async () => {
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

  it('has nothing read after the view is gone', async () => {
    await open();
    const lookFrom = vi.spyOn(useLearnView(), 'lookFrom').mockReturnValue();
    onCameraMoved();
    scope.stop();
    await vi.advanceTimersByTimeAsync(1000);
    expect(lookFrom).not.toHaveBeenCalled();
  });
});

describe('a click', () => {
  it('shows the ranges at its place, in the world', async () => {
    const { scene, panel } = await open();
    scene.pointerDown(pointer(10));
    scene.pointerUp(pointer(12));
    expect([usePlaceRanges().placeM, scene.isMissed.value]).toEqual([[101, 2, 3], false]);
    expect(panel).toHaveBeenCalledWith('learn-ranges');
  });

  it('that meets nothing reports it, and the place before stays', async () => {
    const { scene, panel } = await open();
    placeM = null;
    scene.pointerDown(pointer(10));
    scene.pointerUp(pointer(10));
    expect([usePlaceRanges().placeM, scene.isMissed.value]).toEqual([null, true]);
    expect(panel).not.toHaveBeenCalled();
  });

  it('is none after a drag, or with another button', async () => {
    const { scene } = await open();
    scene.pointerDown(pointer(10));
    scene.pointerUp(pointer(20));
    scene.pointerUp(pointer(20));
    scene.pointerDown(pointer(10, 2));
    scene.pointerUp(pointer(10, 2));
    expect(placeAt).not.toHaveBeenCalled();
  });

  it('by key is in the middle of the left half, where the log is', async () => {
    const { scene } = await open();
    const box = { left: 100, top: 50, width: 400, height: 200 };
    scene.lookAtCentre({ getBoundingClientRect: () => box } as unknown as HTMLElement);
    await nextTick();
    expect(placeAt).toHaveBeenCalledWith(200, 150);
  });
});
