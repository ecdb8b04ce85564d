// The camera in a scene and its three ways: orbit about a point, fly (drag to look, keys to move), and from
// the top with north up. Each way works with the keyboard alone.
import { type Box3, MathUtils, PerspectiveCamera, Ray, Vector2, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { SceneCameraMode } from '#renderer/logic/viewer/viewSettings.ts';
import { distanceToFit } from '../engine/fitBox.ts';

export interface SceneCamera {
  readonly camera: PerspectiveCamera;
  readonly mode: SceneCameraMode;
  resize(widthPx: number, heightPx: number): void;
  setMode(mode: SceneCameraMode): void;
  /** Brings a box into sight from where the camera looks now; `atOnce`: without a way there. */
  frame(box: Box3, atOnce?: boolean): void;
  /** Puts eye and point of view. */
  look(eyeM: Vector3, targetM: Vector3): void;
  /** Eye and point of view as they are, or will be at the end of the way. */
  view(): { eyeM: Vector3; targetM: Vector3 };
  /** The point that the camera turns about. */
  setTarget(pointM: Vector3): void;
  /** While something else is dragged. */
  setEnabled(isEnabled: boolean): void;
  /** A key over the picture; true where it moved the camera or began to. */
  keyDown(event: KeyboardEvent): boolean;
  keyUp(event: KeyboardEvent): void;
  releaseKeys(): void;
  /** Advances by so many seconds; true while the camera moves by itself. */
  advance(seconds: number): boolean;
  /** The ray through a place of the picture, in CSS pixels from its top left. */
  rayAt(xPx: number, yPx: number): Ray;
  dispose(): void;
}

const fieldOfViewDeg = 50;
const wayMs = 350;
/** Metres a second in flight; times four with Shift. */
const flightSpeed = 6;
/** In flight one looks at no point: this far ahead stands for it. */
const flightTargetM = 10;
const keySteps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};
const flightKeys: Record<string, readonly [number, number, number]> = {
  KeyW: [1, 0, 0],
  KeyS: [-1, 0, 0],
  KeyA: [0, -1, 0],
  KeyD: [0, 1, 0],
  KeyE: [0, 0, 1],
  KeyQ: [0, 0, -1],
};

