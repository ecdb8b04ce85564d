// The view of a scene. Others add what is theirs by `overlay` and `addPicker`.
import { Box3, Color, type PerspectiveCamera, Vector3 } from 'three';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { CameraOptions } from '../engine/camera/cameraController.ts';
import { onScreen, pixelsPerRad, poseOf, seenSpace } from '../engine/camera/viewSpace.ts';
import { withOverlayRoom } from '../engine/overlayRoom.ts';
import { createViewport, type Viewport } from '../engine/viewport.ts';
import { initialView, lodViewOf } from './initialView.ts';
import { createGizmo } from './gizmo.ts';
import type { SceneContent } from './sceneContent.ts';
import { createSceneAnnotations } from './sceneAnnotations.ts';
import { createSceneDetail, type SceneDetail } from './sceneDetail.ts';
import { createSceneInstances } from './sceneInstances.ts';
import { createSky, sceneLight } from './sceneLight.ts';
import { createSceneModels, type SceneModels } from './sceneModels.ts';
import type { SceneStatistics, SceneViewer } from './sceneViewerTypes.ts';
import { createSurfaceMaterials, type SurfaceMaterials } from './surfaceMaterial.ts';

const cameraOptions: CameraOptions = {
  positionM: [-30, -30, 22],
  minDistanceM: 0.3,
  maxDistanceM: 1500,
  maxPolarRad: 0.53 * Math.PI,
  tilt: [-0.5, -0.66, 0.56],
  isEased: true,
};
/** Haze begins no nearer to where two thirds are lost than this. */
const minHazeM = 160;

/** The scene view on a canvas. dispose() frees the graphics card. */
export function createSceneViewer(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
  labelContainer: HTMLElement,
): SceneViewer {
  const current = (): SceneContent | null => models.current();
  const detail = createSceneDetail({
    begin: (limits) =>
      current()?.choose(lodViewOf(view.camera.camera, view.screenHeightPx()), limits) ?? null,
    apply: (choice) => current()?.apply(choice),
  });
  const view = createViewport(context, canvas, {
    camera: cameraOptions,
    detail,
    beforeDraw: () => setHaze(materials, current(), camera.camera.position),
    afterDraw: () => annotations.place(camera.camera, view.size().widthPx, view.size().heightPx),
  });
  const { camera, invalidate } = view;
  const sky = createSky();
  const materials = createSurfaceMaterials();
  const annotations = createSceneAnnotations(labelContainer, invalidate);
  const sceneListeners: (() => void)[] = [];
  const covered = { top: 0, bottom: 0 };
  let timeS = 0;
  const models: SceneModels = createSceneModels(materials, {
    entered(content, isSame) {
      view.scene.add(content.instanced.object);
      content.setTime(timeS);
      const { positionM, targetM } = initialView(content);
      if (!isSame) camera.look(positionM.toArray(), targetM.toArray());
      annotations.fit(content);
      rechoose();
      for (const listener of sceneListeners) listener();
    },
    left(content) {
      view.scene.remove(content.instanced.object);
      detail.forget();
      instances.forgetMarks();
      // This also has the view drawn without it.
      annotations.fit(null);
    },
    grew: rechoose,
    changed: invalidate,
  });
  const instances = createSceneInstances(current);
  const gizmo = createGizmo(camera.camera, canvas, {
    change: invalidate,
    dragging: (isDragging) => camera.setEnabled(!isDragging),
  });
  view.scene.add(sky.object, annotations.object, gizmo.object);

  return {
    camera,
    pose: () => poseOf(camera.camera),
    onScreen: (placeM) => onScreen(camera.camera, placeM),
    showScene: models.show,
    addMesh: models.addMesh,
    clear: models.clear,
    overlay: view.overlay,
    addPicker: view.addPicker,
    invalidate,
    pickAt: (xPx, yPx) => pickAt(view, current(), xPx, yPx),
    groundAt: (placeM) => current()?.groundAt(placeM) ?? 0,
    pixelM: (distanceM) => distanceM / pixelsPerRad(camera.camera, view.size().heightPx),
    setMarks(selected, hovered) {
      instances.mark(selected, hovered);
      invalidate();
    },
    poseOf: instances.poseOf,
    moveInstance(instanceId, pose) {
      if (instances.move(instanceId, pose)) rechoose();
    },
    setTime(nextS) {
      timeS = nextS;
      if (current()?.setTime(timeS) === true) rechoose();
    },
    attachGizmo: gizmo.attach,
    setGizmoMode: gizmo.setMode,
    isGizmoBusy: gizmo.isOver,
    setNames: annotations.setNames,
    setMeasure: annotations.setMeasure,
    setShown: annotations.setShown,
    setTheme(theme, colours) {
      for (const part of [sky, materials]) part.setLight(sceneLight(theme));
      materials.setMarkColour(new Color(colours.accent));
      annotations.setColours(colours);
      invalidate();
    },
    setAir(air) {
      for (const part of [sky, materials]) part.setAir(air);
      invalidate();
    },
    setCovered: (next) => void Object.assign(covered, next),
    setFullDetail(isFull) {
      detail.setFull(isFull);
      invalidate();
    },
    frame(instanceIds = []) {
      const box = instances.boxOf(instanceIds);
      if (box !== null) camera.frame(withOverlayRoom(box, upwardOf(camera.camera), covered));
    },
    bringIntoSight(placeM, radiusM) {
      const box = unseenSurroundings(camera.camera, placeM, radiusM);
      if (box !== null) camera.frame(box);
    },
    resize(widthPx, heightPx, pixelRatio) {
      detail.rechoose();
      view.resize(widthPx, heightPx, pixelRatio);
      invalidate();
    },
    statistics: () => statisticsOf(view, detail, models),
    onFrame: view.onFrame,
    onScene: (listener) => void sceneListeners.push(listener),
    dispose() {
      for (const part of [models, sky, annotations, materials, gizmo, view]) part.dispose();
    },
  };

  function rechoose(): void {
    detail.rechoose();
    invalidate();
  }
}

