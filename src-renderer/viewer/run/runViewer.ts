// The view of a run: clouds, cost map, paths and vehicle, live or from a recording. What comes in is plain data.
import { AmbientLight, Color, DirectionalLight, Plane, Vector3 } from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { ObjectState } from '#contract/host/movingObjects.ts';
import type { MapGeometry, Pose } from '#contract/host/run.ts';
import type { ColourBy } from '#renderer/logic/colours/colouring.ts';
import type { ScaleName } from '#domain/shared/colours.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import type { PointColumns } from '#renderer/logic/cloud/pointColumns.ts';
import type { DrivenPath } from '#renderer/logic/cloud/runDisplay.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import {
  createShownLayers,
  type FadedLayer,
  type RunCameraMode,
  type RunLayer,
  type Theme,
} from '#renderer/logic/viewer/viewSettings.ts';
import type { CameraOptions, CameraView } from '../engine/camera/cameraController.ts';
import { createBackdrop } from '../engine/backdrop.ts';
import { createGroundGrid } from '../engine/groundGrid.ts';
import { createViewport, type Viewport } from '../engine/viewport.ts';
import { createSceneLayer, type SceneLayer } from '../scene/sceneLayer.ts';
import { createObjectBoxes } from './objectBoxes.ts';
import { createCostMapLayer } from './costMap.ts';
import type { Mission } from './missionMarks.ts';
import { createRunClouds } from './runClouds.ts';
import { createRunTrack, type TrackColours } from './runTrack.ts';

/** Colours of a theme, as CSS writes them. */
export interface RunViewerColours extends TrackColours {
  /** Boxes of moving objects. */
  object: string;
  /** Marked instances of a scene. */
  accent: string;
  background: string;
  grid: string;
}

export interface RunViewer extends Pick<
  Viewport,
  'setStream' | 'whenDrawn' | 'slowFrameMs' | 'picture'
> {
  addPoints(points: PointColumns): void;
  showMap(geometry: MapGeometry, cost: Uint8Array): void;
  showPlannedPath(xM: Float32Array, yM: Float32Array): void;
  /** Moves the vehicle and lengthens the driven path. */
  moveVehicle(pose: Pose): void;
  /** Boxes of moving objects, with their names and classes. */
  showObjects(objects: readonly ObjectState[]): void;
  /** Adds a position fix, beside the driven path. */
  addFix(positionM: readonly [number, number, number]): void;
  /** Points of earlier scans: dense ones, or of the trail. */
  addHistory(points: PointColumns, isNewest: boolean): void;
  clearPoints(): void;
  /** Driven path and fixes become these. */
  setPath(path: DrivenPath): void;
  setVehicleSize(sizeM: readonly [number, number, number]): void;
  showMission(mission: Mission | null): void;
  setColouring(by: ColourBy, scale: ScaleName, range: ValueRange): void;
  /** Another limit of points on screen; those that are there go. */
  setMaxPoints(maxPoints: number): void;
  setLayer(layer: RunLayer, isVisible: boolean): void;
  /** 0: hidden; 1: as it is. */
  setOpacity(layer: FadedLayer, opacity: number): void;
  /** The scene of the run; shown as soon as each of its models has come. */
  showScene(contents: SceneContents, table: InstanceTable): void;
  addMesh: SceneLayer['addMesh'];
  clearScene(): void;
  /** Moving instances of the scene are drawn where they are at this time. */
  setTime(timeS: number): void;
  setCameraMode(mode: RunCameraMode): void;
  cameraView(): CameraView;
  /** Takes the view of another viewer; its own listener is not called. */
  setCameraView(view: CameraView): void;
  /** Called whenever the camera was moved here: by input, framed, or by another mode. */
  onCameraMoved(listener: () => void): void;
  setTheme(theme: Theme, colours: RunViewerColours): void;
  /** Called while the pointer is dragged over the view. */
  onDragged(listener: () => void): void;
  /** Of the last frame, everything included. */
  statistics(): { triangles: number; calls: number };
  resize(widthPx: number, heightPx: number, pixelRatio: number): void;
  /** The place on the ground at a pixel of the page; null: there is sky. */
  groundAt(clientXPx: number, clientYPx: number): [number, number] | null;
  /** Brings drive, start and goal into view. */
  frame(): void;
  /** Removes the run from the view. */
  clear(): void;
  dispose(): void;
}

const camera: CameraOptions = {
  positionM: [-30, -30, 25],
  minDistanceM: 2,
  maxDistanceM: 700,
  maxPolarRad: 0.495 * Math.PI,
  tilt: [-0.45, -0.6, 0.66],
  isEased: false,
};
/** Less than in the view of a scene: a cloud lies over it, and a drive may be under way. */
const scenePace = { minTriangles: 40_000, firstTriangles: 150_000 };
const gridHalfM = 200;
const gridStepM = 10;