/** `onChange`: the camera moved, or is about to. */
export function createSceneCamera(canvas: HTMLCanvasElement, onChange: () => void): SceneCamera {
  const camera = new PerspectiveCamera(fieldOfViewDeg, 1, 0.1, 3000);
  camera.up.set(0, 0, 1);
  camera.position.set(-30, -30, 22);
  const controls = new OrbitControls(camera, canvas);
  controls.maxDistance = 1500;
  controls.minDistance = 0.3;
  controls.zoomToCursor = true;
  controls.maxPolarAngle = 0.53 * Math.PI;
  controls.addEventListener('change', onChange);
  canvas.addEventListener('pointerdown', onPointerDown);
  canvas.addEventListener('pointermove', onPointerMove);
  canvas.addEventListener('pointerup', onPointerUp);
  canvas.addEventListener('wheel', onWheel, { passive: true });
  const size = new Vector2(1, 1);
  const held = new Set<string>();
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let mode: SceneCameraMode = 'orbit';
  let isEnabled = true;
  let speedFactor = 1;
  let isLooking = false;
  let way: { from: View; to: View; doneMs: number } | null = null;

  return {
    camera,
    get mode() {
      return mode;
    },
    resize(widthPx, heightPx) {
      size.set(widthPx, Math.max(heightPx, 1));
      camera.aspect = size.x / size.y;
      camera.updateProjectionMatrix();
    },
    setMode(next) {
      if (next === mode) return;
      if (mode === 'fly') putTargetAhead();
      mode = next;
      held.clear();
      applyMode();
      if (mode === 'top') lookDown(controls.target.clone(), Math.max(controls.getDistance(), 5));
      else if (mode === 'orbit') tiltUp();
      onChange();
    },
    frame(box, atOnce = false) {
      if (box.isEmpty()) return;
      const target = box.getCenter(new Vector3());
      const backwards =
        mode === 'top'
          ? new Vector3(0, -1e-3, 1)
          : camera.position.clone().sub(ahead(1)).normalize();
      if (mode !== 'top') backwards.z = Math.max(backwards.z, 0.3);
      backwards.normalize();
      const eye = target.clone().addScaledVector(backwards, distanceToFit(camera, box, backwards));
      goTo({ eye, target }, atOnce);
    },
    look(eyeM, targetM) {
      goTo({ eye: eyeM.clone(), target: targetM.clone() }, true);
    },
    view() {
      const { eye, target } = way?.to ?? { eye: camera.position, target: controls.target };
      const targetM = mode === 'fly' ? ahead(flightTargetM) : target.clone();
      return { eyeM: eye.clone(), targetM };
    },
    setTarget(pointM) {
      goTo({ eye: camera.position.clone(), target: pointM.clone() }, false);
    },
    setEnabled(next) {
      isEnabled = next;
      applyMode();
    },
    keyDown,
    keyUp(event) {
      held.delete(event.code);
    },
    releaseKeys() {
      held.clear();
    },
    advance(seconds) {
      const isOnItsWay = advanceWay(1000 * seconds);
      const isFlying = fly(seconds);
      const nearM = mode === 'fly' ? 0 : 0.004 * camera.position.distanceTo(controls.target);
      camera.near = MathUtils.clamp(nearM, 0.05, 1);
      camera.updateProjectionMatrix();
      return isOnItsWay || isFlying;
    },
    rayAt(xPx, yPx) {
      const x = (2 * xPx) / size.x - 1;
      const y = 1 - (2 * yPx) / size.y;
      camera.updateMatrixWorld();
      const through = new Vector3(x, y, 0.5).unproject(camera);
      return new Ray(camera.position.clone(), through.sub(camera.position).normalize());
    },
    dispose() {
      controls.dispose();
      canvas.removeEventListener('pointerdown', onPointerDown);
      canvas.removeEventListener('pointermove', onPointerMove);
      canvas.removeEventListener('pointerup', onPointerUp);
      canvas.removeEventListener('wheel', onWheel);
    },
  };

  function applyMode(): void {
    controls.enabled = isEnabled && mode !== 'fly';
    controls.enableRotate = mode !== 'top';
    controls.screenSpacePanning = mode === 'top';
    controls.maxPolarAngle = mode === 'top' ? Math.PI : 0.53 * Math.PI;
  }

  function ahead(distanceM: number): Vector3 {
    return camera.getWorldDirection(new Vector3()).multiplyScalar(distanceM).add(camera.position);
  }

  /** From flight: what is turned about lies before the camera. */
  function putTargetAhead(): void {
    controls.target.copy(ahead(MathUtils.clamp(2 * camera.position.z, 4, 60)));
  }

  function goTo(to: View, atOnce: boolean): void {
    if (atOnce || calm.matches) {
      way = null;
      place(to);
      return;
    }
    way = {
      from: { eye: camera.position.clone(), target: controls.target.clone() },
      to,
      doneMs: 0,
    };
    onChange();
  }

  function place({ eye, target }: View): void {
    camera.position.copy(eye);
    controls.target.copy(target);
    if (mode === 'fly') camera.lookAt(target);
    else controls.update();
    onChange();
  }

  function advanceWay(ms: number): boolean {
    if (way === null) return false;
    way.doneMs += ms;
    const share = Math.min(way.doneMs / wayMs, 1);
    const eased = share * share * (3 - 2 * share);
    const { from, to } = way;
    if (share === 1) way = null;
    place({
      eye: from.eye.clone().lerp(to.eye, eased),
      target: from.target.clone().lerp(to.target, eased),
    });
    return way !== null;
  }

  function lookDown(target: Vector3, distanceM: number): void {
    // Why a hair south: so that north is up on screen.
    const eye = target.clone().add(new Vector3(0, -1e-3 * distanceM, distanceM));
    goTo({ eye, target }, true);
  }

  function tiltUp(): void {
    const offset = camera.position.clone().sub(controls.target);
    const distanceM = offset.length();
    const isSteep = Math.hypot(offset.x, offset.y) < 0.05 * distanceM;
    const eye = isSteep
      ? controls.target.clone().add(new Vector3(-0.5, -0.66, 0.56).multiplyScalar(distanceM))
      : camera.position.clone();
    goTo({ eye, target: controls.target.clone() }, true);
  }

  function fly(seconds: number): boolean {
    if (mode !== 'fly' || held.size === 0) return false;
    const step = new Vector3();
    for (const code of held) {
      const [forward, right, up] = flightKeys[code] ?? [0, 0, 0];
      step.x += forward;
      step.y += right;
      step.z += up;
    }
    const fast = held.has('ShiftLeft') || held.has('ShiftRight') ? 4 : 1;
    const metres = flightSpeed * speedFactor * fast * seconds;
    const forward = camera.getWorldDirection(new Vector3());
    const right = new Vector3().crossVectors(forward, camera.up).normalize();
    camera.position
      .addScaledVector(forward, step.x * metres)
      .addScaledVector(right, step.y * metres)
      .addScaledVector(camera.up, step.z * metres);
    onChange();
    return true;
  }

  function keyDown(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const { code } = event;
    if (mode === 'fly' && (code in flightKeys || code.startsWith('Shift'))) {
      held.add(code);
      onChange();
      return code in flightKeys;
    }
    if (code === 'Equal' || code === 'NumpadAdd') return dolly(0.85);
    if (code === 'Minus' || code === 'NumpadSubtract') return dolly(1 / 0.85);
    const step = keySteps[code];
    if (step === undefined) return false;
    if (mode === 'fly') turn(0.05 * step[0], 0.05 * step[1]);
    else if (mode === 'top' || event.shiftKey) slide(...step);
    else orbit(0.1 * step[0], 0.07 * step[1]);
    return true;
  }

  function dolly(factor: number): boolean {
    const offset = camera.position.clone().sub(controls.target).multiplyScalar(factor);
    place({ eye: controls.target.clone().add(offset), target: controls.target.clone() });
    return true;
  }

  function slide(right: number, up: number): void {
    const metres = 0.06 * camera.position.distanceTo(controls.target);
    const rightward = new Vector3().setFromMatrixColumn(camera.matrix, 0);
    const northward = new Vector3().crossVectors(camera.up, rightward).normalize();
    const by = rightward.multiplyScalar(right * metres).addScaledVector(northward, up * metres);
    place({ eye: camera.position.clone().add(by), target: controls.target.clone().add(by) });
  }

  function orbit(rightRad: number, upRad: number): void {
    const offset = camera.position.clone().sub(controls.target);
    offset.applyAxisAngle(camera.up, rightRad);
    const aside = new Vector3().crossVectors(camera.up, offset).normalize();
    const lifted = offset.clone().applyAxisAngle(aside, -upRad);
    const isUpright = lifted.angleTo(camera.up) > 0.05 && lifted.angleTo(camera.up) < 1.6;
    const eye = controls.target.clone().add(isUpright ? lifted : offset);
    place({ eye, target: controls.target.clone() });
  }

  function turn(rightRad: number, upRad: number): void {
    const forward = camera.getWorldDirection(new Vector3()).applyAxisAngle(camera.up, -rightRad);
    const aside = new Vector3().crossVectors(forward, camera.up).normalize();
    const tilted = forward.clone().applyAxisAngle(aside, upRad);
    const isUpright = Math.abs(tilted.z) < 0.99;
    camera.lookAt(camera.position.clone().add(isUpright ? tilted : forward));
    onChange();
  }

  function onPointerDown(event: PointerEvent): void {
    way = null;
    if (mode !== 'fly' || !isEnabled) return;
    isLooking = true;
    canvas.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    if (!isLooking || mode !== 'fly') return;
    turn((2.2 * event.movementX) / size.y, (-2.2 * event.movementY) / size.y);
  }

  function onPointerUp(): void {
    isLooking = false;
  }

  /** In flight the wheel sets the speed. */
  function onWheel(event: WheelEvent): void {
    way = null;
    if (mode !== 'fly') return;
    speedFactor = MathUtils.clamp(speedFactor * (event.deltaY < 0 ? 1.2 : 1 / 1.2), 0.1, 12);
  }
}

interface View {
  eye: Vector3;
  target: Vector3;
}