function statisticsOf(view: Viewport, detail: SceneDetail, models: SceneModels): SceneStatistics {
  return {
    ...view.drawn(),
    ...detail.drawn(),
    sceneTriangles: models.current()?.contents.summary.instancedTriangles ?? 0,
    isSettled: view.isIdle() && !models.isWaiting() && detail.drawn().standIns === 0,
  };
}

/** Within a scene the haze begins at the camera, from far outside where the scene begins. */
function setHaze(
  materials: SurfaceMaterials,
  content: SceneContent | null,
  cameraM: Vector3,
): void {
  if (content === null) return;
  const diagonalM = content.boxM.getSize(new Vector3()).length();
  const beginsM = content.boxM.distanceToPoint(cameraM);
  materials.setHaze(beginsM, Math.max(1.5 * diagonalM, minHazeM));
}

/** The direction that is up on screen, in the world. */
function upwardOf(camera: PerspectiveCamera): Vector3 {
  return new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
}

/** The surroundings of a place; null where the camera sees it. */
function unseenSurroundings(
  camera: PerspectiveCamera,
  placeM: PointM,
  radiusM: number,
): Box3 | null {
  const place = new Vector3(...placeM);
  if (seenSpace(camera).containsPoint(place)) return null;
  const sizeM = new Vector3(1, 1, 0.2).multiplyScalar(2 * radiusM);
  return new Box3().setFromCenterAndSize(place, sizeM);
}

/** The first hit, of overlays and of the scene. */
function pickAt(
  view: Viewport,
  content: SceneContent | null,
  xPx: number,
  yPx: number,
): ReturnType<SceneViewer['pickAt']> {
  const ray = view.camera.rayAt(xPx, yPx);
  const hit = content?.pick(ray) ?? null;
  const picker = view.pick(ray, hit?.distanceM ?? Infinity);
  if (picker !== null) return { picker };
  return hit === null ? null : { hit };
}
