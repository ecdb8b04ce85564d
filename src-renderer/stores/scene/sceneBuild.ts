// Building the open scene on the host: one attempt at a time, each in place of the one before. The scene of the last
// attempt that succeeded stays open until the next one succeeds.
import { ref, shallowRef, watch, type Ref, type ShallowRef } from 'vue';
import { isCancelled } from '#contract/errors.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { useClient } from '#renderer/client/injection.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import { useConnection } from '../host/connection.ts';
import type { TrackedJob } from '../host/jobs.ts';
import { streamScene, type SceneStreamEvents } from './sceneStream.ts';

export interface SceneBuild {
  isBuilding: Ref<boolean>;
  progress: ShallowRef<Progress | null>;
  /** Why the last attempt failed. */
  error: Ref<string | null>;
  /** `job`: shows it in the list of jobs. */
  start: (request: SceneRequest, job: TrackedJob | null) => Promise<void>;
  /** Resolves once nothing is being built: the scene as it was asked for last is open, or cannot be built. */
  whenBuilt: () => Promise<void>;
  /** Cancels what is being built. */
  cancel: () => void;
  /** Ends what is open, too. */
  close: () => void;
  /**
   * A connection that is lost so often before a scene has come is lost through it: then it is not to be built again.
   */
  isLostTooOften: () => boolean;
  /** Reports that, and counts from 0 again. */
  giveUp: () => void;
  /** Another scene: what was lost before does not count. */
  resetLosses: () => void;
}

export interface SceneRequest {
  scenario: string;
  /** In place of its file's; null: the file's. */
  text: string | null;
}

export interface SceneBuildEvents extends Pick<SceneStreamEvents, 'scene' | 'mesh'> {
  /** Not for one that was cancelled. */
  failed: () => void;
}

const maxLosses = 2;
/** Between two states of the progress on screen. Why: each takes a frame of the page, and the host needs the processors. */
const progressMs = 200;

/** Within a set-up. */
export function createSceneBuild(on: SceneBuildEvents): SceneBuild {
  const client = useClient();
  const connection = useConnection();
  const isBuilding = ref(false);
  const progress = shallowRef<Progress | null>(null);
  const error = ref<string | null>(null);
  let attempt: AbortController | null = null;
  let open: AbortController | null = null;
  let losses = 0;
  /** All of the scene that was asked for last has come. */
  let isComplete = true;

  watch(
    () => connection.state,
    (state) => {
      if (state !== 'lost') return;
      // The host's scene went with the connection; the view stays until it is built again.
      isBuilding.value = false;
      if (!isComplete) losses += 1;
    },
    // Why at once: the connection may be back before the next tick.
    { flush: 'sync' },
  );
  return {
    isBuilding,
    progress,
    error,
    start,
    whenBuilt,
    cancel,
    close() {
      cancel();
      open?.abort();
      open = null;
      isComplete = true;
    },
    isLostTooOften: () => losses >= maxLosses,
    giveUp() {
      losses = 0;
      isBuilding.value = false;
      error.value =
        'The connection was lost twice while this scene was being sent: it may be too large for this page.';
    },
    resetLosses() {
      losses = 0;
    },
  };

  function whenBuilt(): Promise<void> {
    if (!isBuilding.value) return Promise.resolve();
    return new Promise((resolve) => {
      watch(isBuilding, () => resolve(), { once: true, flush: 'sync' });
    });
  }

  function cancel(): void {
    attempt?.abort();
    attempt = null;
    isBuilding.value = false;
    progress.value = null;
  }

  async function start(request: SceneRequest, job: TrackedJob | null): Promise<void> {
    attempt?.abort();
    const own = new AbortController();
    attempt = own;
    isComplete = false;
    isBuilding.value = true;
    error.value = null;
    progress.value = null;
    let shownAtMs = -Infinity;
    try {
      await streamScene(client, request, own.signal, {
        progress(next) {
          const nowMs = performance.now();
          const isSoon = nowMs - shownAtMs < progressMs;
          if (isSoon && next.phase === progress.value?.phase) return;
          shownAtMs = nowMs;
          if (attempt === own) progress.value = next;
          job?.advance(next);
        },
        scene(contents, table) {
          accept(own);
          on.scene(contents, table);
          job?.done();
        },
        mesh: on.mesh,
        complete() {
          isComplete = true;
          losses = 0;
        },
      });
      job?.done();
    } catch (failure) {
      job?.failed(failure);
      if (isCancelled(failure) || own.signal.aborted) return;
      if (attempt === own || open === own) fail(own, failure);
    }
  }

  function accept(own: AbortController): void {
    if (attempt === own) attempt = null;
    open?.abort();
    open = own;
    isBuilding.value = false;
    progress.value = null;
  }

  function fail(own: AbortController, failure: unknown): void {
    if (attempt === own) attempt = null;
    if (open === own) open = null;
    isBuilding.value = false;
    progress.value = null;
    // Why not while the connection is down: it is built again as soon as that is back.
    if (connection.state === 'open') error.value = sentenceOf(failure);
    on.failed();
  }
}
