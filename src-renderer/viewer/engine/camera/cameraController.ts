// The camera of a view and its modes: orbit about a point, flight, from the top with north up, behind a vehicle, on board
// of it. Each works with the keyboard alone.
import { type Box3, MathUtils, type PerspectiveCamera, Ray, Vector3 } from 'three';
import { createCameraPath } from './cameraPath.ts';
import { createFlight } from './flight.ts';
import { createLedCamera, type LedCamera } from './ledCamera.ts';
import {
  aboard,
  approached,
  behind,
  carried,
  fitting,
  fromAbove,
  shifted,
  tilted,
  turned,
  type Followed,
  type Viewpoint,
} from './viewpoints.ts';

export type CameraMode = 'orbit' | 'fly' | 'top' | 'follow' | 'aboard';
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
  /** Where the vehicle is now: in the modes of a vehicle the camera goes with it. */
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
const minFrameHeight = 0.3;
/** From the top, a hair south of it, so that north is up. */
const fromNorthUp = new Vector3(0, -1e-3, 1);

/** Moves a camera by pointer, keys and commands. */
export function createCameraController(
  canvas: HTMLCanvasElement,
  options: CameraOptions,
  on: CameraEvents,
): CameraController {
  const led = createLedCamera(canvas, options.positionM, on);
  const { camera, controls } = led;
  const path = createCameraPath();
  const flight = createFlight(camera, canvas, () => isFlying() && isEnabled, led.changed);
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)');
  const size = { widthPx: 1, heightPx: 1 };
  let mode: CameraMode = 'orbit';
  let isEnabled = true;
  let followed: Followed | null = null;
  controls.maxDistance = options.maxDistanceM;
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
    frame(box) {
      if (isWithVehicle(mode) && followed !== null) place(ofVehicle(mode, followed));
      else if (!box.isEmpty())
        goTo(fitting(camera, box, mode === 'top' ? fromNorthUp : backwardsOf(led)));
    },
    look: (positionM, targetM) => place(viewpointOf({ positionM, targetM })),
    view: () => viewOf(path.end() ?? now(), anchor()),
    setView: (view) => led.lead(() => place(viewpointOf(view, anchor()))),
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
    advance(seconds) {
      const next = path.advance(seconds);
      if (next !== null) led.place(next, isFlying());
      const isOnKeys = flight.advance(seconds);
      led.fitNear(isFlying());
      return path.end() !== null || isOnKeys;
    },
    rayAt: (xPx, yPx) =>
      rayThrough(camera, (2 * xPx) / size.widthPx - 1, 1 - (2 * yPx) / size.heightPx),
    dispose() {
      controls.dispose();
      flight.dispose();
      canvas.removeEventListener('pointerdown', path.cancel);
      canvas.removeEventListener('wheel', path.cancel);
    },
  };

  function isFlying(): boolean {
    return mode === 'fly';
  }

  function now(): Viewpoint {
    return led.now(isFlying());
  }

  function anchor(): Vector3 {
    return isWithVehicle(mode) && followed !== null ? followed.positionM : new Vector3();
  }

  function setMode(next: CameraMode): void {
    if (next === mode) return;
    // After a flight the camera turns about a point before it.
    if (isFlying()) controls.target.copy(led.ahead(MathUtils.clamp(2 * camera.position.z, 4, 60)));
    mode = next;
    flight.release();
    applyMode();
    if (mode === 'top') place(fromAbove(controls.target, Math.max(controls.getDistance(), 5)));
    else if (mode === 'orbit') place(tilted(now(), new Vector3(...options.tilt)));
    else if (isWithVehicle(mode) && followed !== null) place(ofVehicle(mode, followed));
    on.change();
  }

  function applyMode(): void {
    controls.enabled = isEnabled && !isFlying();
    configure(controls, mode, options);
  }

  function follow(positionM: PlaceM, yawRad: number): void {
    const before = followed;
    const vehicle = { positionM: new Vector3(...positionM), yawRad };
    followed = vehicle;
    if (!isWithVehicle(mode)) return;
    const to = before === null ? ofVehicle(mode, vehicle) : carried(now(), before, vehicle);
    led.lead(() => place(to));
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
    led.place(to, isFlying());
  }

  function keyDown(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { code } = event;
    if (isFlying() && flight.press(code)) return true;
    const factor = zoomKeys[code];
    const step = keySteps[code];
    if (factor !== undefined) place(approached(now(), factor));
    else if (step === undefined) return false;
    else if (isFlying()) flight.turn(0.05 * step[0], 0.05 * step[1]);
    else if (mode === 'top' || event.shiftKey) place(shifted(now(), ...step));
    else place(turned(now(), 0.1 * step[0], 0.07 * step[1]));
    return true;
  }
}

function isWithVehicle(mode: CameraMode): boolean {
  return mode === 'follow' || mode === 'aboard';
}

function ofVehicle(mode: CameraMode, vehicle: Followed): Viewpoint {
  return mode === 'aboard' ? aboard(vehicle) : behind(vehicle);
}

/** In the world, of a view beside `fromM`. */
function viewpointOf({ positionM, targetM }: CameraView, fromM = new Vector3()): Viewpoint {
  return {
    positionM: new Vector3(...positionM).add(fromM),
    targetM: new Vector3(...targetM).add(fromM),
  };
}

function viewOf({ positionM, targetM }: Viewpoint, fromM: Vector3): CameraView {
  return {
    positionM: positionM.clone().sub(fromM).toArray(),
    targetM: targetM.clone().sub(fromM).toArray(),
  };
}

/** Through a place on screen: −1 to 1 from left to right and from bottom to top. */
function rayThrough(camera: PerspectiveCamera, x: number, y: number): Ray {
  camera.updateMatrixWorld();
  const through = new Vector3(x, y, 0.5).unproject(camera);
  return new Ray(camera.position.clone(), through.sub(camera.position).normalize());
}

/** From a framed box to the camera, as it looks now. */
function backwardsOf({ camera, ahead }: LedCamera): Vector3 {
  const direction = camera.position.clone().sub(ahead(1)).normalize();
  direction.z = Math.max(direction.z, minFrameHeight);
  return direction;
}

function configure(
  controls: LedCamera['controls'],
  mode: CameraMode,
  { maxPolarRad, minDistanceM }: CameraOptions,
): void {
  controls.enableRotate = mode !== 'top';
  controls.enableZoom = mode !== 'aboard';
  controls.enablePan = mode !== 'aboard';
  controls.zoomToCursor = mode !== 'follow';
  controls.screenSpacePanning = mode === 'top';
  controls.minDistance = mode === 'aboard' ? 0 : minDistanceM;
  controls.maxPolarAngle = mode === 'top' || mode === 'aboard' ? Math.PI : maxPolarRad;
}
