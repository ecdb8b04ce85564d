// The picture of a scene in three.js, without Vue. A frame is drawn only when something changed; while the
// camera moves it has few triangles if the machine is slow, and is refined when the camera rests. The next
// frame waits until the graphics card has done the last one. Others add what is theirs by `overlay` and
// `addPicker`. dispose() gives back everything on the graphics card.
import {
  Box3,
  Color,
  Frustum,
  Group,
  Matrix4,
  type Ray,
  Scene,
  SRGBColorSpace,
  Vector3,
  WebGLRenderer,
} from 'three';
import type { SceneContents } from '#contract/sceneMethods.ts';
import type { Theme } from '#renderer/composables/useTheme.ts';
import { createDrawPace } from '#renderer/logic/scene/drawPace.ts';
import { movePose, type InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { LodChoice, LodView } from '#renderer/logic/scene/lodBudget.ts';
import { legsOf, lengthText, type PointM } from '#renderer/logic/scene/measuring.ts';
import type { ModelTriangles } from '#renderer/logic/scene/surfaceMesh.ts';
import { createFence } from './fence.ts';
import { createGizmo, type GizmoMode, type GizmoPose, type GizmoTarget } from './gizmo.ts';
import { createGroundGrid } from './groundGrid.ts';
import { createLabelLayer, type LabelText } from './labelLayer.ts';
import { createMeasureMarks } from './measureMarks.ts';
import { createScenePreparer } from './scenePreparer.ts';
import { createSceneCamera, type SceneCamera } from './sceneCamera.ts';
import { createSceneContent, type SceneContent } from './sceneContent.ts';
import { createSky, sceneLight } from './sceneLight.ts';
import { boxOfRow, type SceneHit } from './scenePicking.ts';
import { createSurfaceMaterials } from './surfaceMaterial.ts';

/** Somebody's things in the picture that can be clicked. */
export interface ScenePicker {
  /** Distance along the ray at which it meets them, in metres, or null. `pixelRad`: angle of a pixel. */
  meet: (ray: Ray, pixelRad: number) => number | null;
  /** What was met last was clicked. */
  click: () => void;
}

export interface SceneFigures {
  /** Of the last frame, everything included. */
  triangles: number;
  calls: number;
  instances: number;
  /** Of all instances at full detail. */
  sceneTriangles: number;
  /** Nothing is left to refine, and everything has come. */
  isSettled: boolean;
}

export interface SceneColours {
  grid: string;
  accent: string;
  measure: string;
}

export interface SceneViewer {
  readonly camera: SceneCamera;
  /** Another scene: shown as soon as each of its models has come. `isSame`: the camera stays. */
  showScene(contents: SceneContents, table: InstanceTable, isSame: boolean): void;
  addMesh(model: number, level: number, triangles: ModelTriangles): void;
  clear(): void;
  /** A group of the scene by its name, made when first asked for; world coordinates, z up. */
  overlay(name: string): Group;
  /** Returns how to take it away. */
  addPicker(picker: ScenePicker): () => void;
  /** Something of an overlay changed. */
  invalidate(): void;
  /** First what overlays hold, then the scene; null: the sky. */
  pickAt(xPx: number, yPx: number): { picker: ScenePicker } | { hit: SceneHit } | null;
  setMarks(selected: readonly number[], hovered: number | null): void;
  /** Null where no such instance is on screen. */
  poseOf(instanceId: number): GizmoPose | null;
  moveInstance(instanceId: number, pose: GizmoPose): void;
  attachGizmo(target: GizmoTarget | null): void;
  setGizmoMode(mode: GizmoMode, hasAllAxes: boolean): void;
  isGizmoBusy(): boolean;
  setNames(labels: readonly LabelText[]): void;
  setMeasure(points: readonly PointM[]): void;
  setShown(shown: { labels: boolean; grid: boolean }): void;
  setTheme(theme: Theme, colours: SceneColours): void;
  /** Full: as many triangles as any view may have, however long a frame takes. */
  setFullDetail(isFull: boolean): void;
  /** All, or what these instances take up. */
  frame(instanceIds?: readonly number[]): void;
  /** Frames the surroundings of a place that the camera does not see. */
  bringIntoSight(placeM: Vector3, radiusM: number): void;
  resize(widthPx: number, heightPx: number, pixelRatio: number): void;
  figures(): SceneFigures;
  /** When a frame was begun, and when it is done. */
  onFrame(listener: () => void): void;
  /** A scene came on screen. */
  onScene(listener: () => void): void;
  dispose(): void;
}

/** Of any view. Calls: a few are left for what is not the scene. */
const mostTriangles = 4_990_000;
const mostCalls = 240;
const restAfterMs = 180;
const sliceMs = 8;

/** @throws where the browser has no WebGL 2. */
export function createSceneViewer(
  canvas: HTMLCanvasElement,
  labelContainer: HTMLElement,
): SceneViewer {
  const renderer = new WebGLRenderer({
    canvas,
    antialias: true,
    powerPreference: 'high-performance',
  });
  renderer.outputColorSpace = SRGBColorSpace;
  const scene = new Scene();
  const sky = createSky();
  const grid = createGroundGrid();
  const measureMarks = createMeasureMarks();
  const materials = createSurfaceMaterials();
  const preparer = createScenePreparer();
  const labelLayer = createLabelLayer(labelContainer);
  const fence = createFence(renderer.getContext() as WebGL2RenderingContext);
  const pace = createDrawPace(mostTriangles);
  const camera = createSceneCamera(canvas, onCamera);
  const gizmo = createGizmo(camera.camera, canvas, {
    change: invalidate,
    dragging: (isDragging) => camera.setEnabled(!isDragging),
  });
  const overlays = new Map<string, Group>();
  const pickers: ScenePicker[] = [];
  const frameListeners: (() => void)[] = [];
  const sceneListeners: (() => void)[] = [];
  const size = { widthPx: 1, heightPx: 1 };
  const shown = { labels: true, grid: true };
  scene.add(sky.object, grid.object, measureMarks.object, gizmo.object);
  let current: SceneContent | null = null;
  let staged: { content: SceneContent; isSame: boolean } | null = null;
  let waiting = 0;
  let choosing: Generator<void, LodChoice> | null = null;
  const chosen = { budget: 0, isLimited: false };
  let choice: LodChoice | null = null;
  let needsChoice = false;
  let isFullDetail = false;
  let movedAtMs = -Infinity;
  let lastFrameMs = 0;
  let frameRequest = 0;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let isPictureStale = false;
  let names: readonly LabelText[] = [];
  let measures: LabelText[] = [];
  let marked: readonly number[] = [];
  let isDisposed = false;

  return {
    camera,
    showScene(contents, table, isSame) {
      staged?.content.dispose();
      const content = createSceneContent(contents, table, materials, current);
      staged = { content, isSame };
      enterIfReady();
    },
    addMesh(model, level, triangles) {
      const into = staged?.content ?? current;
      if (into === null || into.hasMesh(model, level)) return;
      waiting += 1;
      void preparer.prepare(triangles).then((mesh) => {
        waiting -= 1;
        if (isDisposed || (into !== current && into !== staged?.content)) return;
        into.addMesh(model, level, mesh);
        enterIfReady();
        if (into === current) rechoose();
      });
    },
    clear() {
      staged?.content.dispose();
      staged = null;
      leave();
      invalidate();
    },
    overlay(name) {
      const known = overlays.get(name);
      if (known !== undefined) return known;
      const group = new Group();
      group.name = name;
      overlays.set(name, group);
      scene.add(group);
      return group;
    },
    addPicker(picker) {
      pickers.push(picker);
      return () => void pickers.splice(pickers.indexOf(picker), 1);
    },
    invalidate,
    pickAt,
    setMarks(selected, hovered) {
      for (const id of marked) current?.mark(id, 0);
      if (hovered !== null) current?.mark(hovered, 0.35);
      for (const id of selected) current?.mark(id, 0.45);
      marked = hovered === null ? [...selected] : [...selected, hovered];
      invalidate();
    },
    poseOf(instanceId) {
      const row = current?.rowOf(instanceId) ?? -1;
      if (current === null || row < 0) return null;
      const { positionM, rotation, scale } = current.table;
      return {
        positionM: [...positionM.subarray(3 * row, 3 * row + 3)] as [number, number, number],
        rotation: [...rotation.subarray(4 * row, 4 * row + 4)] as GizmoPose['rotation'],
        scale: scale[row] ?? 1,
      };
    },
    moveInstance(instanceId, pose) {
      const row = current?.rowOf(instanceId) ?? -1;
      if (current === null || row < 0) return;
      movePose(current.table, row, pose);
      current.instanced.rewrite(row);
      rechoose();
    },
    attachGizmo: (target) => gizmo.attach(target),
    setGizmoMode(mode, hasAllAxes) {
      gizmo.setMode(mode);
      gizmo.setAllAxes(hasAllAxes);
    },
    isGizmoBusy: () => gizmo.isOver(),
    setNames(labels) {
      names = labels;
      updateLabels();
    },
    setMeasure(points) {
      measureMarks.show(points);
      measures = legsOf(points).map(({ distanceM, middleM }) => ({
        text: lengthText(distanceM),
        positionM: middleM,
        kind: 'measure',
      }));
      updateLabels();
    },
    setShown(next) {
      Object.assign(shown, next);
      grid.object.visible = shown.grid && current !== null;
      updateLabels();
    },
    setTheme(theme, colours) {
      const light = sceneLight(theme);
      sky.setLight(light);
      materials.setLight(light);
      materials.setMarkColour(new Color(colours.accent));
      measureMarks.setColour(new Color(colours.measure));
      grid.setColour(new Color(colours.grid));
      invalidate();
    },
    setFullDetail(isFull) {
      isFullDetail = isFull;
      rechoose();
    },
    frame(instanceIds = []) {
      if (current === null) return;
      const box = new Box3();
      for (const id of instanceIds) {
        const row = current.rowOf(id);
        if (row >= 0) box.union(boxOfRow(current.table, row));
      }
      camera.frame(box.isEmpty() ? current.contentM : box);
    },
    bringIntoSight(placeM, radiusM) {
      if (seenSpace().containsPoint(placeM)) return;
      camera.frame(
        new Box3().setFromCenterAndSize(placeM, new Vector3(1, 1, 0.2).multiplyScalar(2 * radiusM)),
      );
    },
    resize(widthPx, heightPx, pixelRatio) {
      Object.assign(size, { widthPx, heightPx });
      renderer.setPixelRatio(pixelRatio);
      renderer.setSize(widthPx, heightPx, false);
      camera.resize(widthPx, heightPx);
      rechoose();
      // Why at once: the new size emptied the picture, and a frame later that would flash.
      draw();
    },
    figures: () => ({
      triangles: renderer.info.render.triangles,
      calls: renderer.info.render.calls,
      instances: choice?.drawn ?? 0,
      sceneTriangles: current?.contents.summary.instancedTriangles ?? 0,
      isSettled: isSettled(),
    }),
    onFrame: (listener) => void frameListeners.push(listener),
    onScene: (listener) => void sceneListeners.push(listener),
    dispose() {
      isDisposed = true;
      cancelAnimationFrame(frameRequest);
      clearTimeout(restTimer);
      leave();
      staged?.content.dispose();
      for (const part of [sky, grid, measureMarks, materials, preparer, gizmo, camera])
        part.dispose();
      renderer.dispose();
    },
  };

  function leave(): void {
    if (current === null) return;
    scene.remove(current.instanced.object);
    current.dispose();
    current = null;
    choice = null;
    choosing = null;
    marked = [];
    grid.object.visible = false;
  }

  function enterIfReady(): void {
    if (staged === null || !staged.content.isReady()) return;
    const { content, isSame } = staged;
    staged = null;
    leave();
    current = content;
    content.enter();
    if (!isSame) content.setPaint(null);
    paint(content);
    scene.add(content.instanced.object);
    grid.fit(content.boxM, content.groundM);
    grid.object.visible = shown.grid;
    if (!isSame) lookFromCorner(content);
    rechoose();
    updateLabels();
    for (const listener of sceneListeners) listener();
  }

  /** Until it is painted the ground is as it was before, or bare. */
  function paint(content: SceneContent): void {
    const request = content.paintRequest();
    if (request === null) {
      content.setPaint(null);
      return;
    }
    waiting += 1;
    void preparer.paint(request).then((painted) => {
      waiting -= 1;
      if (isDisposed || content !== current) return;
      content.setPaint(painted);
      invalidate();
    });
  }

  /** Plants at eye level rather than a map: from the south-west, into what stands there. */
  function lookFromCorner({ boxM, standingM, groundM }: SceneContent): void {
    const box = standingM.isEmpty() ? boxM : standingM;
    const target = box.getCenter(new Vector3());
    const reachM = Math.min(box.getSize(new Vector3()).length() * 0.62, 46);
    target.z = groundM + Math.min(0.05 * reachM, 2.5);
    const eye = target.clone().add(new Vector3(-0.62, -0.72, 0.3).multiplyScalar(reachM));
    camera.look(eye, target);
  }

  function onCamera(): void {
    movedAtMs = performance.now();
    pace.move();
    rechoose();
    clearTimeout(restTimer);
    restTimer = setTimeout(rechoose, restAfterMs + 20);
  }

  function rechoose(): void {
    needsChoice = true;
    invalidate();
  }

  function invalidate(): void {
    isPictureStale = true;
    if (frameRequest === 0 && !isDisposed) frameRequest = requestAnimationFrame(onAnimationFrame);
  }

  function onAnimationFrame(nowMs: number): void {
    frameRequest = 0;
    const seconds = Math.min((nowMs - lastFrameMs) / 1000, 0.1);
    lastFrameMs = nowMs;
    const tookMs = fence.poll();
    if (tookMs !== null && choice !== null) learn(choice.triangles, tookMs);
    if (fence.isPending()) {
      frameRequest = requestAnimationFrame(onAnimationFrame);
      return;
    }
    const goesOn = camera.advance(seconds);
    const isChosen = chooseLevels();
    if (isPictureStale) draw();
    if (!isChosen || goesOn) invalidate();
    else if (fence.isPending()) frameRequest = requestAnimationFrame(onAnimationFrame);
    if (tookMs !== null) for (const listener of frameListeners) listener();
  }

  function isResting(): boolean {
    return performance.now() - movedAtMs > restAfterMs;
  }

  function budgetNow(): number {
    return isFullDetail ? mostTriangles : pace.budget(!isResting());
  }

  /** A frame at rest that could have had more triangles is drawn again with more. */
  function learn(triangles: number, tookMs: number): void {
    pace.learn(triangles, tookMs);
    if (!isResting() || isFullDetail || !chosen.isLimited || !pace.refine(tookMs)) return;
    needsChoice = true;
    isPictureStale = true;
  }

  /** True when there is nothing (more) to choose. */
  function chooseLevels(): boolean {
    if (current === null) return true;
    if (needsChoice && choosing === null) {
      needsChoice = false;
      const budget = budgetNow();
      Object.assign(chosen, { budget, isLimited: false });
      choosing = current.choose(viewNow(), { triangles: budget, calls: mostCalls });
    }
    if (choosing === null) return true;
    const untilMs = performance.now() + sliceMs;
    do {
      const step = choosing.next();
      if (step.done !== true) continue;
      choosing = null;
      choice = step.value;
      chosen.isLimited = choice.triangles > 0.8 * chosen.budget;
      current.apply(choice);
      isPictureStale = true;
      return !needsChoice;
    } while (performance.now() < untilMs);
    return false;
  }

  function viewNow(): LodView {
    const { camera: eye } = camera;
    const planes = new Float32Array(24);
    for (const [index, { normal, constant }] of seenSpace().planes.entries()) {
      planes.set([...normal.toArray(), constant], 4 * index);
    }
    return { eyeM: eye.position.toArray(), planes, pixelsPerRad: pixelsPerRad() };
  }

  function seenSpace(): Frustum {
    const { camera: eye } = camera;
    eye.updateMatrixWorld();
    const matrix = new Matrix4().multiplyMatrices(eye.projectionMatrix, eye.matrixWorldInverse);
    return new Frustum().setFromProjectionMatrix(matrix);
  }

  function pixelsPerRad(): number {
    const halfRad = (camera.camera.fov * Math.PI) / 360;
    return (size.heightPx * renderer.getPixelRatio()) / (2 * Math.tan(halfRad));
  }

  /** Within a scene the haze begins at the eye, from far outside where the scene begins. */
  function setHaze(boxM: Box3): void {
    const diagonalM = boxM.getSize(new Vector3()).length();
    materials.setHaze(boxM.distanceToPoint(camera.camera.position), Math.max(1.5 * diagonalM, 160));
  }

  function draw(): void {
    isPictureStale = false;
    if (current !== null) setHaze(current.boxM);
    renderer.render(scene, camera.camera);
    fence.start();
    labelLayer.place(camera.camera, size.widthPx, size.heightPx);
    for (const listener of frameListeners) listener();
  }

  function isSettled(): boolean {
    const isIdle = !needsChoice && choosing === null && !isPictureStale && !fence.isPending();
    return isIdle && isResting() && staged === null && waiting === 0;
  }

  function pickAt(xPx: number, yPx: number): { picker: ScenePicker } | { hit: SceneHit } | null {
    const ray = camera.rayAt(xPx, yPx);
    const hit = current?.pick(ray) ?? null;
    let best = hit?.distanceM ?? Infinity;
    let met: ScenePicker | null = null;
    for (const picker of pickers) {
      const distanceM = picker.meet(ray, 1 / pixelsPerRad());
      if (distanceM === null || distanceM >= best) continue;
      best = distanceM;
      met = picker;
    }
    if (met !== null) return { picker: met };
    return hit === null ? null : { hit };
  }

  function updateLabels(): void {
    const gridTexts = shown.grid && current !== null ? grid.labels() : [];
    labelLayer.show([...measures, ...(shown.labels ? names : []), ...gridTexts]);
    invalidate();
  }
}
