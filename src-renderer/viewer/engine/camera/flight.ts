// Flight: keys move the camera, dragging turns it, the wheel sets the speed.
import { MathUtils, type PerspectiveCamera, Vector3 } from 'three';

export interface Flight {
  /** True where the key is one of flight's. */
  press: (code: string) => boolean;
  /** Releases a key, or all. */
  release: (code?: string) => void;
  /** Moves the camera; true while a key is held. */
  advance: (seconds: number) => boolean;
  turn: (rightRad: number, upRad: number) => void;
  dispose: () => void;
}

/** Metres a second; times four with Shift. */
const speedMPerS = 6;
const moves: Record<string, readonly [forward: number, right: number, up: number]> = {
  KeyW: [1, 0, 0],
  KeyS: [-1, 0, 0],
  KeyA: [0, -1, 0],
  KeyD: [0, 1, 0],
  KeyE: [0, 0, 1],
  KeyQ: [0, 0, -1],
};
/** Radians for dragging over the height of the canvas. */
const dragRad = 2.2;

/** `isActive`: dragging and wheel are flight's. `onChange`: the camera moved, or is about to. */
export function createFlight(
  camera: PerspectiveCamera,
  canvas: HTMLCanvasElement,
  isActive: () => boolean,
  onChange: () => void,
): Flight {
  const held = new Set<string>();
  let speedFactor = 1;
  let isLooking = false;
  canvas.addEventListener('pointerdown', onPointerDown);
  canvas.addEventListener('pointermove', onPointerMove);
  canvas.addEventListener('pointerup', onPointerUp);
  canvas.addEventListener('wheel', onWheel, { passive: true });

  return {
    press(code) {
      const isMove = code in moves;
      if (!isMove && !code.startsWith('Shift')) return false;
      held.add(code);
      onChange();
      return isMove;
    },
    release(code) {
      if (code === undefined) held.clear();
      else held.delete(code);
    },
    advance(seconds) {
      if (!isActive() || held.size === 0) return false;
      const step = [...held].reduce(
        (sum, code) => sum.add(new Vector3(...(moves[code] ?? [0, 0, 0]))),
        new Vector3(),
      );
      const isFast = held.has('ShiftLeft') || held.has('ShiftRight');
      step.multiplyScalar(speedMPerS * speedFactor * (isFast ? 4 : 1) * seconds);
      const forward = camera.getWorldDirection(new Vector3());
      const right = new Vector3().crossVectors(forward, camera.up).normalize();
      camera.position
        .addScaledVector(forward, step.x)
        .addScaledVector(right, step.y)
        .addScaledVector(camera.up, step.z);
      onChange();
      return true;
    },
    turn,
    dispose() {
      canvas.removeEventListener('pointerdown', onPointerDown);
      canvas.removeEventListener('pointermove', onPointerMove);
      canvas.removeEventListener('pointerup', onPointerUp);
      canvas.removeEventListener('wheel', onWheel);
    },
  };

  function turn(rightRad: number, upRad: number): void {
    const forward = camera.getWorldDirection(new Vector3()).applyAxisAngle(camera.up, -rightRad);
    const aside = new Vector3().crossVectors(forward, camera.up).normalize();
    const lifted = forward.clone().applyAxisAngle(aside, upRad);
    const isUpright = Math.abs(lifted.z) < 0.99;
    camera.lookAt(camera.position.clone().add(isUpright ? lifted : forward));
    onChange();
  }

  function onPointerDown(event: PointerEvent): void {
    if (!isActive()) return;
    isLooking = true;
    canvas.setPointerCapture(event.pointerId);
  }

  function onPointerMove(event: PointerEvent): void {
    if (!isLooking || !isActive()) return;
    const scale = dragRad / Math.max(canvas.clientHeight, 1);
    turn(scale * event.movementX, -scale * event.movementY);
  }

  function onPointerUp(): void {
    isLooking = false;
  }

  function onWheel(event: WheelEvent): void {
    if (!isActive()) return;
    speedFactor = MathUtils.clamp(speedFactor * (event.deltaY < 0 ? 1.2 : 1 / 1.2), 0.1, 12);
  }
}
