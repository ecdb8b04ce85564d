// The view of a scene. Others add what is theirs by `overlay` and `addPicker`.
import { Box3, Points, type PerspectiveCamera, Ray, Vector3 } from 'three';
import { cloudBounds, type BoundsM } from '#renderer/logic/cloud/cloudBounds.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { CameraOptions } from '../engine/camera/cameraController.ts';
import { onScreen, pixelsPerRad, poseOf, seenSpace } from '../engine/camera/viewSpace.ts';
import { createViewClip, type ViewClip } from '../engine/clip/clipUniforms.ts';
import { joinDetails, type JoinedDetail } from '../engine/joinedDetail.ts';
import { withOverlayRoom } from '../engine/overlayRoom.ts';
import { createViewport, drawnAfter, type Viewport } from '../engine/viewport.ts';
import { createOctreeLayer } from '../cloud/octreeLayer.ts';
import { initialView } from './initialView.ts';
import { createBrushTool } from './brushTool.ts';
import { createGizmo } from './gizmo.ts';
import type { SceneContent } from './sceneContent.ts';
import { createSceneAnnotations } from './sceneAnnotations.ts';
import { createSceneInstances } from './sceneInstances.ts';
import { createSceneLayer, type SceneLayer } from './sceneLayer.ts';
import { placeOf, type SceneHit } from './scenePicking.ts';
import { createShapeTool } from './shapeTool.ts';
import type { SceneStatistics, SceneViewer } from './sceneViewerTypes.ts';

const cameraOptions: CameraOptions = {
  positionM: [-30, -30, 22],
  minDistanceM: 0.3,
  maxDistanceM: 1500,
  maxPolarRad: 0.53 * Math.PI,
  tilt: [-0.5, -0.66, 0.56],
  isEased: true,
};

