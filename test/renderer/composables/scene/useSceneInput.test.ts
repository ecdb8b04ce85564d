// Pointer in the view of a scene: what a click selects or measures, and what a drag does not.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { shallowRef } from 'vue';
import { useSceneInput, type SceneInput } from '#renderer/composables/scene/useSceneInput.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import type { SceneHit } from '#renderer/viewer/scene/scenePicking.ts';
import type { Picker } from '#renderer/viewer/engine/viewport.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { openPage } from '#test/renderer/stores/openPage.ts';
import { mounted } from '../mounted.ts';

type Met = { hit: SceneHit } | { picker: Pick<Picker, 'click' | 'placeM'> } | null;

let canvas: EventTarget;
let input: SceneInput;
let met: Met;
let isGizmoBusy: boolean;
const setMeasure = vi.fn();
const setTarget = vi.fn();

const hitOf = (instanceId: number, xM = 0): { hit: SceneHit } => ({
  hit: {
    instanceId,
    positionM: [xM, 0, 0],
    normal: [0, 0, 1],
    distanceM: 10,
    material: 0,
    cornersM: [
      [1, 0, 0],
      [5, 0, 0],
      [5, 5, 0],
    ],
  },
});

beforeEach(() => {
  vi.clearAllMocks();
  [met, isGizmoBusy] = [null, false];
  const page = openPage({ at: '#/scene' });
  canvas = new EventTarget();
  const element = Object.assign(canvas, { focus: () => undefined, style: {} });
  const viewer = {
    pickAt: () => met,
    isGizmoBusy: () => isGizmoBusy,
    setMeasure,
    // A pixel is 0.1 m.
    pixelM: () => 0.1,
    camera: { setTarget },
  };
  input = mounted(page, () =>
    useSceneInput(
      shallowRef(element as unknown as HTMLCanvasElement),
      shallowRef(viewer as unknown as SceneViewer),
    ),
  ).result;
});
afterEach(() => vi.clearAllMocks());

function point(type: string, at: number, more: object = {}): void {
  const none = { shiftKey: false, ctrlKey: false, metaKey: false, button: 0, buttons: 0 };
  canvas.dispatchEvent(
    Object.assign(new Event(type), {
      ...none,
      offsetX: at,
      offsetY: 0,
      clientX: at,
      clientY: 0,
      ...more,
    }),
  );
}

function click(next: Met, more: object = {}): void {
  met = next;
  point('pointerdown', 10, more);
  point('pointerup', 12, more);
}

describe('a click', () => {
  it('selects what it meets, and nothing where it meets nothing', () => {
    const scene = useScene();
    click(hitOf(3));
    expect([scene.selection, input.hit.value?.instanceId]).toEqual([[3], 3]);
    click(null);
    expect([scene.selection, input.hit.value]).toEqual([[], null]);
  });

  it('with Shift or Ctrl adds to the selection, or takes out of it', () => {
    const scene = useScene();
    click(hitOf(3));
    click(hitOf(4), { shiftKey: true });
    expect(scene.selection).toEqual([3, 4]);
    click(hitOf(3), { ctrlKey: true });
    expect(scene.selection).toEqual([4]);
    click(null, { shiftKey: true });
    expect(scene.selection).toEqual([4]);
  });

  it('is ignored after a drag, with another button and on a handle', () => {
    const scene = useScene();
    met = hitOf(3);
    point('pointerdown', 10);
    point('pointerup', 20);
    click(hitOf(3), { button: 2 });
    isGizmoBusy = true;
    click(hitOf(3));
    expect(scene.selection).toEqual([]);
  });

  it('goes to what asked for the next place, and selects nothing', () => {
    const scene = useScene();
    scene.clickHandler = vi.fn();
    click(hitOf(3, 2));
    click(null);
    expect(scene.clickHandler).toHaveBeenCalledTimes(1);
    expect(scene.clickHandler).toHaveBeenCalledWith([2, 0, 0]);
    expect(scene.selection).toEqual([]);
  });

  it('on a point of a scan is not one on the object behind it', () => {
    const picker = { click: vi.fn() };
    click({ picker });
    expect(picker.click).toHaveBeenCalledTimes(1);
    expect(useScene().selection).toEqual([]);
  });
});

describe('measuring', () => {
  it('adds a point a click, drawn to a corner that is near unless Shift is held', () => {
    input.isMeasuring.value = true;
    click(hitOf(3, 1.5));
    click(hitOf(3, 1.5), { shiftKey: true });
    click(null);
    expect(input.points.value).toEqual([
      [1, 0, 0],
      [1.5, 0, 0],
    ]);
    expect(setMeasure).toHaveBeenLastCalledWith(input.points.value);
    expect(useScene().selection).toEqual([]);
  });

  it('adds a point of a scan as it is, and nothing for a mark that is no place', () => {
    input.isMeasuring.value = true;
    const clicked = vi.fn();
    click({ picker: { click: clicked, placeM: () => [4, 5, 6] } });
    click({ picker: { click: clicked } });
    expect(input.points.value).toEqual([[4, 5, 6]]);
    expect(clicked).not.toHaveBeenCalled();
  });

  it('is left in two steps: first what was measured goes, then the mode', () => {
    input.isMeasuring.value = true;
    click(hitOf(3));
    expect(input.leaveMeasure()).toBe(true);
    expect([input.points.value, input.isMeasuring.value]).toEqual([[], true]);
    expect(setMeasure).toHaveBeenLastCalledWith([]);
    expect(input.leaveMeasure()).toBe(true);
    expect(input.isMeasuring.value).toBe(false);
    expect(input.leaveMeasure()).toBe(false);
  });

  it('is not disturbed by a double click, which sets the centre otherwise', () => {
    met = hitOf(3, 2);
    input.isMeasuring.value = true;
    point('dblclick', 0);
    expect(setTarget).not.toHaveBeenCalled();
    input.isMeasuring.value = false;
    point('dblclick', 0);
    expect(setTarget).toHaveBeenCalledWith([2, 0, 0]);
  });
});

describe('the object under the pointer', () => {
  it('is lit up, but for walls and ground, until the pointer leaves', async () => {
    const scene = useScene();
    Object.assign(scene, {
      table: { instanceId: Uint32Array.of(3, 4), modelId: Uint16Array.of(0, 1) },
      contents: { models: [{ name: 'tree' }, { name: 'wall:0' }] },
    });
    met = hitOf(3);
    point('pointermove', 1);
    await vi.waitFor(() => expect(scene.hovered).toBe(3));
    met = hitOf(4);
    point('pointermove', 2);
    await vi.waitFor(() => expect(scene.hovered).toBeNull());
    met = hitOf(3);
    point('pointermove', 3);
    await vi.waitFor(() => expect(scene.hovered).toBe(3));
    point('pointerleave', 3);
    expect(scene.hovered).toBeNull();
  });
});
