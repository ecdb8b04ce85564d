// The first frame of a scene that is opened: what it does not need waits for it, since it would take the time of the
// processors that draw it.
import { drawnSoon } from '#renderer/browser/nextFrame.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';

export interface FirstPicture {
  /** Another scene is shown from now on. */
  expect: () => void;
  /**
   * Adds a part, and resolves when the next may come: once that scene is on screen; at once where a part that its first
   * picture needs has not come.
   */
  paced: <P>(add: (part: P) => void) => (part: P) => Promise<void>;
  /** Resolves once that scene is on screen, or no view shows it. */
  whenThere: () => Promise<void>;
}

/** A view that shows nothing, say on a hidden page, is not waited for any longer. */
const maxPictureMs = 4000;

/** `viewer`: the view that shows the scene, as it is when that comes. */
export function createFirstPicture(viewer: () => SceneViewer | null): FirstPicture {
  let picture = Promise.resolve();
  return {
    expect() {
      const view = viewer();
      picture = view === null ? Promise.resolve() : drawnSoon(view.whenShown(), maxPictureMs);
    },
    paced: (add) => async (part) => {
      add(part);
      if (viewer()?.isReady() === true) await picture;
    },
    whenThere: () => picture,
  };
}
