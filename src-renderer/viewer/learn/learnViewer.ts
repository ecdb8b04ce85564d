// A log on the left and, with the same camera, a learned model or what it returns for the log's beams on the right; the
// log alone where no model is chosen. Its input is plain data, relative to one origin.
import { Box3, Color, Group, type Ray, Vector3 } from 'three';
import { cloudBounds } from '#renderer/logic/cloud/cloudBounds.ts';
import { valuesOf, type PointValues } from '#renderer/logic/cloud/cloudTable.ts';
import { placeOnModel, type DrawnParts } from '#renderer/logic/learn/modelPicking.ts';
import type { ModelTables } from '#renderer/logic/learn/modelTables.ts';
import type { CameraOptions } from '../engine/camera/cameraController.ts';
import type { ClipTool, ViewPixel } from '../engine/clip/clipTool.ts';
import { createViewClip, type ViewClip } from '../engine/clip/clipUniforms.ts';
import { createGroundGrid } from '../engine/groundGrid.ts';
import { clickedPoint, clickedRow, clickRad } from '../engine/points/clickedPoint.ts';
import { createColouredCloud } from '../engine/points/colouredCloud.ts';
import { createViewport, drawnAfter, type Viewport } from '../engine/viewport.ts';
import { createEllipsoids } from './ellipsoids.ts';
import { createLearnedPoints, createLearnedSurface } from './learnedSurface.ts';
import { createLookUniforms, type LearnedLook } from './learnedLook.ts';
import { createLogCloud, type LogCloud, type OwnLogCloud } from './logCloud.ts';
import { createPlaceMark } from './placeMark.ts';

export type PlaceM = readonly [number, number, number];
export type RightSide = 'model' | 'sample';

/** `values`: null where it is none of the log. */
export interface PickedPoint {
  placeM: PlaceM;
  values: PointValues | null;
}

export interface LearnViewerColours {
  background: string;
  grid: string;
  place: string;
  clip: string;
}

export interface LearnViewer {
  readonly log: LogCloud;
  /** Mean time of a frame while the view changes, where it is drawn coarser for it; null: it is not. */
  slowFrameMs: () => number | null;
  /** x y z after one another; RGB bytes, a point each. */
  showSample: (positionsM: Float32Array, rgb: Uint8Array) => void;
  /** `offsetM`: of the model's origin from that of the view. */
  showModel: (tables: ModelTables, offsetM: PlaceM) => void;
  clearModel: () => void;
  setLook: (look: LearnedLook) => void;
  /** Null: there is no right half. All is framed again when it comes or goes. */
  setRight: (side: RightSide | null) => void;
  showPlace: (placeM: PlaceM | null) => void;
  /** The place under a click in the page, and what the log has of its point; null: none. */
  pointAt: (clientXPx: number, clientYPx: number) => PickedPoint | null;
  readonly clip: ClipTool | null;
  eyeM: () => PlaceM;
  onCameraMoved: (listener: () => void) => void;
  /** All of the log, or of the model without one. */
  frame: () => void;
  keyDown: (event: KeyboardEvent) => boolean;
  keyUp: (event: KeyboardEvent) => void;
  setColours: (colours: LearnViewerColours) => void;
  resize: (widthPx: number, heightPx: number, pixelRatio: number) => void;
  dispose: () => void;
}

const camera: CameraOptions = {
  positionM: [-30, -30, 25],
  minDistanceM: 0.1,
  maxDistanceM: 5000,
  maxPolarRad: 0.51 * Math.PI,
  tilt: [-0.45, -0.6, 0.66],
  isEased: true,
};
const pointScale = 0.8;
/** Share of points that a frame leaves out on each side: a few far returns would make the rest a dot. */
const outliers = 0.02;
const none: Float32Array = new Float32Array(0);