/** The scene view on a canvas. dispose() frees the graphics card. */
export function createSceneViewer(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
  labelContainer: HTMLElement,
): SceneViewer {
  const viewClip = createViewClip();
  const layer: SceneLayer = createSceneLayer(
    viewClip,
    { camera: () => view.camera.camera, heightPx: () => view.screenHeightPx() },
    {
      entered(content, isSame) {
        const { positionM, targetM } = initialView(content);
        if (!isSame) camera.look(positionM.toArray(), targetM.toArray());
        annotations.fit(content);
        tools.shapes.refresh();
        for (const listener of sceneListeners) listener();
      },
      left() {
        instances.forgetMarks();
        annotations.fit(null);
      },
      changed: () => view.invalidate(),
    },
    { castsShadows: true },
  );
  const { current } = layer;
  const detail = joinDetails(layer.detail);
  let isEmptyDrawn = false;
  const view = createViewport(context, canvas, {
    camera: cameraOptions,
    detail,
    hasSurfaces: true,
    clip: {
      clip: viewClip,
      boundsM: () => boundsOf(view, current()),
      placeAt: (_, ray) => placeOf(pick(ray)),
    },
    // Why not drawn again: an empty view, which the page covers, would cost a frame for each model that arrives.
    isHidden: () => isEmptyDrawn && layer.isEmpty(),
    beforeDraw(renderer) {
      isEmptyDrawn = layer.isEmpty();
      layer.beforeDraw(renderer);
    },
    afterDraw: () => annotations.place(camera.camera, view.size().widthPx, view.size().heightPx),
  });
  const { camera, invalidate } = view;
  const shows = drawnAfter(view);
  const clipNow = (): ViewClip | null => (layer.isClipped() ? viewClip : null);
  const annotations = createSceneAnnotations(labelContainer, invalidate, clipNow);
  const sceneListeners: (() => void)[] = [];
  const covered = { top: 0, bottom: 0 };
  const instances = createSceneInstances(current, layer.moved);
  const pick = (ray: Ray): ReturnType<SceneViewer['pickAt']> =>
    pickOn(view, current(), clipNow(), ray);
  const gizmo = createGizmo(camera.camera, canvas, {
    change: invalidate,
    dragging: (isDragging) => camera.setEnabled(!isDragging),
  });
  const ground = groundOf(view, current);
  const tools = groundToolsOf(canvas, view, ground, gizmo.isOver);
  const drawn = [layer, annotations, tools.shapes, tools.brush, gizmo];
  view.scene.add(...drawn.map(({ object }) => object));

  return {
    camera,
    pose: () => poseOf(camera.camera),
    onScreen: (placeM) => onScreen(camera.camera, placeM),
    showScene: layer.show,
    isReady: () => current() !== null && !layer.isComing(),
    whenShown: () => untilShown(view, layer, () => isEmptyDrawn),
    addMesh: layer.addMesh,
    clear: layer.clear,
    ...pointsOf(view, viewClip, detail),
    setSceneClipped: shows(layer.setClipped),
    picture: view.picture,
    overlay: view.overlay,
    addPicker: view.addPicker,
    invalidate,
    pickAt: (xPx, yPx) => pick(camera.rayAt(xPx, yPx)),
    ...ground,
    ...tools,
    pixelM: (distanceM) => distanceM / pixelsPerRad(camera.camera, view.size().heightPx),
    setMarks: shows(instances.mark),
    poseOf: instances.poseOf,
    lowestOf: instances.lowestOf,
    moveInstance: instances.move,
    setTime: layer.setTime,
    setMasks: layer.setMasks,
    attachGizmo: gizmo.attach,
    setGizmoMode: gizmo.setMode,
    isGizmoBusy: gizmo.isOver,
    setNames: annotations.setNames,
    setMeasure: annotations.setMeasure,
    setShown: annotations.setShown,
    setHour: layer.setHour,
    setColours(colours) {
      annotations.setColours(colours);
      view.clip?.setColour(colours.accent);
      layer.setAccent(colours.accent);
    },
    setAir: layer.setAir,
    setCovered: (next) => void Object.assign(covered, next),
    setSkyOcclusion: view.setSkyOcclusion,
    setFullDetail: shows(layer.detail.setFull),
    frame(instanceIds = [], placesM = []) {
      const box = instances.boxOf(instanceIds, placesM);
      if (box !== null) camera.frame(withOverlayRoom(box, upwardOf(camera.camera), covered));
    },
    bringIntoSight: (placeM, radiusM) => bringIntoSight(view, placeM, radiusM),
    resize(widthPx, heightPx, pixelRatio) {
      layer.detail.rechoose();
      view.resize(widthPx, heightPx, pixelRatio);
      invalidate();
    },
    statistics: () => statisticsOf(view, layer),
    onFrame: view.onFrame,
    onScene: (listener) => void sceneListeners.push(listener),
    dispose() {
      for (const part of [...drawn, view]) part.dispose();
    },
  };
}

/** The first hit, of overlays and of the scene. `clip`: of the scene; null: it is not clipped. */
function pickOn(
  view: Viewport,
  content: SceneContent | null,
  clip: ViewClip | null,
  ray: Ray,
): ReturnType<SceneViewer['pickAt']> {
  const hit = pickClipped(ray, content, clip);
  const picker = view.pick(ray, hit?.distanceM ?? Infinity);
  if (picker !== null) return { picker };
  return hit === null ? null : { hit };
}

async function untilShown(
  view: Viewport,
  layer: SceneLayer,
  isEmptyDrawn: () => boolean,
): Promise<void> {
  do await view.whenDrawn();
  while (layer.isComing() || (layer.current() !== null && isEmptyDrawn()));
}

function statisticsOf(view: Viewport, layer: SceneLayer): SceneStatistics {
  const drawn = layer.detail.drawn();
  return {
    calls: view.drawn().calls,
    triangles: layer.current()?.instanced.triangles() ?? 0,
    ...drawn,
    slowFrameMs: view.slowFrameMs(),
    isOccluded: view.isOccluded(),
    shadows: layer.shadows(),
    sceneTriangles: layer.current()?.contents.summary.instancedTriangles ?? 0,
    isSettled: view.isIdle() && !layer.isWaiting() && drawn.standIns === 0,
  };
}

