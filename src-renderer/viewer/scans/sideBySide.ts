// Two clouds beside one another with one camera: the left half of the picture shows the one, the right half the
// other. A frame is drawn only when something changed.
import {
  Box3,
  Color,
  PerspectiveCamera,
  Scene,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { createScanCloud } from './scanCloud.ts';

export interface Half {
  placesM: Float32Array;
  colours: Uint8Array;
}

export interface SideBySide {
  show(left: Half, right: Half): void;
  /** From the sensor's place, towards what it saw. */
  frame(sensorM: readonly [number, number, number]): void;
  /** Nearer by a factor below 1, farther above; turned by an angle about the vertical. */
  move(factor: number, turnRad: number): void;
  setBackground(colour: string): void;
  resize(widthPx: number, heightPx: number, pixelRatio: number): void;
  dispose(): void;
}

/** What is compared are millimetres: large points would cover them. */
const smallPoints = 0.55;

/** @throws where the browser has no WebGL 2. */
export function createSideBySide(canvas: HTMLCanvasElement): SideBySide {
  const renderer = new WebGLRenderer({ canvas, antialias: true });
  renderer.outputColorSpace = SRGBColorSpace;
  renderer.setScissorTest(true);
  const camera = new PerspectiveCamera(50, 1, 0.1, 1000);
  camera.up.set(0, 0, 1);
  const controls = new OrbitControls(camera, canvas);
  controls.addEventListener('change', invalidate);
  const halves = [0, 1].map(() => {
    const scene = new Scene();
    const cloud = createScanCloud(devicePixelRatio, smallPoints);
    scene.add(cloud.object);
    return { scene, cloud };
  });
  const size = { widthPx: 2, heightPx: 1 };
  let places = new Float32Array(0);
  let request = 0;

  return {
    show(...both) {
      for (const [side, { placesM, colours }] of both.entries()) {
        halves[side]?.cloud.setPlaces(placesM);
        halves[side]?.cloud.setColours(colours);
      }
      places = new Float32Array(both[0].placesM);
      invalidate();
    },
    frame(sensorM) {
      const eye = new Vector3(...sensorM);
      const near = new Box3();
      // Why not all: a few far returns would make the rest a dot.
      const distances = distancesFrom(places, sensorM).sort();
      const reachM = Math.max(distances[Math.floor(0.5 * (distances.length - 1))] ?? 5, 2);
      for (let at = 0; at + 2 < places.length; at += 3) {
        const place = new Vector3().fromArray(places, at);
        if (place.distanceTo(eye) <= reachM) near.expandByPoint(place);
      }
      const target = near.isEmpty() ? eye : near.getCenter(new Vector3());
      controls.target.copy(target);
      camera.position.copy(target).add(new Vector3(-0.9, -1.1, 0.9).multiplyScalar(0.6 * reachM));
      controls.update();
      invalidate();
    },
    move(factor, turnRad) {
      const offset = camera.position.clone().sub(controls.target).multiplyScalar(factor);
      offset.applyAxisAngle(new Vector3(0, 0, 1), turnRad);
      camera.position.copy(controls.target).add(offset);
      controls.update();
      invalidate();
    },
    setBackground(colour) {
      for (const { scene } of halves) scene.background = new Color(colour);
      invalidate();
    },
    resize(widthPx, heightPx, pixelRatio) {
      Object.assign(size, { widthPx, heightPx });
      renderer.setPixelRatio(pixelRatio);
      renderer.setSize(widthPx, heightPx, false);
      camera.aspect = widthPx / 2 / Math.max(heightPx, 1);
      camera.updateProjectionMatrix();
      draw();
    },
    dispose() {
      cancelAnimationFrame(request);
      for (const { cloud } of halves) cloud.dispose();
      controls.dispose();
      renderer.dispose();
    },
  };

  function invalidate(): void {
    if (request === 0) request = requestAnimationFrame(draw);
  }

  function draw(): void {
    cancelAnimationFrame(request);
    request = 0;
    const half = Math.floor(size.widthPx / 2);
    for (const [side, { scene }] of halves.entries()) {
      renderer.setViewport(side * half, 0, half, size.heightPx);
      renderer.setScissor(side * half + side, 0, half - side, size.heightPx);
      renderer.render(scene, camera);
    }
  }
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
