// The view of a run: scene, clouds, cost map, paths and vehicle, live or from a recording. What comes in is plain data.
import { Color, type Ray } from 'three';
import type { ObjectState } from '#contract/host/movingObjects.ts';
import type { MapGeometry, Pose } from '#contract/host/run.ts';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { PointColouring } from '#renderer/logic/colours/colouring.ts';
import type { ScaleName } from '#domain/shared/colours.ts';
import { attitudeOf } from '#domain/shared/pose.ts';
import type { PointColumns } from '#renderer/logic/cloud/pointColumns.ts';
import type { DrivenPath } from '#renderer/logic/cloud/runDisplay.ts';
import { cloudBounds } from '#renderer/logic/cloud/cloudBounds.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { FadedLayer, RunCameraMode, RunLayer } from '#renderer/logic/viewer/viewSettings.ts';
import type { OctreeLayer } from '../cloud/octreeLayer.ts';
import type { CameraOptions, CameraView } from '../engine/camera/cameraController.ts';
import type { ClipPoints } from '../engine/clip/clipTool.ts';
import { createViewClip, type ViewClip } from '../engine/clip/clipUniforms.ts';
import { joinDetails } from '../engine/joinedDetail.ts';
import { clickedPoint } from '../engine/points/clickedPoint.ts';
import { createViewport, drawnAfter, type Viewport } from '../engine/viewport.ts';
import type { Mission } from './missionMarks.ts';
import { createRunLayers, type RunLayers, type RunLayerColours } from './runLayers.ts';
import { createRunScene, type RunScene } from './runScene.ts';
import type { RunTrack } from './runTrack.ts';

type PointM = [number, number, number];

/** Colours of a theme, as CSS writes them. */
export interface RunViewerColours extends RunLayerColours {
  /** Marked instances of a scene. */
  accent: string;
  background: string;
}

export interface RunViewer extends Pick<
  Viewport,
  'setStream' | 'whenDrawn' | 'slowFrameMs' | 'isOccluded' | 'picture' | 'clip'
