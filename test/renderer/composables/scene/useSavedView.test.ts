// The camera of a scene over a reload of the page: restored once, for the same scenario.
import { beforeEach, expect, it } from 'vitest';
import { nextTick, ref, shallowRef, type Ref, type ShallowRef } from 'vue';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import { useSavedView } from '#renderer/composables/scene/useSavedView.ts';
import type { SceneSettings } from '#renderer/composables/scene/useSceneSettings.ts';
import type { SceneCameraMode } from '#renderer/logic/viewer/viewSettings.ts';
import { saveView, savedView } from '#renderer/stores/scene/savedScene.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { stubBrowser, type BrowserStubs } from '#test/renderer/stores/browserStubs.ts';
import { answerEmptyLists } from '#test/renderer/stores/hostAnswers.ts';
import { fakePage } from '#test/renderer/stores/pageOf.ts';
import { mounted } from '../mounted.ts';

let browser: BrowserStubs;
let viewer: ShallowRef<SceneViewer | null>;
let cameraMode: Ref<SceneCameraMode>;
let showScene: () => void;
/** The camera; null: where the scene placed it. */
let camera: { mode: string; look: unknown[] } | null;

beforeEach(() => {
  browser = stubBrowser('#/scene');
  camera = null;
  [viewer, cameraMode, showScene] = [shallowRef(null), ref('orbit'), () => undefined];
});

/** The panel with a scene that is open. */
async function open(): Promise<() => void> {
  const page = fakePage();
  answerEmptyLists(page);
  Object.assign(useScene(), { scenario: '/a', contents: {} as SceneContents });
  const { unmount } = mounted(page, () =>
    useSavedView(viewer, { cameraMode } as unknown as SceneSettings),
  );
  viewer.value = {
    onScene: (listener: () => void) => void (showScene = listener),
    camera: {
      view: () => ({ positionM: [1, 2, 3], targetM: [0, 0, 0] }),
      setMode: (mode: string) => (camera = { look: [], ...camera, mode }),
      look: (...look: unknown[]) => (camera = { mode: '', ...camera, look }),
    },
  } as unknown as SceneViewer;
  await nextTick();
  return unmount;
}

const view = { mode: 'top', positionM: [9, 9, 9], targetM: [1, 1, 1] } as const;

it('restores the saved camera once', async () => {
  saveView({ scenario: '/a', ...view });
  await open();
  showScene();
  expect(cameraMode.value).toBe('top');
  expect(camera).toEqual({ mode: 'top', look: [view.positionM, view.targetM] });
  // Built again after an edit: the camera stays where the user has it.
  camera = null;
  showScene();
  expect(camera).toBeNull();
});

it('does not restore the camera of another scenario', async () => {
  saveView({ scenario: '/other', ...view });
  await open();
  showScene();
  useScene().scenario = '/other';
  showScene();
  expect(camera).toBeNull();
});

it('saves the camera when the page or the panel closes', async () => {
  const unmount = await open();
  const now = { scenario: '/a', mode: 'orbit', positionM: [1, 2, 3], targetM: [0, 0, 0] };
  browser.dispatch(new Event('pagehide'));
  expect(savedView()).toEqual(now);
  saveView(null);
  unmount();
  expect(savedView()).toEqual(now);
  saveView(null);
  browser.dispatch(new Event('pagehide'));
  expect(savedView()).toBeNull();
});

it('keeps the saved camera while no scene is open', async () => {
  saveView({ scenario: '/a', ...view });
  await open();
  useScene().contents = null;
  browser.dispatch(new Event('pagehide'));
  expect(savedView()).toEqual({ scenario: '/a', ...view });
});
