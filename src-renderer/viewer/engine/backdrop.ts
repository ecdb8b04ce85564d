// A scene of its own behind a view, drawn first, which fades into the colour of the background. Faded, it
// hides nothing of what is drawn after it.
import {
  type ColorRepresentation,
  Mesh,
  MeshBasicMaterial,
  OrthographicCamera,
  PlaneGeometry,
  Scene,
  type WebGLRenderer,
} from 'three';

export interface Backdrop {
  readonly scene: Scene;
  /** 0: not drawn; 1: opaque, and nearer surfaces of it hide others. */
  setOpacity: (opacity: number) => void;
  setBackground: (colour: ColorRepresentation) => void;
  isShown: () => boolean;
  /** Clears the canvas and draws; false: nothing was done, since it is not shown. */
  draw: (renderer: WebGLRenderer, drawSurfaces: (scene: Scene) => void) => boolean;
  dispose: () => void;
}

/** Opaque, and shown while there is something to see. */
export function createBackdrop(hasContents: () => boolean): Backdrop {
  const scene = new Scene();
  // Why over all: a colour of that opacity over the drawn scene is the scene faded into it, whatever overlaps there.
  const veil = new Mesh(
    new PlaneGeometry(2, 2),
    new MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false }),
  );
  const veilCamera = new OrthographicCamera(-1, 1, 1, -1, -1, 1);
  let opacity = 1;
  const isShown = (): boolean => opacity > 0 && hasContents();
  return {
    scene,
    isShown,
    setOpacity(next) {
      opacity = next;
      veil.material.opacity = 1 - next;
    },
    setBackground(colour) {
      veil.material.color.set(colour);
    },
    draw(renderer, drawSurfaces) {
      if (!isShown()) return false;
      renderer.autoClear = true;
      drawSurfaces(scene);
      if (opacity >= 1) return true;
      renderer.autoClear = false;
      renderer.render(veil, veilCamera);
      renderer.clearDepth();
      return true;
    },
    dispose() {
      veil.geometry.dispose();
      veil.material.dispose();
    },
  };
}
