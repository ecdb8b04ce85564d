// Clipping of views: one box for all of them, by key, numbers, handles and places that are clicked.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick, reactive, ref, shallowRef } from 'vue';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import { useClip, useClippedView } from '#renderer/composables/frame/useClip.ts';
import { createClipState, type Clip, type ClipState } from '#renderer/logic/cloud/clipBox.ts';
import type { PlaceM } from '#renderer/logic/cloud/cloudBounds.ts';
import { useCommandList } from '#renderer/stores/frame/commands.ts';
import type { ClipTool } from '#renderer/viewer/engine/clip/clipTool.ts';
import { openPage } from '#test/renderer/stores/openPage.ts';
import { mounted } from '../mounted.ts';

let state: ClipState;
let clip: Clip;
let views: ReturnType<typeof viewOf>[];
const fileText = ref('');

/** A view whose points are in the given bounds. */
function viewOf(halfM: number | null) {
  let dragged: (box: UprightBox) => void = () => undefined;
  let pick: ((placeM: PlaceM) => void) | null = null;
  const shown: (UprightBox | null)[] = [];
  const tool: ClipTool = {
    boundsM: () =>
      halfM === null ? null : { minM: [-halfM, -halfM, 0], maxM: [halfM, halfM, halfM] },
    set: (box) => void shown.push(box),
    onDragged: (listener) => void (dragged = listener),
    pick: (listener) => void (pick = listener),
    setColour: () => undefined,
  };
  return {
    viewer: { clip: tool, setSceneClipped: vi.fn() },
    shown,
    drag: (box: UprightBox) => dragged(box),
    click: (placeM: PlaceM) => pick?.(placeM),
    isPicking: () => pick !== null,
  };
}

beforeEach(() => {
  state = reactive(createClipState());
  views = [viewOf(null), viewOf(4), viewOf(10)];
  const page = openPage();
  clip = mounted(page, () => {
    for (const { viewer } of views) {
      useClippedView(
        () => shallowRef(viewer).value,
        () => state,
      );
    }
    const tools = () => views.map(({ viewer }) => viewer.clip);
    const options = {
      part: 'test',
      when: () => true,
      edited: () => fileText.value,
      originM: () => undefined,
    };
    return useClip(tools, () => state, options);
  }).result;
});

it('is switched by its command: around all points in every view, and off again', async () => {
  expect(useCommandList().run('test.clip')).toBe(true);
  await nextTick();
  // The largest, with a margin of a fiftieth of 20 m.
  const box = { centreM: [0, 0, 5], yawRad: 0, sizeM: [20.8, 20.8, 10.8] };
  expect(views.map(({ shown }) => shown.at(-1))).toEqual([box, box, box]);
  useCommandList().run('test.clip');
  await nextTick();
  expect(views.map(({ shown }) => shown.at(-1))).toEqual([null, null, null]);
});

it('follows the handles of one view in the others', async () => {
  clip.toggle();
  await nextTick();
  const box = { centreM: [1, 0, 5], yawRad: 0, sizeM: [18, 20, 10] } as const;
  views[0]?.drag(box);
  await nextTick();
  expect(views[1]?.shown.at(-1)).toEqual(box);
});

it('becomes a section along the line between two clicked places', async () => {
  clip.line();
  await nextTick();
  expect([clip.missingPlaces, views.every(({ isPicking }) => isPicking())]).toEqual([2, true]);
  views[1]?.click([0, 0, 0]);
  // No line yet.
  views[1]?.click([0, 0, 1]);
  expect(clip.missingPlaces).toBe(1);
  views[1]?.click([3, 4, 0]);
  await nextTick();
  expect(state.box?.sizeM).toEqual([5, 0.25, 10.8]);
  expect([clip.missingPlaces, views.some(({ isPicking }) => isPicking())]).toEqual([0, false]);
});

it('cancels a section by its command, and leaves the box as it was', async () => {
  clip.section(2);
  const before = state.box;
  expect(before?.sizeM[2]).toBeCloseTo(0.54, 12);
  clip.line();
  await nextTick();
  expect(useCommandList().run('test.clip-cancel')).toBe(true);
  await nextTick();
  expect([state.box, views[1]?.isPicking()]).toEqual([before, false]);
  expect(useCommandList().run('test.clip-cancel')).toBe(false);
});

it('clips the scene too, unless it is asked not to', async () => {
  expect(views[0]?.viewer.setSceneClipped).toHaveBeenLastCalledWith(true);
  state.isSceneClipped = false;
  await nextTick();
  expect(views[0]?.viewer.setSceneClipped).toHaveBeenLastCalledWith(false);
});

describe('its steps', () => {
  const run = (command: 'undo' | 'redo'): boolean => useCommandList().run(`test.clip-${command}`);

  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('are undone and redone, a dragged handle as one', () => {
    expect(run('undo')).toBe(false);
    clip.toggle();
    const whole = state.box;
    vi.advanceTimersByTime(5000);
    for (const lengthM of [19, 18, 17]) {
      vi.advanceTimersByTime(100);
      views[1]?.drag({ centreM: [0, 0, 5], yawRad: 0, sizeM: [lengthM, 20, 10] });
    }
    vi.advanceTimersByTime(5000);
    clip.section(0);
    const section = state.box;
    expect(run('undo')).toBe(true);
    expect(state.box?.sizeM).toEqual([17, 20, 10]);
    expect(run('undo')).toBe(true);
    expect(state.box).toEqual(whole);
    expect(run('undo')).toBe(true);
    expect([state.box, run('undo')]).toEqual([null, false]);
    for (let step = 0; step < 3; step += 1) expect(run('redo')).toBe(true);
    expect([state.box, run('redo')]).toEqual([section, false]);
  });

  it('end where the box is changed again, and where the file is edited', async () => {
    clip.toggle();
    run('undo');
    clip.section(1);
    expect(run('redo')).toBe(false);
    fileText.value += ' ';
    await nextTick();
    const { box } = state;
    expect([run('undo'), state.box]).toEqual([false, box]);
  });
});
