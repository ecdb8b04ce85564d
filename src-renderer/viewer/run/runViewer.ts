// The picture of a drive in three.js, without Vue: what comes in is plain data, and a frame is drawn only
// when something changed. dispose() gives back everything on the graphics card.
import {
  AmbientLight,
  Box3,
  Color,
  DirectionalLight,
  Plane,
  Raycaster,
  Scene,
  SRGBColorSpace,
  Vector2,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { MapGeometry, Pose } from '#contract/host/run.ts';
import { createBoundedPath } from '#renderer/logic/cloud/boundedPath.ts';
import type { ColourBy } from '#renderer/logic/colours/colouring.ts';
import type { ScaleName } from '#renderer/logic/colours/colourMaps.ts';
import { pointShares, trailStride } from '#renderer/logic/cloud/pointShares.ts';
import type { DrivenWay } from '#renderer/logic/cloud/runPicture.ts';
import { thinPoints, type PointColumns } from '#renderer/logic/cloud/pointColumns.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import type { RunCameraMode, RunLayer } from '#renderer/logic/viewer/viewSettings.ts';
import { createCameraRig, type CameraView } from './runCamera.ts';
import { createCostMapPlane } from './costMap.ts';
import { createFixMarks } from './fixMarks.ts';
import { createMarks, type Mission } from './missionMarks.ts';
import { createPathLine } from './pathLine.ts';
import { createPointCloud, type PointCloud } from '../engine/pointCloud.ts';
import { createVehicleModel } from './vehicle.ts';

/** Colours of a theme, as CSS writes them. */
export interface ViewerColours {
  background: string;
  grid: string;
  vehicle: string;
  planned: string;
  driven: string;
  fix: string;
  goal: string;
  start: string;
}

export interface Viewer {
  addPoints(points: PointColumns): void;
  showMap(geometry: MapGeometry, cost: Uint8Array): void;
  showPlannedPath(xM: Float32Array, yM: Float32Array): void;
  /** Moves the vehicle and lengthens the driven path. */
  moveVehicle(pose: Pose): void;
  /** Adds a position fix; they stand beside the driven path. */
  addFix(positionM: readonly [number, number, number]): void;
  /** Points of scans from before: dense ones, or of the trail. */
  addPast(points: PointColumns, isNewest: boolean): void;
  clearPoints(): void;
  /** Driven path and fixes become these. */
  setWay(way: DrivenWay): void;
  setVehicleSize(sizeM: readonly [number, number, number]): void;
  showMission(mission: Mission | null): void;
  setColouring(by: ColourBy, scale: ScaleName, range: ValueRange): void;
  /** Another limit of points on screen; those that are there go. */
  setMostPoints(most: number): void;
  setLayer(layer: RunLayer, isVisible: boolean): void;
  setCameraMode(mode: RunCameraMode): void;
  cameraView(): CameraView;
  /** Looks as another viewer does; tells nobody. */
  setCameraView(view: CameraView): void;
  /** Called whenever the camera was moved here: by hand, framed, or by another mode. */
  onCameraMoved(listener: () => void): void;
  setColours(colours: ViewerColours): void;
  resize(widthPx: number, heightPx: number, pixelRatio: number): void;
  /** The place on the ground at a pixel of the page; null: there is sky. */
  groundAt(clientXPx: number, clientYPx: number): [number, number] | null;
  /** Brings drive, start and goal into sight. */
  frame(): void;
  /** Takes the run off the picture. */
  clear(): void;
  dispose(): void;
}

const drivenPathPoints = 4000;
const fixMarks = 3000;
/** Paths lie this far above the ground below the vehicle. */
const pathLiftM = 0.12;

/** `mostPoints`: at once on screen. @throws Error where the browser has no WebGL 2. */
export function createViewer(canvas: HTMLCanvasElement, mostPoints: number): Viewer {
  const renderer = new WebGLRenderer({
    canvas,
    antialias: true,
    powerPreference: 'high-performance',
  });
  renderer.outputColorSpace = SRGBColorSpace;
  const scene = new Scene();
  const rig = createCameraRig(canvas, invalidate, () => cameraMoved());
  let [cloud, trail] = createClouds(mostPoints);
  let stride = trailStride(mostPoints);
  const map = createCostMapPlane();
  const planned = createPathLine(3, true);
  const driven = createPathLine(3.5, false);
  const vehicle = createVehicleModel();
  const fixes = createFixMarks(fixMarks);
  const marks = createMarks();
  const sun = new DirectionalLight('#ffffff', 2.2);
  sun.position.set(-40, -60, 90);
  scene.add(new AmbientLight('#ffffff', 1.3), sun, marks.object, map.object);
  scene.add(
    trail.object,
    cloud.object,
    planned.object,
    driven.object,
    vehicle.object,
    fixes.object,
  );
  const drivenPath = createBoundedPath(drivenPathPoints);
  const shown: Record<RunLayer, boolean> = { cloud: true, map: true, paths: true, fixes: true };
  let mission: Mission | null = null;
  let hasMap = false;
  let hasPlan = false;
  let groundM = 0;
  let scans = 0;
  let frameRequest = 0;
  let coloured: [ColourBy, ScaleName, ValueRange] = ['height', 'viridis', [0, 1]];
  let cameraMoved = (): void => undefined;

  return {
    addPoints(points) {
      cloud.add(points);
      // Why another offset each time: a scan that stands still would leave the same few points.
      trail.add(thinPoints(points, stride, (scans * 17) % stride));
      scans += 1;
      invalidate();
    },
    showMap(geometry, cost) {
      hasMap = true;
      map.show(geometry, cost, groundM);
      applyLayers();
    },
    showPlannedPath(xM, yM) {
      const xyzM = new Float32Array(3 * xM.length);
      for (let point = 0; point < xM.length; point += 1) {
        xyzM.set([xM[point] ?? 0, yM[point] ?? 0, groundM + pathLiftM], 3 * point);
      }
      planned.show(xyzM, xM.length, 0);
      hasPlan = planned.object.visible;
      applyLayers();
    },
    moveVehicle(pose) {
      const [xM, yM, zM] = pose.positionM;
      if (drivenPath.count === 0) setGround(zM);
      vehicle.place(pose);
      rig.track(pose.positionM, yawOf(pose));
      const changed = drivenPath.add(xM, yM, zM + pathLiftM);
      driven.show(drivenPath.xyzM, drivenPath.count, changed);
      applyLayers();
    },
    addFix([xM, yM]) {
      fixes.add([xM, yM, groundM + pathLiftM]);
      invalidate();
    },
    addPast(points, isNewest) {
      (isNewest ? cloud : trail).add(points);
      invalidate();
    },
    clearPoints() {
      cloud.clear();
      trail.clear();
      invalidate();
    },
    setWay({ xyzM, fixesM }) {
      drivenPath.clear();
      for (let at = 0; at + 2 < xyzM.length; at += 3) {
        const [xM = 0, yM = 0, zM = 0] = xyzM.subarray(at, at + 3);
        if (at === 0) setGround(zM);
        drivenPath.add(xM, yM, zM + pathLiftM);
      }
      fixes.clear();
      for (let at = 0; at + 2 < fixesM.length; at += 3) {
        fixes.add([fixesM[at] ?? 0, fixesM[at + 1] ?? 0, groundM + pathLiftM]);
      }
      driven.show(drivenPath.xyzM, drivenPath.count, 0);
      applyLayers();
    },
    setVehicleSize(sizeM) {
      vehicle.setSize(sizeM);
      invalidate();
    },
    showMission(next) {
      mission = next;
      marks.showMission(mission, groundM);
      invalidate();
    },
    setColouring(by, scale, range) {
      coloured = [by, scale, range];
      for (const part of [cloud, trail]) part.colour(by, scale, range);
      invalidate();
    },
    setMostPoints(most) {
      for (const part of [cloud, trail]) {
        scene.remove(part.object);
        part.dispose();
      }
      [cloud, trail] = createClouds(most);
      stride = trailStride(most);
      scene.add(trail.object, cloud.object);
      for (const part of [cloud, trail]) {
        part.colour(...coloured);
        part.setPixelRatio(renderer.getPixelRatio());
      }
      applyLayers();
    },
    setLayer(layer, isVisible) {
      shown[layer] = isVisible;
      applyLayers();
    },
    setCameraMode(mode) {
      rig.setMode(mode);
      if (mode === 'top') frame();
      invalidate();
    },
    cameraView: () => rig.view(),
    setCameraView(view) {
      rig.setView(view);
      invalidate();
    },
    onCameraMoved(listener) {
      cameraMoved = listener;
    },
    setColours(colours) {
      scene.background = new Color(colours.background);
      marks.setColours(colours);
      vehicle.setColour(colours.vehicle);
      planned.setColour(colours.planned);
      driven.setColour(colours.driven);
      fixes.setColour(colours.fix);
      invalidate();
    },
    resize(widthPx, heightPx, pixelRatio) {
      renderer.setPixelRatio(pixelRatio);
      renderer.setSize(widthPx, heightPx, false);
      for (const part of [cloud, trail]) part.setPixelRatio(pixelRatio);
      rig.resize(widthPx, heightPx);
      // Why at once: the new size emptied the picture, and a frame later that would flash.
      draw();
    },
    groundAt(clientXPx, clientYPx) {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const onScreen = new Vector2(
        (2 * (clientXPx - left)) / width - 1,
        1 - (2 * (clientYPx - top)) / height,
      );
      const caster = new Raycaster();
      caster.setFromCamera(onScreen, rig.camera);
      const ground = new Plane(new Vector3(0, 0, 1), -groundM);
      const place = caster.ray.intersectPlane(ground, new Vector3());
      return place === null ? null : [place.x, place.y];
    },
    frame,
    clear() {
      fixes.clear();
      cloud.clear();
      trail.clear();
      map.clear();
      drivenPath.clear();
      hasMap = false;
      hasPlan = false;
      planned.show(new Float32Array(0), 0, 0);
      driven.show(new Float32Array(0), 0, 0);
      vehicle.object.visible = false;
      invalidate();
    },
    dispose() {
      cancelAnimationFrame(frameRequest);
      for (const part of [cloud, trail, map, planned, driven, vehicle, fixes, marks, rig]) {
        part.dispose();
      }
      renderer.dispose();
    },
  };

  function setGround(zM: number): void {
    groundM = zM;
    marks.showMission(mission, groundM);
  }

  function applyLayers(): void {
    cloud.object.visible = shown.cloud;
    trail.object.visible = shown.cloud;
    map.object.visible = shown.map && hasMap;
    fixes.object.visible = shown.fixes;
    planned.object.visible = shown.paths && hasPlan;
    driven.object.visible = shown.paths && drivenPath.count >= 2;
    invalidate();
  }

  function frame(): void {
    const box = new Box3();
    for (let point = 0; point < drivenPath.count; point += 1) {
      box.expandByPoint(new Vector3().fromArray(drivenPath.xyzM, 3 * point));
    }
    for (const [xM, yM] of mission === null ? [] : [mission.startM, mission.goalM]) {
      box.expandByPoint(new Vector3(xM, yM, groundM));
    }
    if (!box.isEmpty()) box.expandByVector(new Vector3(6, 6, 0));
    rig.frame(box);
  }

  function invalidate(): void {
    if (frameRequest !== 0) return;
    frameRequest = requestAnimationFrame(draw);
  }

  function draw(): void {
    cancelAnimationFrame(frameRequest);
    frameRequest = 0;
    renderer.render(scene, rig.camera);
  }
}

/** The newest scans, and the trail. */
function createClouds(mostPoints: number): [PointCloud, PointCloud] {
  const shares = pointShares(mostPoints);
  return [createPointCloud(shares.newest), createPointCloud(shares.trail)];
}

/** Heading of a pose, counter-clockwise from x. */
function yawOf({ rotation: [x, y, z, w] }: Pose): number {
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}
