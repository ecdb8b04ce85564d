// The picture of a scene in three.js, without Vue. Others add what is theirs by `overlay` and `addPicker`.
// dispose() gives back everything on the graphics card.
import { Box3, Color, Group, Scene, SRGBColorSpace, Vector3, WebGLRenderer } from 'three';
import { movePose } from '#renderer/logic/scene/instanceTable.ts';
import { legsOf, lengthText } from '#renderer/logic/scene/measuring.ts';
import { createFence } from '../engine/fence.ts';
import { createGizmo, type GizmoPose } from './gizmo.ts';
import { createGroundGrid } from '../engine/groundGrid.ts';
import { createLabelLayer, type LabelText } from '../engine/labelLayer.ts';
import { createMeasureMarks } from './measureMarks.ts';
import { createSceneCamera } from './sceneCamera.ts';
import { createSceneFrames } from './sceneFrames.ts';
import { createSky, sceneLight } from './sceneLight.ts';
import { boxOfRow } from './scenePicking.ts';
import { firstLook, pixelsPerRad, seenSpace, viewOf } from './sceneSight.ts';
import { createSceneStage } from './sceneStage.ts';
import type { ScenePicker, SceneViewer } from './sceneViewerTypes.ts';
import { createSurfaceMaterials } from './surfaceMaterial.ts';

/** The way to the graphics card, which takes a while to open; null where the browser has no WebGL 2. */
export function openGraphics(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  return canvas.getContext('webgl2', { antialias: true, powerPreference: 'high-performance' });
}

