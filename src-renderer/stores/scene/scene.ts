// The scene that is open: which scenario, what is in it, what is selected. The host keeps it built for as long as the
// call `scene.open` lasts (sceneBuild.ts).
import { defineStore } from 'pinia';
import { ref, shallowRef, watch } from 'vue';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { sceneTitle } from '#renderer/logic/scene/sceneTitle.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { usePlace } from '../frame/place.ts';
import { useConnection } from '../host/connection.ts';
import { useJobs } from '../host/jobs.ts';
import { createFirstFrame } from './firstFrame.ts';
import { saveScene, savedScene } from './savedScene.ts';
import { createSceneBuild } from './sceneBuild.ts';
import { createSceneListeners } from './sceneListeners.ts';
import { createSceneSelection } from './sceneSelection.ts';

/** 'open': built and here, though finer triangles may still come. */
export type SceneState = 'empty' | 'opening' | 'open' | 'failed';

export const useScene = defineStore('scene', () => {
  const connection = useConnection();
  const jobs = useJobs();
  const place = usePlace();
  const saved = savedScene();
  const scenario = ref(saved?.scenario ?? null);
  const text = ref(saved?.text ?? null);
  const state = ref<SceneState>(saved === null ? 'empty' : 'opening');
  const contents = shallowRef<SceneContents | null>(null);
  const table = shallowRef<InstanceTable | null>(null);
  const picked = createSceneSelection(contents);
  const { selection, hovered, selected, select } = picked;
  /** The view, while there is one: for those who add to it. */
  const viewer = shallowRef<SceneViewer | null>(null);
  const firstFrame = createFirstFrame(() => viewer.value);
  /** Gets the next clicks into the scene; they do not select. */
  const clickHandler = shallowRef<((placeM: PointM) => void) | null>(null);
  const listeners = createSceneListeners();
  const mesh = firstFrame.paced(listeners.addMesh);
  const building = createSceneBuild({ scene: showScene, mesh, failed });
  /** The scene before it may still be there when the last attempt failed. */
  const { isBuilding, progress, error, whenBuilt } = building;
  /** The next scene to come is another one than the last. */
  let isOther = true;
  /** The scene of a reloaded page has not been built yet. */
  let isUntried = saved !== null;

  connection.whenOpen(() => {
    if (scenario.value === null || (isUntried && place.activity !== 'scene')) return;
    // Why not endlessly: a scene that the page cannot hold would be built again and again.
    if (building.isLostTooOften()) giveUp();
    else void build();
  });
  // Why not before: a page that is reloaded on another activity need not wait for it.
  const buildIfUntried = (): void => {
    if (place.activity === 'scene' && isUntried && connection.state === 'open') void build();
  };
  watch(() => place.activity, buildIfUntried);
  // Closed, cancelled, or saved under another name.
  watch(scenario, (now) => saveScene(now === null ? null : { scenario: now, text: null }), {
    flush: 'sync',
  });
  return {
    scenario,
    text,
    state,
    error,
    progress,
    contents,
    table,
    isBuilding,
    whenBuilt,
    /** Resolves once the scene as it was asked for last is on screen, or cannot be. */
    whenFirstDrawn: () => whenBuilt().then(firstFrame.whenDrawn),
    selection,
    hovered,
    selected,
    viewer,
    clickHandler,
    open,
    showText,
    rebuild: build,
    close,
    cancel,
    select,
    subscribe: listeners.subscribe,
  };

  /** Opens a sample by its id, or a file; with a text, that in place of the file's contents. */
  async function open(next: string, nextText: string | null = null): Promise<void> {
    if (scenario.value !== next) clear();
    scenario.value = next;
    text.value = nextText;
    saveScene({ scenario: next, text: nextText });
    building.resetLosses();
    await build();
  }

  /** Builds the open scenario again from this text; null: from its file. */
  async function showText(next: string | null): Promise<void> {
    if (text.value === next || scenario.value === null) return;
    text.value = next;
    await build();
  }

  function close(): void {
    building.close();
    [scenario.value, text.value] = [null, null];
    clear();
    state.value = 'empty';
  }

  /** Cancels what is being built; what was there before stays. */
  function cancel(): void {
    building.cancel();
    if (contents.value !== null) return;
    scenario.value = null;
    state.value = 'empty';
  }

  function clear(): void {
    contents.value = null;
    table.value = null;
    picked.clear();
    isOther = true;
    listeners.close();
  }

  /** Builds the open scene again; the one before stays on screen until then. */
  async function build(): Promise<void> {
    const { value: asked } = scenario;
    if (asked === null) return;
    isUntried = false;
    const isFirst = contents.value === null;
    if (isFirst) state.value = 'opening';
    const job = isFirst ? jobs.track(`Open scene: ${sceneTitle(asked)}`, cancel) : null;
    await building.start({ scenario: asked, text: text.value }, job);
  }

  function showScene(next: SceneContents, instances: InstanceTable): void {
    const names = selected.value.map(({ name }) => name);
    const isSame = !isOther;
    isOther = false;
    contents.value = next;
    table.value = instances;
    state.value = 'open';
    picked.selectNames(isSame ? names : []);
    listeners.show(next, instances, isSame);
    firstFrame.expect();
  }

  function giveUp(): void {
    building.giveUp();
    if (contents.value === null) state.value = 'failed';
    saveScene(null);
  }

  function failed(): void {
    if (contents.value !== null) return;
    state.value = 'failed';
    // Why: a page that is loaded again must not run into the same failure.
    if (connection.state === 'open') saveScene(null);
  }
});