> {
  /** All returns of the run, in place of the other points once the first of them have come. */
  readonly all: OctreeLayer;
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
  setColouring(by: PointColouring, scale: ScaleName, range: ValueRange): void;
  /** Another limit of points on screen; those that are there go. */
  setMaxPoints(maxPoints: number): void;
  setLayer(layer: RunLayer, isVisible: boolean): void;
  /** 0: hidden; 1: as it is. */
  setOpacity(layer: FadedLayer, opacity: number): void;
  /** The scene of the run; shown as soon as each of its models has come. */
  showScene(contents: SceneContents, table: InstanceTable): void;
  addMesh: RunScene['addMesh'];
  clearScene(): void;
  /** Weather and wind of the scene. */
  setAir: RunScene['setAir'];
  /** Moving instances of the scene are drawn where they are at this time. */
  setTime(timeS: number): void;
  /** Whether surfaces of the scene are clipped as points are. */
  setSceneClipped(isClipped: boolean): void;
  setCameraMode(mode: RunCameraMode): void;
  cameraView(): CameraView;
  /** Takes the view of another viewer; its own listener is not called. */
  setCameraView(view: CameraView): void;
  /** Called whenever the camera was moved here: by input, framed, or by another mode. */
  onCameraMoved(listener: () => void): void;
  setColours(colours: RunViewerColours): void;
  /** Light of the scene at an hour of solar time, 0 to 24. */
  setHour(hour: number): void;
  /** Called while the pointer is dragged over the view. */
  onDragged(listener: () => void): void;
  /** Called after each frame with the time that it shows, in seconds; null: that of no instant. */
  onDrawn(listener: (timeS: number | null) => void): void;
  /** Counts of the last frame, everything included. */
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
/** `maxPoints`: at once on screen. `labels`: gets the names of moving objects. */
export function createRunViewer(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
  maxPoints: number,
  labels: HTMLElement | null,
): RunViewer {
  let cameraMoved = (): void => undefined;
  const clip = createViewClip();
  const scene: RunScene = createRunScene(
    clip,
    { camera: () => view.camera.camera, heightPx: () => view.screenHeightPx() },
    {
      entered: onGround,
      left: onGround,
      grew: () => map.undrape(),
      changed: () => view.invalidate(),
    },
  );
  const time = createShownTime(scene.setTime);
  const inView = { clip, heightAt: scene.heightAt, view: (): Viewport => view, changed: apply };
  const layers = createRunLayers({ ...inView, maxPoints, labels });
  const { clouds, map, track, boxes } = layers;
  const ground = createGroundPlaces(scene, track, () => view);
  const view = createViewport(context, canvas, {
    camera,
    detail: joinDetails(scene.detail, layers.all.detail),
    backdrop: scene.backdrop,
    clip: clipPoints(clip, layers.pointsM, () => view, ground.on),
    beforeDraw(renderer) {
      scene.beforeDraw(renderer);
      track.faceFrom(view.camera.camera.position);
    },
    onCameraMoved: () => cameraMoved(),
    afterDraw() {
      boxes.placeNames(view.camera.camera, view.size());
      time.drawn();
    },
  });
  const shows = drawnAfter(view);
  const drag = listenForDrags(canvas);
  const frame = (): void => view.camera.frame(track.box());
  let background = new Color();
  let cameraMode: RunCameraMode = 'orbit';
  view.scene.add(...layers.objects);
  view.points.add(clouds.object, layers.all.object);

  return {
    ...ofView(view),
    all: layers.all,
    addPoints: shows(clouds.add),
    showMap: shows(map.show),
    showPlannedPath: shows(track.showPlanned),
    moveVehicle: shows((pose: Pose) => {
      track.moveVehicle(pose);
      view.camera.follow(pose.positionM, attitudeOf(pose.rotation).yawRad);
    }),
    showObjects: shows(boxes.show),
    addFix: shows(track.addFix),
    addHistory: shows(clouds.addHistory),
    clearPoints: shows(clouds.clear),
    setPath: shows(track.setDriven),
    setVehicleSize: shows(track.setVehicleSize),
    showMission: shows(track.showMission),
    setColouring: shows(clouds.colour),
    setMaxPoints: shows(clouds.setMaxPoints),
    setLayer(layer, isVisible) {
      layers.shown[layer] = isVisible;
      apply();
    },
    setOpacity(layer, opacity) {
      (layer === 'map' ? map : scene).setOpacity(opacity);
      apply();
    },
    showScene(contents, table) {
      track.showSensors(contents.sensors);
      scene.show(contents, table, true);
    },
    ...ofScene(scene),
    setTime: time.set,
    setSceneClipped: shows(scene.setClipped),
    isOccluded: () => view.isOccluded() && scene.isShown(),
    setCameraMode(mode) {
      cameraMode = mode;
      view.camera.setMode(mode);
      apply();
      if (mode === 'top') frame();
    },
    onCameraMoved(listener) {
      cameraMoved = listener;
    },
    onDrawn: time.onDrawn,
    onDragged: drag.onDragged,
    setColours(colours) {
      background = new Color(colours.background);
      scene.backdrop.setBackground(background);
      scene.setAccent(colours.accent);
      layers.setColours(colours);
      view.clip?.setColour(colours.accent);
      apply();
    },
    groundAt: ground.at,
    frame,
    clear: shows(layers.clear),
    dispose() {
      for (const part of [drag, layers, scene, view]) part.dispose();
    },
  };

  function onGround(): void {
    map.undrape();
    track.drape();
    apply();
  }

  function apply(): void {
    const hasScene = scene.isShown();
    // Why: where the scene is drawn first, it has cleared the canvas.
    view.scene.background = hasScene ? null : background;
    view.setEyeDome(layers.shown.relief);
    layers.apply(cameraMode, hasScene);
    view.invalidate();
  }
}

/** Functions of the view that are those of the run's. */
function ofView(view: Viewport) {
  const { setStream, whenDrawn, slowFrameMs, picture, clip, resize, drawn: statistics } = view;
  const { view: cameraView, setView: setCameraView } = view.camera;
  const ofCamera = { cameraView, setCameraView };
  return { setStream, whenDrawn, slowFrameMs, picture, clip, resize, statistics, ...ofCamera };
}

/** Functions of the view that are those of the scene's. */
function ofScene({ addMesh, clear: clearScene, setAir, setHour }: RunScene) {
  return { addMesh, clearScene, setAir, setHour };
}

/** The time of the instant that is shown; one listener gets it after each frame. */
function createShownTime(setTime: (timeS: number) => void): Pick<RunViewer, 'onDrawn'> & {
  set: (timeS: number) => void;
  drawn: () => void;
} {
  let listener = (_: number | null): void => undefined;
  let shownS: number | null = null;
  return {
    onDrawn: (next) => void (listener = next),
    set(timeS) {
      shownS = timeS;
      setTime(timeS);
    },
    drawn: () => listener(shownS),
  };
}

interface GroundPlaces {
  /** On a ray; null: there is sky. */
  on: (ray: Ray) => PointM | null;
  /** At a pixel of the page. */
  at: RunViewer['groundAt'];
}

/** Places on the ground of a run. */
function createGroundPlaces(scene: RunScene, track: RunTrack, view: () => Viewport): GroundPlaces {
  const on = (ray: Ray): PointM | null => {
    const { x, y } = ray.origin;
    return scene.groundOn(ray, track.groundM(x, y))?.toArray() ?? null;
  };
  return {
    on,
    at(clientXPx, clientYPx) {
      const { xPx, yPx } = view().pixelAt(clientXPx, clientYPx);
      const [xM, yM] = on(view().camera.rayAt(xPx, yPx)) ?? [];
      return xM === undefined || yM === undefined ? null : [xM, yM];
    },
  };
}

function clipPoints(
  clip: ViewClip,
  pointsM: RunLayers['pointsM'],
  view: () => Viewport,
  groundOn: (ray: Ray) => PointM | null,
): ClipPoints {
  return {
    clip,
    boundsM: () => cloudBounds(pointsM()),
    placeAt: (_, ray) => clickedPoint(view(), pointsM(), clip, ray) ?? groundOn(ray),
  };
}

/** Tells one listener that the pointer is dragged over a canvas. */
function listenForDrags(canvas: HTMLCanvasElement): {
  onDragged: (listener: () => void) => void;
  dispose: () => void;
} {
  let dragged = (): void => undefined;
  const onPointerMove = ({ buttons }: PointerEvent): void => {
    if (buttons !== 0) dragged();
  };
  canvas.addEventListener('pointermove', onPointerMove);
  return {
    onDragged(listener) {
      dragged = listener;
    },
    dispose: () => canvas.removeEventListener('pointermove', onPointerMove),
  };
}