/** The points over a scene, to which layers can be added. */
function pointsOf(
  view: Viewport,
  viewClip: ViewClip,
  detail: JoinedDetail,
): Pick<SceneViewer, 'points' | 'clip' | 'viewClip' | 'addCloud'> {
  return {
    points: view.points,
    clip: view.clip,
    viewClip,
    addCloud() {
      const cloud = createOctreeLayer(viewClip, () => view);
      view.points.add(cloud.object);
      detail.add(cloud.detail);
      return {
        ...cloud,
        dispose() {
          detail.remove(cloud.detail);
          view.points.remove(cloud.object);
          cloud.dispose();
        },
      };
    },
  };
}

/** The direction that is up on screen, in the world. */
function upwardOf(camera: PerspectiveCamera): Vector3 {
  return new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
}

/** Tools that work on the ground, and their marks. */
function groundToolsOf(
  canvas: HTMLCanvasElement,
  { camera, size, invalidate }: Viewport,
  ground: Pick<SceneViewer, 'groundAt' | 'groundUnder'>,
  isBusy: () => boolean,
) {
  const seen = {
    canvas,
    camera: () => camera.camera,
    sizePx: size,
    ...ground,
    isBusy,
    setCameraEnabled: camera.setEnabled,
    invalidate,
  };
  return { shapes: createShapeTool(seen), brush: createBrushTool(seen) };
}

/** The height of the ground at places, and the ground that pixels show. */
function groundOf(
  { camera }: Viewport,
  current: () => SceneContent | null,
): Pick<SceneViewer, 'groundAt' | 'groundUnder'> {
  return {
    groundAt: (placeM) => current()?.groundAt(placeM) ?? 0,
    groundUnder: (xPx, yPx) => current()?.groundUnder(camera.rayAt(xPx, yPx))?.toArray() ?? null,
  };
}

/** Frames the surroundings of a place, unless the camera sees it. */
function bringIntoSight({ camera }: Viewport, placeM: PointM, radiusM: number): void {
  const place = new Vector3(...placeM);
  if (seenSpace(camera.camera).containsPoint(place)) return;
  const sizeM = new Vector3(1, 1, 0.2).multiplyScalar(2 * radiusM);
  camera.frame(new Box3().setFromCenterAndSize(place, sizeM));
}

/** The first hit of what a scene shows: its part in the box, where it is clipped. */
function pickClipped(
  ray: Ray,
  content: SceneContent | null,
  clip: ViewClip | null,
): SceneHit | null {
  if (clip === null) return content?.pick(ray) ?? null;
  const enterM = clip.enterM(ray);
  if (enterM === null) return null;
  const within = new Ray(ray.at(enterM, new Vector3()), ray.direction);
  const hit = content?.pick(within) ?? null;
  if (hit === null || !clip.isInside(...hit.positionM)) return null;
  return { ...hit, distanceM: hit.distanceM + enterM };
}

/** Bounds of the drawn points; without any, of the scene. */
function boundsOf({ points }: Viewport, content: SceneContent | null): BoundsM | null {
  const clouds: Points[] = [];
  points.traverseVisible((one) => {
    if (one instanceof Points) clouds.push(one as Points);
  });
  const drawn = cloudBounds(clouds.map(positionsOf));
  if (drawn !== null || content === null || content.contentM.isEmpty()) return drawn;
  return { minM: content.contentM.min.toArray(), maxM: content.contentM.max.toArray() };
}

function positionsOf({ geometry }: Points): Float32Array {
  const { array } = geometry.getAttribute('position');
  return array instanceof Float32Array ? array : new Float32Array(0);
}
