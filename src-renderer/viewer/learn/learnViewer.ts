// A log on the left and, with the same camera, a learned model or what it returns for the log's beams on the right. What
// comes in is plain data, relative to one origin.
import { Box3, Color, Group, Vector3 } from 'three';
import { nearestPoint } from '#renderer/logic/cloud/nearestPoint.ts';
import {
  placeOnModel,
  type ClickRay,
  type DrawnParts,
} from '#renderer/logic/learn/modelPicking.ts';
import type { ModelTables } from '#renderer/logic/learn/modelTables.ts';
import type { CameraOptions } from '../engine/camera/cameraController.ts';
import { pixelsPerRad } from '../engine/camera/viewSpace.ts';
import { createGroundGrid } from '../engine/groundGrid.ts';
import { createColouredCloud, type ColouredCloud } from '../engine/points/colouredCloud.ts';
import { createViewport, type Viewport } from '../engine/viewport.ts';
import { createEllipsoids } from './ellipsoids.ts';
import { createLearnedPoints, createLearnedSurface } from './learnedSurface.ts';
import { createLookUniforms, type LearnedLook } from './learnedLook.ts';
import { createPlaceMark } from './placeMark.ts';

export type PlaceM = readonly [number, number, number];
export type RightSide = 'model' | 'sample';

export interface LearnViewerColours {
  background: string;
  grid: string;
  place: string;
}

