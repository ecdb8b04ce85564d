// The points of a view, drawn after everything else: with eye-dome lighting where that is on and there is time for it.
import { type PerspectiveCamera, Scene, type WebGLRenderer } from 'three';
import { createEyeDome } from './eyeDome.ts';

export interface PointPass {
  readonly scene: Scene;
  setEyeDome: (isOn: boolean) => void;
  /** Over what is on the canvas. `hasTime`: for a pass more. */
  draw: (renderer: WebGLRenderer, camera: PerspectiveCamera, hasTime: boolean) => void;
  dispose: () => void;
}

/** Without points; eye-dome lighting is on. */
export function createPointPass(): PointPass {
  const scene = new Scene();
  const eyeDome = createEyeDome();
  let isOn = true;
  return {
    scene,
    setEyeDome(next) {
      isOn = next;
    },
    draw(renderer, camera, hasTime) {
      if (!scene.children.some(({ visible }) => visible)) return;
      renderer.autoClear = false;
      if (isOn && hasTime) eyeDome.draw(renderer, scene, camera);
      else renderer.render(scene, camera);
    },
    dispose: eyeDome.dispose,
  };
}