/** Empty at first. dispose() frees the graphics card. */
export function createLearnViewer(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
): LearnViewer {
  let cameraMoved = (): void => undefined;
  const clip = createViewClip();
  const log = createLogCloud(clip, pointScale, () => view, fitGrid);
  const view: Viewport = createViewport(context, canvas, {
    camera,
    columns: 2,
    detail: log.detail,
    clip: {
      clip,
      boundsM: () => cloudBounds([framedM()]),
      placeAt: (pixel, ray) => pointAt(pixel, ray)?.placeM ?? null,
    },
    onCameraMoved: () => cameraMoved(),
  });
  const shows = drawnAfter(view);
  const look = createLookUniforms(clip);
  const sample = createColouredCloud({ clip, scale: pointScale });
  const placed = new Group();
  const ellipsoids = createEllipsoids(look);
  const surface = createLearnedSurface(look);
  const points = createLearnedPoints(look);
  placed.add(ellipsoids.object, surface.object, points.object);
  const grids = view.scenes.map(() => createGroundGrid({ liftM: -0.02, opacity: 1 }));
  const marks = view.scenes.map(() => createPlaceMark());
  view.points.add(log.object);
  view.scenes[1]?.add(placed, sample.object);
  for (const [side, scene] of view.scenes.entries()) {
    for (const part of [grids[side], marks[side]]) if (part !== undefined) scene.add(part.object);
  }
  const shown = { sampleM: none, modelM: none, side: 'model' as RightSide | null };
  let model: { tables: ModelTables; offsetM: PlaceM } | null = null;
  let drawn: DrawnParts = { maxPermeability: 1, minSupport: 0, sigmas: 1 };
  applySide();

  return {
    log,
    slowFrameMs: view.slowFrameMs,
    showSample: shows((positionsM: Float32Array, rgb: Uint8Array) => {
      sample.setPositions(positionsM);
      sample.setColours(rgb);
      shown.sampleM = positionsM;
    }),
    showModel: shows((tables: ModelTables, offsetM: PlaceM) => {
      ellipsoids.show(tables.elements);
      surface.show(tables.triangles);
      points.show(tables.points);
      placed.position.set(...offsetM);
      look.setHeightOffset(offsetM[2]);
      shown.modelM = placesOf(tables, offsetM);
      model = { tables, offsetM };
      fitGrid();
    }),
    clearModel: shows(() => {
      for (const part of [ellipsoids, surface, points]) part.object.visible = false;
      shown.modelM = none;
      model = null;
    }),
    setLook: shows((next: LearnedLook) => {
      look.set(next);
      drawn = next;
    }),
    setRight: shows((side: RightSide | null) => {
      const isSplit = (side === null) !== (shown.side === null);
      shown.side = side;
      view.setColumns(side === null ? 1 : 2);
      if (isSplit) frameOn(view, framedM());
      applySide();
    }),
    showPlace: shows((placeM: PlaceM | null) => {
      for (const mark of marks) mark.show(placeM);
    }),
    clip: view.clip,
    pointAt(clientXPx, clientYPx) {
      const pixel = view.pixelAt(clientXPx, clientYPx);
      return pointAt(pixel, view.camera.rayAt(pixel.xPx, pixel.yPx));
    },
    eyeM: () => view.camera.camera.position.toArray(),
    onCameraMoved(listener) {
      cameraMoved = listener;
    },
    frame: () => frameOn(view, framedM()),
    keyDown: view.camera.keyDown,
    keyUp: view.camera.keyUp,
    setColours: shows((colours: LearnViewerColours) => {
      for (const scene of view.scenes) scene.background = new Color(colours.background);
      view.clip?.setColour(colours.clip);
      for (const grid of grids) grid.setColour(colours.grid);
      for (const mark of marks) mark.setColour(colours.place);
    }),
    resize: view.resize,
    dispose() {
      const parts = [log, sample, ellipsoids, surface, points, ...grids, ...marks, look, view];
      for (const part of parts) part.dispose();
    },
  };

  function applySide(): void {
    placed.visible = shown.side === 'model';
    sample.object.visible = shown.side === 'sample';
  }

  /** The log, or the model without one. */
  function framedM(): Float32Array {
    return log.sampleM().length > 0 ? log.sampleM() : shown.modelM;
  }

  function pointAt({ column }: ViewPixel, ray: Ray): PickedPoint | null {
    if (column === 0) return pointOfLog(log, view, clip, ray);
    const placeM =
      shown.side === 'model'
        ? placeOfModel(model, ray, { angleRad: clickRad(view), drawn, clip })
        : clickedPoint(view, [shown.sampleM], clip, ray);
    return placeM === null ? null : { placeM, values: null };
  }

  function fitGrid(): void {
    const box = boxOf(framedM());
    if (box.isEmpty()) return;
    const { min, max } = box;
    for (const grid of grids) grid.fit([min.x, min.y], [max.x, max.y], min.z);
  }
}

