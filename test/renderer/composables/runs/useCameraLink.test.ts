// Linked cameras: the others follow the one that was moved, and no view that has left.
import { beforeEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick } from 'vue';
import { useCameraLink, type CameraLink } from '#renderer/composables/runs/useCameraLink.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';

let link: CameraLink;

beforeEach(() => {
  link = effectScope(true).run(() => useCameraLink())!;
});

/** A view whose camera is a number. */
function join() {
  let onMoved = (): void => undefined;
  const view = {
    camera: 0,
    frame: vi.fn(),
    onCameraMoved: (listener: () => void) => (onMoved = listener),
    cameraView: () => view.camera,
    setCameraView: (next: number) => void (view.camera = next),
  };
  const leave = link.join(view as unknown as RunViewer);
  const move = (to: number): void => {
    view.camera = to;
    onMoved();
  };
  return { view, move, leave };
}

it('follow the one that was moved last', () => {
  const [a, b, c] = [join(), join(), join()];
  b.move(2);
  expect([a, b, c].map(({ view }) => view.camera)).toEqual([2, 2, 2]);
  c.move(3);
  expect([a, b, c].map(({ view }) => view.camera)).toEqual([3, 3, 3]);
});

it('stay where they are while they are not linked, and follow the first when they are again', async () => {
  const [a, b] = [join(), join()];
  link.isLinked.value = false;
  await nextTick();
  b.move(2);
  expect(a.view.camera).toBe(0);
  link.isLinked.value = true;
  await nextTick();
  expect(b.view.camera).toBe(0);
});

it('do not move a view that has left', () => {
  const [a, b, c] = [join(), join(), join()];
  b.leave();
  b.leave();
  a.move(1);
  expect([b.view.camera, c.view.camera]).toEqual([0, 1]);
});

it('frame all runs, in the direction of the first', () => {
  const [a, b] = [join(), join()];
  [a.view.camera, b.view.camera] = [1, 2];
  link.frame();
  expect([a.view.frame.mock.calls.length, b.view.frame.mock.calls.length]).toEqual([1, 1]);
  expect(b.view.camera).toBe(1);
});
