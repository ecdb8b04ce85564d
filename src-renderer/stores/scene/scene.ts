// The scene that is open: which scenario, what is in it, what is selected. The host keeps it built for as
// long as the call `scene.open` lasts. Triangles are not reactive: they go straight to who subscribed.
import { defineStore } from 'pinia';
import { computed, ref, shallowRef, watch } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { SceneChunk, SceneContents } from '#contract/host/sceneMethods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { useClient } from '#renderer/client/injection.ts';
import { nextFrame } from '#renderer/browser/nextFrame.ts';
import { type ColumnSlices, createColumnSlices } from '#domain/shared/columnSlices.ts';
import { instanceTable, type InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { sceneTitle } from '#renderer/logic/scene/sceneTitle.ts';
import { idOfName, sceneObject } from '#renderer/logic/scene/sceneObjects.ts';
import type { ModelTriangles } from '#renderer/logic/scene/surfaceMesh.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { useConnection } from '../host/connection.ts';
import { useJobs } from '../host/jobs.ts';
import { usePlace } from '../frame/place.ts';
import { saveScene, savedScene } from './savedScene.ts';

/** A level of a model, as it came. */
export interface ArrivedMesh {
  model: number;
  level: number;
  triangles: ModelTriangles;
}

/** What takes a scene as it comes. */
export interface SceneListener {
  /** `isSame`: the same scenario as before, built again. */
  onScene(contents: SceneContents, table: InstanceTable, isSame: boolean): void;
  onMesh(mesh: ArrivedMesh): void;
  onClosed(): void;
}

/** 'open': built and here, though finer triangles may still come. */
export type SceneState = 'empty' | 'opening' | 'open' | 'failed';

/** A connection that is lost so often before a scene came whole is lost through it. */
const maxLosses = 2;

/** Finest first; the last are for ground cover far away. */
const levels = [200_000, 40_000, 8_000, 1_500, 250, 50];

export const useScene = defineStore('scene', () => {
  const client = useClient();
  const connection = useConnection();
  const jobs = useJobs();
  const place = usePlace();
  const saved = savedScene();
  const samples = shallowRef<Replies['scenario.list'] | null>(null);
  const scenario = ref(saved?.scenario ?? null);
  const text = ref(saved?.text ?? null);
  const state = ref<SceneState>(saved === null ? 'empty' : 'opening');
  /** Why the last attempt failed; the scene before it may still be there. */
  const error = ref<string | null>(null);
  const progress = shallowRef<Progress | null>(null);
  const contents = shallowRef<SceneContents | null>(null);
  const table = shallowRef<InstanceTable | null>(null);
  const selection = ref<number[]>([]);
  const hovered = ref<number | null>(null);
  /** The view, while there is one: for those who add to it. */
  const viewer = shallowRef<SceneViewer | null>(null);
  /** Takes the next clicks into the scene in place of selecting. */
  const clickHandler = shallowRef<((placeM: PointM) => void) | null>(null);
  const selected = computed(() =>
    contents.value === null
      ? []
      : selection.value.flatMap((id) => {
          const object = contents.value && sceneObject(contents.value, id);
          return object === null ? [] : [object];
        }),
  );
  const isBuilding = ref(false);
  const listeners = new Set<SceneListener>();
  let meshes: ArrivedMesh[] = [];
  /** The next scene to come is another one than the last. */
  let isOther = true;
  /** What a page that was loaded again remembers has not been built yet. */
  let isUntried = saved !== null;
  let attempt: AbortController | null = null;
  let keeping: AbortController | null = null;
  /** How often the connection was lost since a scene came whole. */
  let losses = 0;
  /** All of the scene that was asked for last has come. */
  let isWhole = true;

  connection.whenOpen(() => {
    client.call('scenario.list', {}).then(
      (list) => (samples.value = list),
      () => (samples.value = []),
    );
    if (scenario.value === null || (isUntried && place.activity !== 'scene')) return;
    // Why not endlessly: a scene that the page cannot take would be built again and again.
    if (losses < maxLosses) void build();
    else giveUp();
  });
  // Why not before: a page that is reloaded on another activity need not wait for it.
  watch(
    () => place.activity,
    (activity) => {
      if (activity === 'scene' && isUntried && connection.state === 'open') void build();
    },
  );
  // Closed, discarded, or saved under another name.
  watch(scenario, (now) => saveScene(now === null ? null : { scenario: now, text: null }), {
    flush: 'sync',
  });
  watch(
    () => connection.state,
    (link) => {
      // Why: what the host kept went with the connection; the view stays until it is built again.
      if (link !== 'lost' || scenario.value === null) return;
      isBuilding.value = false;
      if (!isWhole) losses += 1;
    },
    // Why at once: the connection may be back before anything else is looked at.
    { flush: 'sync' },
  );
  return {
    ...{ samples, scenario, text, state, error, progress, contents, table, isBuilding },
    ...{ selection, hovered, selected, viewer, clickHandler },
    ...{ open, showText, rebuild: build, close, cancel, select, subscribe },
  };

  /** Opens a sample by its id, or a file; with a text, that in place of the file's contents. */
  async function open(next: string, nextText: string | null = null): Promise<void> {
    if (scenario.value !== next) forget();
    scenario.value = next;
    text.value = nextText;
    saveScene({ scenario: next, text: nextText });
    losses = 0;
    await build();
  }

  /** Builds the open scenario again from this text; null: from its file. */
  async function showText(next: string | null): Promise<void> {
    if (text.value === next || scenario.value === null) return;
    text.value = next;
    await build();
  }

  function close(): void {
    cancel();
    keeping?.abort();
    keeping = null;
    scenario.value = null;
    text.value = null;
    forget();
    state.value = 'empty';
  }

  /** Cancels the build; the scene before it stays. */
  function cancel(): void {
    attempt?.abort();
    attempt = null;
    isBuilding.value = false;
    progress.value = null;
    if (contents.value === null) {
      scenario.value = null;
      state.value = 'empty';
    }
  }

  function select(ids: readonly number[]): void {
    selection.value = [...ids];
  }

  /** Gives what has come so far, and all that follows. Returns how to end that. */
  function subscribe(listener: SceneListener): () => void {
    listeners.add(listener);
    if (contents.value !== null && table.value !== null) {
      listener.onScene(contents.value, table.value, false);
      for (const mesh of meshes) listener.onMesh(mesh);
    }
    return () => void listeners.delete(listener);
  }

  function forget(): void {
    contents.value = null;
    table.value = null;
    meshes = [];
    selection.value = [];
    hovered.value = null;
    isOther = true;
    for (const listener of listeners) listener.onClosed();
  }

  /** What is open once more; it stays on screen until then. */
  async function build(): Promise<void> {
    const asked = scenario.value;
    if (asked === null) return;
    attempt?.abort();
    const own = new AbortController();
    attempt = own;
    isUntried = false;
    isWhole = false;
    isBuilding.value = true;
    error.value = null;
    progress.value = null;
    if (contents.value === null) state.value = 'opening';
    const job =
      contents.value === null ? jobs.track(`Open scene: ${sceneTitle(asked)}`, cancel) : null;
    let ready: SceneContents | null = null;
    let slices: ColumnSlices | null = null;
    try {
      await client.call(
        'scene.open',
        { scenario: asked, levels, ...(text.value !== null && { text: text.value }) },
        {
          signal: own.signal,
          onProgress: (next) => {
            if (attempt === own) progress.value = next;
            job?.advance(next);
          },
          onChunk: async (body, columns) => {
            if (own.signal.aborted) return;
            const chunk = body as SceneChunk;
            if (chunk.kind === 'ready') ready = chunk;
            else if (chunk.kind === 'mesh') await takeMesh(chunk, columns);
            else if (chunk.kind === 'complete') takeWhole();
            else if (ready !== null) {
              slices ??= createColumnSlices(chunk.total);
              slices.put(chunk.fromRow, columns);
              if (chunk.fromRow + (columns['instance_id']?.length ?? 0) < chunk.total) return;
              const instances = instanceTable(slices.columns);
              // Why: what is shown of a scene takes its own share of a frame.
              await nextFrame();
              if (own.signal.aborted) return;
              takeScene(ready, instances, own);
              job?.done();
            }
          },
        },
      );
      job?.done();
    } catch (failure) {
      job?.failed(failure);
      if (isCancelled(failure) || own.signal.aborted) return;
      if (attempt === own || keeping === own) fail(own, failure);
    }
  }

  function takeScene(ready: SceneContents, instances: InstanceTable, own: AbortController): void {
    if (attempt === own) attempt = null;
    keeping?.abort();
    keeping = own;
    const names = selected.value.map(({ name }) => name);
    const isSame = !isOther;
    isOther = false;
    meshes = [];
    contents.value = ready;
    table.value = instances;
    state.value = 'open';
    isBuilding.value = false;
    progress.value = null;
    hovered.value = null;
    selection.value = isSame ? names.flatMap((name) => idOfName(ready, name) ?? []) : [];
    for (const listener of listeners) listener.onScene(ready, instances, isSame);
  }

  async function takeMesh(
    { model, level }: { model: number; level: number },
    { position, index, material }: Columns,
  ): Promise<void> {
    if (!(position instanceof Float32Array && index instanceof Uint32Array)) return;
    if (!(material instanceof Uint16Array)) return;
    const mesh = { model, level, triangles: { positionM: position, index, material } };
    meshes.push(mesh);
    for (const listener of listeners) listener.onMesh(mesh);
    await nextFrame();
  }

  function takeWhole(): void {
    isWhole = true;
    losses = 0;
  }

  function giveUp(): void {
    losses = 0;
    isBuilding.value = false;
    error.value =
      'The connection was lost twice while this scene was being sent: it may be too large for this page.';
    if (contents.value === null) state.value = 'failed';
    saveScene(null);
  }

  function fail(own: AbortController, failure: unknown): void {
    if (attempt === own) attempt = null;
    if (keeping === own) keeping = null;
    isBuilding.value = false;
    progress.value = null;
    // Why not while the connection is down: it is built again as soon as that is back.
    if (connection.state === 'open') error.value = sentenceOf(failure);
    if (contents.value !== null) return;
    state.value = 'failed';
    // Why: a page that is loaded again must not run into the same failure.
    if (connection.state === 'open') saveScene(null);
  }
});