function frameOn({ camera: { frame } }: Viewport, positionsM: Float32Array): void {
  const box = boxOf(positionsM);
  if (!box.isEmpty()) frame(box);
}

function pointOfLog(
  log: OwnLogCloud,
  view: Viewport,
  clip: ViewClip,
  ray: Ray,
): PickedPoint | null {
  const tables = log.drawnTables();
  const positionsM = tables.map((table) => table.positionsM);
  const found = clickedRow(view, positionsM, clip, ray);
  const table = tables[found?.cloud ?? 0];
  if (found === null || table === undefined) return null;
  return { placeM: found.placeM, values: valuesOf(table, found.row) };
}

function placeOfModel(
  model: { tables: ModelTables; offsetM: PlaceM } | null,
  ray: Ray,
  { angleRad, drawn, clip }: { angleRad: number; drawn: DrawnParts; clip: ViewClip },
): PlaceM | null {
  const enterM = clip.enterM(ray);
  if (model === null || enterM === null) return null;
  const offset = new Vector3(...model.offsetM);
  const inModel = {
    originM: ray.at(enterM, new Vector3()).sub(offset).toArray(),
    direction: ray.direction.toArray(),
    angleRad,
  };
  const found = placeOnModel(model.tables, inModel, drawn);
  if (found === null) return null;
  const placeM = new Vector3(...found).add(offset).toArray();
  return clip.isInside(...placeM) ? placeM : null;
}

/** Where a model is: means of elements, centres of triangles, points. */
function placesOf({ elements, triangles, points }: ModelTables, offsetM: PlaceM): Float32Array {
  const corners = triangles.cornersM.length / 9;
  const places = new Float32Array(elements.meansM.length + points.positionsM.length + 3 * corners);
  places.set(elements.meansM, 0);
  places.set(points.positionsM, elements.meansM.length);
  let at = elements.meansM.length + points.positionsM.length;
  for (let row = 0; row < corners; row += 1) {
    for (let axis = 0; axis < 3; axis += 1) {
      const sum = [0, 3, 6].reduce(
        (all, of) => all + (triangles.cornersM[9 * row + of + axis] ?? 0),
        0,
      );
      places[at] = sum / 3;
      at += 1;
    }
  }
  for (let index = 0; index < places.length; index += 1) {
    places[index] = (places[index] ?? 0) + (offsetM[index % 3] ?? 0);
  }
  return places;
}

/** Box of most points, from a sample of each axis. */
function boxOf(positionsM: Float32Array): Box3 {
  const box = new Box3();
  const rows = positionsM.length / 3;
  const step = Math.max(1, Math.floor(rows / 5000));
  const axes = [0, 1, 2].map((axis) => {
    const values: number[] = [];
    for (let row = 0; row < rows; row += step) values.push(positionsM[3 * row + axis] ?? 0);
    return values.sort((a, b) => a - b);
  });
  if (rows === 0) return box;
  const at = (share: number): Vector3 =>
    new Vector3(...axes.map((values) => values[Math.round(share * (values.length - 1))] ?? 0));
  return box.expandByPoint(at(outliers)).expandByPoint(at(1 - outliers));
}
