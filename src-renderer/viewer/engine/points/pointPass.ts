// The points of a view, or of the first of its columns, drawn after everything else: with eye-dome lighting where that is
// on and there is time for it.
import { type PerspectiveCamera, Scene, Vector2, type WebGLRenderer } from 'three';
import { createEyeDome } from './eyeDome.ts';

export interface PointPass {
  readonly scene: Scene;
  setEyeDome: (isOn: boolean) => void;
  /** Over what is on the canvas. `hasTime`: for a pass more. */
  draw: (
    renderer: WebGLRenderer,
    camera: PerspectiveCamera,
    frame: { columns: number; hasTime: boolean },
  ) => void;
  dispose: () => void;
}

/** Without points; eye-dome lighting is on. */
export function createPointPass(): PointPass {
  const scene = new Scene();
  const eyeDome = createEyeDome();
  const size = new Vector2();
  let isOn = true;
  return {
    scene,
    setEyeDome(next) {
      isOn = next;
    },
    draw(renderer, camera, { columns, hasTime }) {
      if (!scene.children.some(({ visible }) => visible)) return;
      renderer.autoClear = false;
      const { x, y } = renderer.getSize(size);
      const columnPx = Math.floor(x / columns);
      renderer.setScissorTest(false);
      if (isOn && hasTime) {
        renderer.setViewport(0, 0, x, y);
        eyeDome.draw(renderer, scene, camera, columnPx / x);
      } else {
        renderer.setViewport(0, 0, columnPx, y);
        renderer.render(scene, camera);
      }
    },
    dispose: eyeDome.dispose,
  };
}
