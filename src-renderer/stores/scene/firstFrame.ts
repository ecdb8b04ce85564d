// The first frame of a scene that is opened: what it does not need waits for it, since it would take the time of the
// processors that draw it.
import { drawnSoon } from '#renderer/browser/nextFrame.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

export interface FirstFrame {
  /** Another scene is shown from now on. */
  expect: () => void;
  /**
   * Adds a part, and resolves when the next may come: once that scene is on screen; at once where a part that its first
   * frame needs has not come.
   */
  paced: <P>(add: (part: P) => void) => (part: P) => Promise<void>;
  /** Resolves once that scene is on screen, or no view shows it. */
  whenDrawn: () => Promise<void>;
}

/** A view that shows nothing, say on a hidden page, is not waited for any longer. */
const maxFrameMs = 4000;

/** `viewer`: the view that shows the scene, as it is when that comes. */
export function createFirstFrame(viewer: () => SceneViewer | null): FirstFrame {
  let frame = Promise.resolve();
  return {
    expect() {
      const view = viewer();
      frame = view === null ? Promise.resolve() : drawnSoon(view.whenShown(), maxFrameMs);
    },
    paced: (add) => async (part) => {
      add(part);
      if (viewer()?.isReady() === true) await frame;
    },
    whenDrawn: () => frame,
  };
}