/** `maxPoints`: at once on screen. `labels`: gets the names of moving objects. */
export function createRunViewer(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
  maxPoints: number,
  labels: HTMLElement | null,
): RunViewer {
  let cameraMoved = (): void => undefined;
  const objects = createObjectBoxes(labels);
  const layer: SceneLayer = createSceneLayer(
    { camera: () => view.camera.camera, heightPx: () => view.screenHeightPx() },
    {
      entered: grounded,
      left: grounded,
      grew: () => map.undrape(),
      changed: () => view.invalidate(),
    },
    scenePace,
  );
  const backdrop = createBackdrop();
  const view = createViewport(context, canvas, {
    camera,
    detail: layer.detail,
    backdrop,
    beforeDraw: layer.beforeDraw,
    onCameraMoved: () => cameraMoved(),
    afterDraw: () => objects.placeNames(view.camera.camera, view.size()),
  });
  const grid = createGroundGrid({ liftM: -0.02, opacity: 1, stepM: gridStepM });
  const clouds = createRunClouds(maxPoints);
  const map = createCostMapLayer();
  const track = createRunTrack(heightAt);
  const sun = new DirectionalLight('#ffffff', 2.2);
  const shown = createShownLayers();
  const opacity: Record<FadedLayer, number> = { scene: 1, map: 1 };
  let background = new Color();
  let cameraMode: RunCameraMode = 'orbit';
  let dragged = (): void => undefined;
  const onPointerMove = ({ buttons }: PointerEvent): void => {
    if (buttons !== 0) dragged();
  };
  canvas.addEventListener('pointermove', onPointerMove);
  let hasMap = false;
  sun.position.set(-40, -60, 90);
  grid.fit([-gridHalfM, -gridHalfM], [gridHalfM, gridHalfM], 0);
  backdrop.scene.add(layer.object);
  view.scene.add(new AmbientLight('#ffffff', 1.3), sun);
  view.scene.add(grid.object, map.object, track.object, objects.object);
  view.points.add(clouds.object);

  return {
    addPoints: shows(clouds.add),
    showMap: shows((geometry: MapGeometry, cost: Uint8Array) => {
      hasMap = true;
      map.show(geometry, cost, (xM, yM) => heightAt(xM, yM) ?? track.groundM());
      applyLayers();
    }),
    showPlannedPath: shows(track.showPlanned),
    moveVehicle: shows((pose: Pose) => {
      track.moveVehicle(pose);
      view.camera.follow(pose.positionM, attitudeOf(pose.rotation).yawRad);
    }),
    showObjects: shows(objects.show),
    addFix: shows(track.addFix),
    addHistory: shows(clouds.addHistory),
    clearPoints: shows(clouds.clear),
    setPath: shows(track.setDriven),
    setVehicleSize: shows(track.setVehicleSize),
    showMission: shows(track.showMission),
    setColouring: shows(clouds.colour),
    setMaxPoints: shows(clouds.setMaxPoints),
    setLayer: shows((layer: RunLayer, isVisible: boolean) => {
      shown[layer] = isVisible;
      applyLayers();
    }),
    setOpacity: shows((faded: FadedLayer, next: number) => {
      opacity[faded] = next;
      if (faded === 'map') map.setOpacity(next);
      else backdrop.setOpacity(next);
      applyLayers();
    }),
    showScene(contents, table) {
      track.showSensors(contents.sensors);
      layer.show(contents, table, true);
    },
    addMesh: layer.addMesh,
    clearScene: layer.clear,
    setTime: layer.setTime,
    setStream: view.setStream,
    whenDrawn: view.whenDrawn,
    slowFrameMs: view.slowFrameMs,
    picture: view.picture,
    setCameraMode(mode) {
      cameraMode = mode;
      view.camera.setMode(mode);
      applyLayers();
      if (mode === 'top') frame();
    },
    cameraView: view.camera.view,
    setCameraView: view.camera.setView,
    onCameraMoved(listener) {
      cameraMoved = listener;
    },
    setTheme: shows((theme: Theme, colours: RunViewerColours) => {
      background = new Color(colours.background);
      backdrop.setBackground(background);
      layer.setTheme(theme, colours.accent);
      applyLayers();
      grid.setColour(colours.grid);
      track.setColours(colours);
      objects.setColour(colours.object);
    }),
    onDragged(listener) {
      dragged = listener;
    },
    statistics: view.drawn,
    resize: view.resize,
    groundAt(clientXPx, clientYPx) {
      const { left, top, width, height } = canvas.getBoundingClientRect();
      const { widthPx, heightPx } = view.size();
      // Why by shares: a page that is zoomed measures its pixels in another unit than the view.
      const xPx = ((clientXPx - left) / width) * widthPx;
      const yPx = ((clientYPx - top) / height) * heightPx;
      const ground = new Plane(new Vector3(0, 0, 1), -track.groundM());
      const place = view.camera.rayAt(xPx, yPx).intersectPlane(ground, new Vector3());
      return place === null ? null : [place.x, place.y];
    },
    frame,
    clear: shows(() => {
      clouds.clear();
      track.clear();
      objects.show([]);
      map.clear();
      hasMap = false;
    }),
    dispose() {
      canvas.removeEventListener('pointermove', onPointerMove);
      for (const part of [clouds, track, objects, map, grid, layer, backdrop, view]) part.dispose();
    },
  };

  /** Wraps a change of the view, after which a frame is drawn. */
  function shows<A extends unknown[]>(change: (...values: A) => void): (...values: A) => void {
    return (...values) => {
      change(...values);
      view.invalidate();
    };
  }

  function heightAt(xM: number, yM: number): number | null {
    return layer.current()?.groundAt([xM, yM]) ?? null;
  }

  function grounded(): void {
    map.undrape();
    applyLayers();
  }

  function applyLayers(): void {
    const hasScene = layer.current() !== null && opacity.scene > 0;
    layer.object.visible = hasScene;
    // Why: where the scene is drawn first, it has cleared the canvas.
    view.scene.background = hasScene ? null : background;
    grid.object.visible = !hasScene;
    clouds.object.visible = shown.cloud;
    view.setEyeDome(shown.relief);
    map.object.visible = opacity.map > 0 && hasMap;
    const vehicle = cameraMode !== 'aboard';
    track.setShown({ paths: shown.paths, fixes: shown.fixes, vehicle, fields: shown.fields });
    objects.object.visible = shown.objects;
  }

  function frame(): void {
    view.camera.frame(track.box());
  }
}
