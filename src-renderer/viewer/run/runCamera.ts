// The camera and its three ways: free orbit, from the top (north up), and following the vehicle.
import { type Box3, PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { RunCameraMode } from '#renderer/logic/viewer/viewSettings.ts';
import { distanceToFit } from '../engine/fitBox.ts';

/** Where a camera is and looks: in the world, or beside the vehicle where that is followed. */
export interface CameraView {
  positionM: readonly [number, number, number];
  targetM: readonly [number, number, number];
}

export interface CameraRig {
  readonly camera: PerspectiveCamera;
  /** Takes the new size of the picture, in CSS pixels. */
  resize(widthPx: number, heightPx: number): void;
  setMode(mode: RunCameraMode): void;
  /** What another rig in the same mode takes to look the same way. */
  view(): CameraView;
  setView(view: CameraView): void;
  /** Where the vehicle is now: followed, where that is asked for. */
  track(positionM: readonly [number, number, number], yawRad: number): void;
  /** Brings a box into sight, from the direction that the mode looks in. */
  frame(box: Box3): void;
  dispose(): void;
}

const fieldOfViewDeg = 50;
/** Follow: behind the vehicle and above it. */
const behindM = 15;
const aboveM = 8;
const lookAheadM = 4;

/** `onChange` is called whenever the camera moved, `onMoved` only where a hand moved or framed it. */
export function createCameraRig(
  canvas: HTMLCanvasElement,
  onChange: () => void,
  onMoved: () => void = () => undefined,
): CameraRig {
  const camera = new PerspectiveCamera(fieldOfViewDeg, 1, 0.3, 1500);
  camera.up.set(0, 0, 1);
  camera.position.set(-30, -30, 25);
  const controls = new OrbitControls(camera, canvas);
  controls.maxDistance = 700;
  controls.minDistance = 2;
  controls.zoomToCursor = true;
  controls.addEventListener('change', () => {
    onChange();
    if (!isLed) onMoved();
  });
  let mode: RunCameraMode = 'orbit';
  let tracked: Vector3 | null = null;
  let trackedYawRad = 0;
  /** While something else than a hand moves the camera. */
  let isLed = false;

  return {
    camera,
    resize(widthPx, heightPx) {
      camera.aspect = widthPx / Math.max(heightPx, 1);
      camera.updateProjectionMatrix();
    },
    setMode(next) {
      mode = next;
      controls.enableRotate = mode !== 'top';
      controls.zoomToCursor = mode !== 'follow';
      controls.screenSpacePanning = mode === 'top';
      controls.maxPolarAngle = mode === 'top' ? Math.PI : 0.495 * Math.PI;
      if (mode === 'follow' && tracked !== null) goBehind(tracked);
      if (mode === 'top') lookDown(controls.target.clone(), controls.getDistance());
      if (mode === 'orbit' && camera.position.distanceTo(controls.target) > 0) tiltUp();
      controls.update();
    },
    view() {
      const from = anchor();
      return {
        positionM: camera.position.clone().sub(from).toArray(),
        targetM: controls.target.clone().sub(from).toArray(),
      };
    },
    setView({ positionM, targetM }) {
      const from = anchor();
      camera.position.set(...positionM).add(from);
      controls.target.set(...targetM).add(from);
      lead();
    },
    track(positionM, yawRad) {
      const now = new Vector3(...positionM);
      const isFirst = tracked === null;
      const moved = tracked === null ? new Vector3() : now.clone().sub(tracked);
      tracked = now;
      trackedYawRad = yawRad;
      if (mode !== 'follow') return;
      if (isFirst) {
        goBehind(now);
      } else {
        camera.position.add(moved);
        controls.target.add(moved);
      }
      lead();
    },
    frame(box) {
      if (box.isEmpty()) return;
      const centre = box.getCenter(new Vector3());
      const backwards =
        mode === 'top'
          ? new Vector3(0, -1e-3, 1).normalize()
          : camera.position.clone().sub(controls.target).normalize();
      const distanceM = distanceToFit(camera, box, backwards);
      if (mode === 'top') {
        lookDown(centre, distanceM);
      } else {
        controls.target.copy(centre);
        camera.position.copy(centre).addScaledVector(backwards, distanceM);
      }
      controls.update();
      onChange();
    },
    dispose() {
      controls.dispose();
    },
  };

  function lead(): void {
    isLed = true;
    controls.update();
    isLed = false;
  }

  function anchor(): Vector3 {
    return mode === 'follow' && tracked !== null ? tracked : new Vector3();
  }

  function goBehind(target: Vector3): void {
    const ahead = new Vector3(Math.cos(trackedYawRad), Math.sin(trackedYawRad), 0);
    controls.target.copy(target).addScaledVector(ahead, lookAheadM);
    camera.position.copy(target).addScaledVector(ahead, -behindM);
    camera.position.z += aboveM;
  }

  /** A hair south of straight above, so that north is up on screen. */
  function lookDown(target: Vector3, distanceM: number): void {
    controls.target.copy(target);
    camera.position.set(target.x, target.y - 1e-3 * distanceM, target.z + distanceM);
  }

  function tiltUp(): void {
    const offset = camera.position.clone().sub(controls.target);
    const distanceM = offset.length();
    if (Math.hypot(offset.x, offset.y) > 0.05 * distanceM) return;
    camera.position
      .copy(controls.target)
      .add(new Vector3(-0.45, -0.6, 0.66).multiplyScalar(distanceM));
  }
}
