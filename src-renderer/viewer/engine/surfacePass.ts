// The surfaces of a view, drawn first: with sky occlusion where that is on and there is time for it.
import type { PerspectiveCamera, Scene, WebGLRenderer } from 'three';
import type { FrameEffort } from '#renderer/logic/viewer/frameEffort.ts';
import { createSkyOcclusion } from './skyOcclusion.ts';

export interface SurfacePass {
  setOcclusion: (isOn: boolean) => void;
  isOccluded: () => boolean;
  /** A view that is refined is drawn once more. */
  hasLastPass: () => boolean;
  /** The drawing of a frame's surfaces. `isRefined`: the view rests and nothing is left to refine. */
  begin: (
    renderer: WebGLRenderer,
    camera: PerspectiveCamera,
    isRefined: boolean,
  ) => (scene: Scene) => void;
  dispose: () => void;
}

/** Occlusion is on where the view has surfaces. */
export function createSurfacePass(hasSurfaces: boolean, effort: FrameEffort): SurfacePass {
  const occlusion = hasSurfaces ? createSkyOcclusion() : null;
  let isOn = hasSurfaces;
  return {
    setOcclusion(next) {
      isOn = next && hasSurfaces;
    },
    isOccluded: () => isOn,
    hasLastPass: () => isOn && !effort.isQuick(),
    begin(renderer, camera, isRefined) {
      const hasTime = isOn && (isRefined || effort.isQuick());
      return occlusion !== null && hasTime
        ? (scene) => occlusion.draw(renderer, scene, camera)
        : (scene) => renderer.render(scene, camera);
    },
    dispose: () => occlusion?.dispose(),
  };
}
