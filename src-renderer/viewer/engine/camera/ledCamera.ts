// A camera with its controls, placed by viewpoints. Placing it for another camera or a vehicle counts as led: listeners
// can distinguish that from input.
import { MathUtils, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { Viewpoint } from './viewpoints.ts';

export interface LedCamera {
  readonly camera: PerspectiveCamera;
  readonly controls: OrbitControls;
  /** `isFlying`: there is no target; a point ahead replaces it. */
  now: (isFlying: boolean) => Viewpoint;
  /** The point so far before the camera. */
  ahead: (distanceM: number) => Vector3;
  place: (to: Viewpoint, isFlying: boolean) => void;
  /** Runs what moves the camera for another. */
  lead: (move: () => void) => void;
  /** The camera was moved by something else than `place`. */
  changed: () => void;
  /** The near plane follows the distance to the target. */
  fitNear: (isFlying: boolean) => void;
}

const fieldOfViewDeg = 50;
const flightTargetM = 10;

/** A camera that others can lead: follows poses and reports its own. */
export function createLedCamera(
  canvas: HTMLCanvasElement,
  positionM: readonly [number, number, number],
  on: { change(): void; moved?(): void },
): LedCamera {
  const camera = new PerspectiveCamera(fieldOfViewDeg, 1, 0.1, 3000);
  camera.up.set(0, 0, 1);
  camera.position.set(...positionM);
  const controls = new OrbitControls(camera, canvas);
  let isLed = false;
  controls.addEventListener('change', changed);

  return {
    camera,
    controls,
    now: (isFlying) => ({
      positionM: camera.position.clone(),
      targetM: isFlying ? ahead(flightTargetM) : controls.target.clone(),
    }),
    ahead,
    place(to, isFlying) {
      camera.position.copy(to.positionM);
      controls.target.copy(to.targetM);
      if (isFlying) camera.lookAt(to.targetM);
      else controls.update();
      on.change();
    },
    lead(move) {
      isLed = true;
      move();
      isLed = false;
    },
    changed,
    fitNear(isFlying) {
      const nearM = isFlying ? 0 : 0.004 * camera.position.distanceTo(controls.target);
      camera.near = MathUtils.clamp(nearM, 0.05, 1);
      camera.updateProjectionMatrix();
    },
  };

  function changed(): void {
    on.change();
    if (!isLed) on.moved?.();
  }

  function ahead(distanceM: number): Vector3 {
    return camera.getWorldDirection(new Vector3()).multiplyScalar(distanceM).add(camera.position);
  }
}
