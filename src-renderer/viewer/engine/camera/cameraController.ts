// The camera of a view and its modes: orbit about a point, flight, from the top with north up, behind a vehicle. Each
// works with the keyboard alone.
import { type Box3, MathUtils, PerspectiveCamera, Ray, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { createCameraPath } from './cameraPath.ts';
import { createFlight } from './flight.ts';
import {
  approached,
  behind,
  fitting,
  fromAbove,
  shifted,
  tilted,
  turned,
  type Followed,
  type Viewpoint,
} from './viewpoints.ts';

export type CameraMode = 'orbit' | 'fly' | 'top' | 'follow';
type PlaceM = readonly [number, number, number];

/** Where a camera is and looks: in the world, or beside the vehicle that is followed. */
export interface CameraView {
  positionM: PlaceM;
  targetM: PlaceM;
}

export interface CameraOptions {
  positionM: PlaceM;
  minDistanceM: number;
  maxDistanceM: number;
  /** Angle from straight up to which one can turn; above a right angle: from below. */
  maxPolarRad: number;
  /** From the target, where the camera looked straight down before. */
  tilt: PlaceM;
  /** It moves to where it is sent; otherwise it is there at once. */
  isEased: boolean;
}

export interface CameraEvents {
  /** The camera moved, or is about to. */
  change: () => void;
  /** It was moved here: by input, framed, or by another mode; not by `setView` and `follow`. */
  moved?: () => void;
}

export interface CameraController {
  readonly camera: PerspectiveCamera;
  resize: (widthPx: number, heightPx: number) => void;
  setMode: (mode: CameraMode) => void;
  /** Brings a box into view, from the direction in which the camera looks. */
  frame: (box: Box3) => void;
  /** Puts camera and target, at once. */
  look: (positionM: PlaceM, targetM: PlaceM) => void;
  /** As it is, or will be at the end of its path. */
  view: () => CameraView;
  /** Takes the view of another camera in the same mode. */
  setView: (view: CameraView) => void;
  /** Where the vehicle is now: followed, in that mode. */
  follow: (positionM: PlaceM, yawRad: number) => void;
  /** The point that the camera turns about. */
  setTarget: (pointM: PlaceM) => void;
  /** False while something else is dragged. */
  setEnabled: (isEnabled: boolean) => void;
  /** A key over the view; true where it moved the camera or began to. */
  keyDown: (event: KeyboardEvent) => boolean;
  keyUp: (event: KeyboardEvent) => void;
  releaseKeys: () => void;
  /** Nearer by a factor below 1, farther above. */
  approach: (factor: number) => void;
  /** About the target. */
  turn: (rightRad: number, upRad: number) => void;
  /** Continues by so many seconds; true while the camera moves by itself. */
  advance: (seconds: number) => boolean;
  /** The ray through a place of the view, in CSS pixels from its top left. */
  rayAt: (xPx: number, yPx: number) => Ray;
  dispose: () => void;
}

const fieldOfViewDeg = 50;
/** In flight there is no target: this far ahead stands for it. */
const flightTargetM = 10;
const keySteps: Record<string, readonly [right: number, up: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const zoomKeys: Record<string, number> = {
  Equal: 0.85,
  NumpadAdd: 0.85,
  Minus: 1 / 0.85,
  NumpadSubtract: 1 / 0.85,
};
/** A box is seen at least so much from above: the height of the unit vector to the camera. */
const leastFrameHeight = 0.3;

export function createCameraController(
  canvas: HTMLCanvasElement,
  options: CameraOptions,
  on: CameraEvents,
): CameraController {
  const camera = new PerspectiveCamera(fieldOfViewDeg, 1, 0.1, 3000);
  camera.up.set(0, 0, 1);
  camera.position.set(...options.positionM);
  const controls = new OrbitControls(camera, canvas);
  const path = createCameraPath();
  const flight = createFlight(camera, canvas, () => mode === 'fly' && isEnabled, changed);
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
  const size = { widthPx: 1, heightPx: 1 };
  let mode: CameraMode = 'orbit';
  let isEnabled = true;
  let followed: Followed | null = null;
  /** While another camera or a vehicle moves this one. */
  let isLed = false;
  controls.minDistance = options.minDistanceM;
  controls.maxDistance = options.maxDistanceM;
  controls.addEventListener('change', changed);
  canvas.addEventListener('pointerdown', path.cancel);
  canvas.addEventListener('wheel', path.cancel, { passive: true });
  applyMode();

  return {
    camera,
    resize(widthPx, heightPx) {
      Object.assign(size, { widthPx, heightPx: Math.max(heightPx, 1) });
      camera.aspect = size.widthPx / size.heightPx;
      camera.updateProjectionMatrix();
    },
    setMode,
    frame,
    look: (positionM, targetM) =>
      place({ positionM: new Vector3(...positionM), targetM: new Vector3(...targetM) }),
    view() {
      const { positionM, targetM } = path.end() ?? now();
      const from = anchor();
      return {
        positionM: positionM.clone().sub(from).toArray(),
        targetM: targetM.clone().sub(from).toArray(),
      };
    },
    setView({ positionM, targetM }) {
      const from = anchor();
      lead({
        positionM: new Vector3(...positionM).add(from),
        targetM: new Vector3(...targetM).add(from),
      });
    },
    follow,
    setTarget: (pointM) =>
      goTo({ positionM: camera.position.clone(), targetM: new Vector3(...pointM) }),
    setEnabled(next) {
      isEnabled = next;
      applyMode();
    },
    keyDown,
    keyUp: ({ code }) => flight.release(code),
    releaseKeys: () => flight.release(),
    approach: (factor) => place(approached(now(), factor)),
    turn: (rightRad, upRad) => place(turned(now(), rightRad, upRad)),
    advance,
    rayAt(xPx, yPx) {
      const x = (2 * xPx) / size.widthPx - 1;
      const y = 1 - (2 * yPx) / size.heightPx;
      camera.updateMatrixWorld();
      const through = new Vector3(x, y, 0.5).unproject(camera);
      return new Ray(camera.position.clone(), through.sub(camera.position).normalize());
    },
    dispose() {
      controls.dispose();
      flight.dispose();
      canvas.removeEventListener('pointerdown', path.cancel);
      canvas.removeEventListener('wheel', path.cancel);
    },
  };

  function changed(): void {
    on.change();
    if (!isLed) on.moved?.();
  }

  function now(): Viewpoint {
    const targetM = mode === 'fly' ? ahead(flightTargetM) : controls.target.clone();
    return { positionM: camera.position.clone(), targetM };
  }

  function ahead(distanceM: number): Vector3 {
    return camera.getWorldDirection(new Vector3()).multiplyScalar(distanceM).add(camera.position);
  }

  function anchor(): Vector3 {
    return mode === 'follow' && followed !== null ? followed.positionM : new Vector3();
  }

  function setMode(next: CameraMode): void {
    if (next === mode) return;
    // What is turned about after a flight lies before the camera.
    if (mode === 'fly') controls.target.copy(ahead(MathUtils.clamp(2 * camera.position.z, 4, 60)));
    mode = next;
    flight.release();
    applyMode();
    if (mode === 'top') place(fromAbove(controls.target, Math.max(controls.getDistance(), 5)));
    else if (mode === 'orbit') place(tilted(now(), new Vector3(...options.tilt)));
    else if (mode === 'follow' && followed !== null) place(behind(followed));
    on.change();
  }

  function applyMode(): void {
    controls.enabled = isEnabled && mode !== 'fly';
    controls.enableRotate = mode !== 'top';
    controls.zoomToCursor = mode !== 'follow';
    controls.screenSpacePanning = mode === 'top';
    controls.maxPolarAngle = mode === 'top' ? Math.PI : options.maxPolarRad;
  }

  function frame(box: Box3): void {
    if (box.isEmpty()) return;
    const backwards = camera.position.clone().sub(ahead(1)).normalize();
    if (mode === 'top') backwards.set(0, -1e-3, 1);
    else backwards.z = Math.max(backwards.z, leastFrameHeight);
    goTo(fitting(camera, box, backwards));
  }

  function follow(positionM: PlaceM, yawRad: number): void {
    const before = followed;
    followed = { positionM: new Vector3(...positionM), yawRad };
    if (mode !== 'follow') return;
    if (before === null) {
      lead(behind(followed));
      return;
    }
    const by = followed.positionM.clone().sub(before.positionM);
    const from = now();
    lead({ positionM: from.positionM.add(by), targetM: from.targetM.add(by) });
  }

  function goTo(to: Viewpoint): void {
    if (!options.isEased || isCalm.matches) {
      place(to);
      return;
    }
    path.begin({ positionM: camera.position.clone(), targetM: controls.target.clone() }, to);
    on.change();
  }

  function place(to: Viewpoint): void {
    path.cancel();
    apply(to);
  }

  function apply({ positionM, targetM }: Viewpoint): void {
    camera.position.copy(positionM);
    controls.target.copy(targetM);
    if (mode === 'fly') camera.lookAt(targetM);
    else controls.update();
    on.change();
  }

  function lead(to: Viewpoint): void {
    isLed = true;
    place(to);
    isLed = false;
  }

  function advance(seconds: number): boolean {
    const next = path.advance(seconds);
    if (next !== null) apply(next);
    const isFlying = flight.advance(seconds);
    const nearM = mode === 'fly' ? 0 : 0.004 * camera.position.distanceTo(controls.target);
    camera.near = MathUtils.clamp(nearM, 0.05, 1);
    camera.updateProjectionMatrix();
    return path.end() !== null || isFlying;
  }

  function keyDown(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { code } = event;
    if (mode === 'fly' && flight.press(code)) return true;
    const factor = zoomKeys[code];
    const step = keySteps[code];
    if (factor !== undefined) place(approached(now(), factor));
    else if (step === undefined) return false;
    else if (mode === 'fly') flight.turn(0.05 * step[0], 0.05 * step[1]);
    else if (mode === 'top' || event.shiftKey) place(shifted(now(), ...step));
    else place(turned(now(), 0.1 * step[0], 0.07 * step[1]));
    return true;
  }
}