export interface LearnViewer {
  /** x y z after one another; RGB bytes, a point each. */
  showCloud: (positionsM: Float32Array, rgb: Uint8Array) => void;
  showSample: (positionsM: Float32Array, rgb: Uint8Array) => void;
  /** `offsetM`: of the model's origin from that of the view. */
  showModel: (tables: ModelTables, offsetM: PlaceM) => void;
  clearModel: () => void;
  setLook: (look: LearnedLook) => void;
  setRight: (side: RightSide) => void;
  showPlace: (placeM: PlaceM | null) => void;
  /** The place under a click in the page; null: none. */
  placeAt: (clientXPx: number, clientYPx: number) => PlaceM | null;
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
/** A click may be off by so many pixels. */
const clickPx = 7;
/** Share of points that a frame leaves out on each side: a few far returns would make the rest a dot. */
const outliers = 0.02;
const none: Float32Array = new Float32Array(0);

/** Empty at first. dispose() frees the graphics card. */
export function createLearnViewer(
  context: WebGL2RenderingContext,
  canvas: HTMLCanvasElement,
): LearnViewer {
  let cameraMoved = (): void => undefined;
  const view = createViewport(context, canvas, {
    camera,
    columns: 2,
    onCameraMoved: () => cameraMoved(),
  });
  const look = createLookUniforms();
  const cloud = createColouredCloud(pointScale);
  const sample = createColouredCloud(pointScale);
  const placed = new Group();
  const ellipsoids = createEllipsoids(look);
  const surface = createLearnedSurface(look);
  const points = createLearnedPoints(look);
  placed.add(ellipsoids.object, surface.object, points.object);
  const grids = view.scenes.map(() => createGroundGrid({ liftM: -0.02, opacity: 1 }));
  const marks = view.scenes.map(() => createPlaceMark());
  const [left, right = left] = view.scenes;
  left?.add(cloud.object);
  right?.add(placed, sample.object);
  for (const [side, scene] of view.scenes.entries()) {
    for (const part of [grids[side], marks[side]]) if (part !== undefined) scene.add(part.object);
  }
  const shown = { cloudM: none, sampleM: none, modelM: none, side: 'model' as RightSide };
  let model: { tables: ModelTables; offsetM: PlaceM } | null = null;
  let drawn: DrawnParts = { maxPermeability: 1, minSupport: 0, sigmas: 1 };
  applySide();

  return {
    showCloud: shows((positionsM: Float32Array, rgb: Uint8Array) => {
      fill(cloud, positionsM, rgb);
      shown.cloudM = positionsM;
      fitGrid();
    }),
    showSample: shows((positionsM: Float32Array, rgb: Uint8Array) => {
      fill(sample, positionsM, rgb);
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
    setRight: shows((side: RightSide) => {
      shown.side = side;
      applySide();
    }),
    showPlace: shows((placeM: PlaceM | null) => {
      for (const mark of marks) mark.show(placeM);
    }),
    placeAt,
    eyeM: () => view.camera.camera.position.toArray(),
    onCameraMoved(listener) {
      cameraMoved = listener;
    },
    frame: () => view.camera.frame(boxOf(shown.cloudM.length > 0 ? shown.cloudM : shown.modelM)),
    keyDown: view.camera.keyDown,
    keyUp: view.camera.keyUp,
    setColours: shows((colours: LearnViewerColours) => {
      for (const scene of view.scenes) scene.background = new Color(colours.background);
      for (const grid of grids) grid.setColour(colours.grid);
      for (const mark of marks) mark.setColour(colours.place);
    }),
    resize: view.resize,
    dispose() {
      const parts = [cloud, sample, ellipsoids, surface, points, ...grids, ...marks, look, view];
      for (const part of parts) part.dispose();
    },
  };

  /** Wraps a change of the view, after which a frame is drawn. */
  function shows<A extends unknown[]>(change: (...values: A) => void): (...values: A) => void {
    return (...values) => {
      change(...values);
      view.invalidate();
    };
  }

  function applySide(): void {
    placed.visible = shown.side === 'model';
    sample.object.visible = shown.side === 'sample';
  }

  function placeAt(clientXPx: number, clientYPx: number): PlaceM | null {
    const { isRight, ray } = clickRay(view, canvas, clientXPx, clientYPx);
    if (isRight && shown.side === 'model') return placeOfModel(model, ray, drawn);
    const places = isRight ? shown.sampleM : shown.cloudM;
    const found = nearestPoint(places, ray.originM, ray.direction, ray.angleRad);
    if (found === null) return null;
    const [x = 0, y = 0, z = 0] = places.subarray(3 * found.row, 3 * found.row + 3);
    return [x, y, z];
  }

  function fitGrid(): void {
    const box = boxOf(shown.cloudM.length > 0 ? shown.cloudM : shown.modelM);
    if (box.isEmpty()) return;
    const { min, max } = box;
    for (const grid of grids) grid.fit([min.x, min.y], [max.x, max.y], min.z);
  }
}

/** The ray through a place of the page, and the half that it is in. */
function clickRay(
  view: Viewport,
  canvas: HTMLCanvasElement,
  clientXPx: number,
  clientYPx: number,
): { isRight: boolean; ray: ClickRay } {
  const { left: fromX, top: fromY, width, height } = canvas.getBoundingClientRect();
  const { widthPx, heightPx } = view.size();
  // Why by shares: a page that is zoomed measures its pixels in another unit than the view.
  const xShare = (clientXPx - fromX) / width;
  const yPx = ((clientYPx - fromY) / height) * heightPx;
  const isRight = xShare >= 0.5;
  const xPx = (xShare - (isRight ? 0.5 : 0)) * widthPx;
  const { origin, direction } = view.camera.rayAt(xPx, yPx);
  const angleRad = clickPx / pixelsPerRad(view.camera.camera, heightPx);
  return { isRight, ray: { originM: origin.toArray(), direction: direction.toArray(), angleRad } };
}

function placeOfModel(
  model: { tables: ModelTables; offsetM: PlaceM } | null,
  ray: ClickRay,
  drawn: DrawnParts,
): PlaceM | null {
  if (model === null) return null;
  const [x, y, z] = model.offsetM;
  const [fromX, fromY, fromZ] = ray.originM;
  const inModel = { ...ray, originM: [fromX - x, fromY - y, fromZ - z] as const };
  const found = placeOnModel(model.tables, inModel, drawn);
  return found === null ? null : [found[0] + x, found[1] + y, found[2] + z];
}

function fill(cloud: ColouredCloud, positionsM: Float32Array, rgb: Uint8Array): void {
  cloud.setPositions(positionsM);
  cloud.setColours(rgb);
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
