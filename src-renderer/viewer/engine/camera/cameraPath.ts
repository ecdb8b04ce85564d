// The eased path of a camera from one viewpoint to another.
import type { Viewpoint } from './viewpoints.ts';

export interface CameraPath {
  begin: (from: Viewpoint, to: Viewpoint) => void;
  cancel: () => void;
  /** Where it leads; null: there is none. */
  end: () => Viewpoint | null;
  /** The next viewpoint on the path, which ends by itself; null: there is none. */
  advance: (seconds: number) => Viewpoint | null;
}

const durationS = 0.35;

/** Moves a camera smoothly from one pose to another. */
export function createCameraPath(): CameraPath {
  let path: { from: Viewpoint; to: Viewpoint; doneS: number } | null = null;
  return {
    begin(from, to) {
      path = { from, to, doneS: 0 };
    },
    cancel() {
      path = null;
    },
    end: () => path?.to ?? null,
    advance(seconds) {
      if (path === null) return null;
      path.doneS += seconds;
      const share = Math.min(path.doneS / durationS, 1);
      const eased = share * share * (3 - 2 * share);
      const { from, to } = path;
      if (share === 1) path = null;
      return {
        positionM: from.positionM.clone().lerp(to.positionM, eased),
        targetM: from.targetM.clone().lerp(to.targetM, eased),
      };
    },
  };
}