export function createSceneViewer(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
  labelContainer: HTMLElement,
): SceneViewer {
  const renderer = new WebGLRenderer({ canvas, context });
  renderer.outputColorSpace = SRGBColorSpace;
  const scene = new Scene();
  const sky = createSky();
  const grid = createGroundGrid();
  const measureMarks = createMeasureMarks();
  const materials = createSurfaceMaterials();
  const labelLayer = createLabelLayer(labelContainer);
  const fence = createFence(context);
  const camera = createSceneCamera(canvas, () => frames.move());
  const frames = createSceneFrames(fence, {
    advance: (seconds) => camera.advance(seconds),
    choose: (limits) => current()?.choose(viewOf(camera.camera, heightPx()), limits) ?? null,
    apply: (choice) => current()?.apply(choice),
    draw,
    told: () => tell(frameListeners),
  });
  const stage = createSceneStage(materials, {
    entered(content, isSame) {
      scene.add(content.instanced.object);
      grid.fit(content.boxM, content.groundM);
      grid.object.visible = shown.grid;
      const { eye, target } = firstLook(content);
      if (!isSame) camera.look(eye, target);
      frames.rechoose();
      updateLabels();
      tell(sceneListeners);
    },
    left(content) {
      scene.remove(content.instanced.object);
      frames.forget();
      marked = [];
      grid.object.visible = false;
    },
    grew: frames.rechoose,
    painted: frames.invalidate,
  });
  const gizmo = createGizmo(camera.camera, canvas, {
    change: frames.invalidate,
    dragging: (isDragging) => camera.setEnabled(!isDragging),
  });
  const overlays = new Map<string, Group>();
  const pickers: ScenePicker[] = [];
  const frameListeners: (() => void)[] = [];
  const sceneListeners: (() => void)[] = [];
  const size = { widthPx: 1, heightPx: 1 };
  const shown = { labels: true, grid: true };
  scene.add(sky.object, grid.object, measureMarks.object, gizmo.object);
  let names: readonly LabelText[] = [];
  let measures: LabelText[] = [];
  let marked: readonly number[] = [];

  return {
    camera,
    showScene: stage.show,
    addMesh: stage.addMesh,
    clear() {
      stage.clear();
      frames.invalidate();
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
    invalidate: frames.invalidate,
    pickAt(xPx, yPx) {
      const ray = camera.rayAt(xPx, yPx);
      const hit = current()?.pick(ray) ?? null;
      const pixelRad = 1 / pixelsPerRad(camera.camera, heightPx());
      let best = hit?.distanceM ?? Infinity;
      let met: ScenePicker | null = null;
      for (const picker of pickers) {
        const distanceM = picker.meet(ray, pixelRad);
        if (distanceM === null || distanceM >= best) continue;
        best = distanceM;
        met = picker;
      }
      if (met !== null) return { picker: met };
      return hit === null ? null : { hit };
    },
    groundAt: (placeM) => current()?.groundAt(placeM) ?? 0,
    pixelM: (distanceM) => distanceM / pixelsPerRad(camera.camera, size.heightPx),
    setMarks(selected, hovered) {
      for (const id of marked) current()?.mark(id, 0);
      if (hovered !== null) current()?.mark(hovered, 0.35);
      for (const id of selected) current()?.mark(id, 0.45);
      marked = hovered === null ? [...selected] : [...selected, hovered];
      frames.invalidate();
    },
    poseOf(instanceId) {
      const content = current();
      const row = content?.rowOf(instanceId) ?? -1;
      if (content === null || row < 0) return null;
      const { positionM, rotation, scale } = content.table;
      return {
        positionM: [...positionM.subarray(3 * row, 3 * row + 3)] as [number, number, number],
        rotation: [...rotation.subarray(4 * row, 4 * row + 4)] as GizmoPose['rotation'],
        scale: scale[row] ?? 1,
      };
    },
    moveInstance(instanceId, pose) {
      const content = current();
      const row = content?.rowOf(instanceId) ?? -1;
      if (content === null || row < 0) return;
      movePose(content.table, row, pose);
      content.instanced.rewrite(row);
      frames.rechoose();
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
      grid.object.visible = shown.grid && current() !== null;
      updateLabels();
    },
    setTheme(theme, colours) {
      const light = sceneLight(theme);
      sky.setLight(light);
      materials.setLight(light);
      materials.setMarkColour(new Color(colours.accent));
      measureMarks.setColour(new Color(colours.measure));
      grid.setColour(new Color(colours.grid));
      frames.invalidate();
    },
    setFullDetail: frames.setFullDetail,
    frame(instanceIds = []) {
      const content = current();
      if (content === null) return;
      const box = new Box3();
      for (const id of instanceIds) {
        const row = content.rowOf(id);
        if (row >= 0) box.union(boxOfRow(content.table, row));
      }
      camera.frame(box.isEmpty() ? content.contentM : box);
    },
    bringIntoSight(placeM, radiusM) {
      if (seenSpace(camera.camera).containsPoint(placeM)) return;
      camera.frame(
        new Box3().setFromCenterAndSize(placeM, new Vector3(1, 1, 0.2).multiplyScalar(2 * radiusM)),
      );
    },
    resize(widthPx, heightPx, pixelRatio) {
      Object.assign(size, { widthPx, heightPx });
      renderer.setPixelRatio(pixelRatio);
      renderer.setSize(widthPx, heightPx, false);
      camera.resize(widthPx, heightPx);
      frames.rechoose();
      // Why at once: the new size emptied the picture, and a frame later that would flash.
      frames.draw();
    },
    figures: () => ({
      triangles: renderer.info.render.triangles,
      calls: renderer.info.render.calls,
      instances: frames.drawn(),
      sceneTriangles: current()?.contents.summary.instancedTriangles ?? 0,
      isSettled: frames.isIdle() && !stage.isWaiting(),
    }),
    onFrame: (listener) => void frameListeners.push(listener),
    onScene: (listener) => void sceneListeners.push(listener),
    dispose() {
      for (const part of [frames, stage, sky, grid, measureMarks, materials, gizmo, camera])
        part.dispose();
      renderer.dispose();
    },
  };

  function current(): ReturnType<typeof stage.current> {
    return stage.current();
  }

  /** Of the picture, in pixels of the screen. */
  function heightPx(): number {
    return size.heightPx * renderer.getPixelRatio();
  }

  function draw(): void {
    const content = current();
    if (content !== null) {
      // Within a scene the haze begins at the eye, from far outside where the scene begins.
      const diagonalM = content.boxM.getSize(new Vector3()).length();
      const beginsM = content.boxM.distanceToPoint(camera.camera.position);
      materials.setHaze(beginsM, Math.max(1.5 * diagonalM, 160));
    }
    renderer.render(scene, camera.camera);
    labelLayer.place(camera.camera, size.widthPx, size.heightPx);
  }

  function updateLabels(): void {
    const gridTexts = shown.grid && current() !== null ? grid.labels() : [];
    labelLayer.show([...measures, ...(shown.labels ? names : []), ...gridTexts]);
    frames.invalidate();
  }

  function tell(listeners: readonly (() => void)[]): void {
    for (const listener of listeners) listener();
  }
}
