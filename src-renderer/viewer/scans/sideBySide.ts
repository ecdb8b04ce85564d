// Two clouds beside one another with one camera: the left half of the view shows the one, the right half the other.
import { Box3, Color, Vector3 } from 'three';
import { cloudBounds } from '#renderer/logic/cloud/cloudBounds.ts';
import type { CameraOptions } from '../engine/camera/cameraController.ts';
import type { ClipTool } from '../engine/clip/clipTool.ts';
import { createViewClip } from '../engine/clip/clipUniforms.ts';
import { clickedPoint } from '../engine/points/clickedPoint.ts';
import { createColouredCloud } from '../engine/points/colouredCloud.ts';
import { createViewport } from '../engine/viewport.ts';

export interface Half {
  positionsM: Float32Array;
  colours: Uint8Array;
}

export interface SideBySide {
  show(left: Half, right: Half): void;
  /** From the sensor's place, towards what it saw. */
  frame(sensorM: readonly [number, number, number]): void;
  /** Nearer by a factor below 1, farther above; turned by an angle about the vertical. */
  move(factor: number, turnRad: number): void;
  setColours(background: string, clip: string): void;
  readonly clip: ClipTool | null;
  resize(widthPx: number, heightPx: number, pixelRatio: number): void;
  dispose(): void;
}

const camera: CameraOptions = {
  positionM: [-5, -5, 5],
  minDistanceM: 0.05,
  maxDistanceM: 2000,
  maxPolarRad: Math.PI,
  tilt: [-0.45, -0.6, 0.66],
  isEased: false,
};
/** Differences are millimetres: large points would cover them. */
const pointScale = 0.55;

/** Two clouds side by side with one camera. dispose() frees them. */
export function createSideBySide(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
): SideBySide {
  const clip = createViewClip();
  const view = createViewport(context, canvas, {
    camera,
    columns: 2,
    clip: {
      clip,
      boundsM: () => cloudBounds(shownM),
      placeAt: ({ column }, ray) => clickedPoint(view, [shownM[column] ?? none], clip, ray),
    },
  });
  const clouds = view.scenes.map((scene) => {
    const cloud = createColouredCloud({ clip, scale: pointScale });
    scene.add(cloud.object);
    return cloud;
  });
  const none = new Float32Array(0);
  let shownM: Float32Array[] = [];

  return {
    show(...both) {
      for (const [side, half] of both.entries()) {
        clouds[side]?.setPositions(half.positionsM);
        clouds[side]?.setColours(half.colours);
      }
      shownM = both.map(({ positionsM }) => positionsM);
      view.invalidate();
    },
    frame(sensorM) {
      const near = new Box3();
      const [positionsM = none] = shownM;
      // Why not all: a few far returns would make the rest a dot.
      const distances = distancesFrom(positionsM, sensorM);
      const sorted = distances.slice().sort();
      const reachM = Math.max(sorted[Math.floor(0.5 * (sorted.length - 1))] ?? 5, 2);
      for (const [row, distanceM] of distances.entries()) {
        if (distanceM <= reachM) near.expandByPoint(new Vector3().fromArray(positionsM, 3 * row));
      }
      const target = near.isEmpty() ? new Vector3(...sensorM) : near.getCenter(new Vector3());
      const offset = new Vector3(-0.9, -1.1, 0.9).multiplyScalar(0.6 * reachM);
      view.camera.look(target.clone().add(offset).toArray(), target.toArray());
    },
    move(factor, turnRad) {
      view.camera.approach(factor);
      view.camera.turn(turnRad, 0);
    },
    setColours(background, clipColour) {
      for (const scene of view.scenes) scene.background = new Color(background);
      view.clip?.setColour(clipColour);
      view.invalidate();
    },
    clip: view.clip,
    resize: view.resize,
    dispose() {
      for (const part of [...clouds, view]) part.dispose();
    },
  };
}

function distancesFrom(
  places: Float32Array,
  [x, y, z]: readonly [number, number, number],
): Float32Array {
  return Float32Array.from({ length: places.length / 3 }, (_, row) =>
    Math.hypot(
      (places[3 * row] ?? 0) - x,
      (places[3 * row + 1] ?? 0) - y,
      (places[3 * row + 2] ?? 0) - z,
    ),
  );
}
