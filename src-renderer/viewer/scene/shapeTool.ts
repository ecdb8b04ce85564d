// Shapes on the ground under the pointer: points, gaps between them and lines are dragged over the ground that is drawn,
// before anything else gets the pointer. A change is drawn at once, and reported when it is released.
import type { PerspectiveCamera } from 'three';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { GroundShape, PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import {
  changedPoints,
  outlineOf,
  type ShapeChange,
} from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { pixelOf } from '../engine/camera/viewSpace.ts';
import { listenFirst, type PointedView } from './listenFirst.ts';
import { createShapeMarks, drawnShape, type ShapeColours, type ShapePoint } from './shapeMarks.ts';
import {
  changeByDrag,
  isSameTarget,
  shapeTargetAt,
  type SeenShapes,
  type ShapeTarget,
  type ShownShape,
} from './shapeTargets.ts';

export interface ShapeToolEvents {
  changed: (shape: GroundShape, change: ShapeChange) => void;
  /** A point was clicked, or is dragged; null: none is selected any more. */
  held: (point: ShapePoint | null) => void;
  /** The line of a shape without handles was clicked. */
  picked: (shape: GroundShape) => void;
}

export interface ShapeTool {
  show: (shapes: readonly ShownShape[], held: ShapePoint | null) => void;
  setEvents: (events: ShapeToolEvents) => void;
  /** Off: the pointer goes through. */
  setEnabled: (isEnabled: boolean) => void;
  setColours: (colours: ShapeColours) => void;
}

/** The view of the tool. */
export interface ShapeView extends PointedView {
  camera: () => PerspectiveCamera;
  sizePx: () => { widthPx: number; heightPx: number };
  groundAt: (placeM: PlaceM) => number;
  /** The ground that a pixel shows; null: the sky. */
  groundUnder: (xPx: number, yPx: number) => PointM | null;
  /** Something else has the pointer. */
  isBusy: () => boolean;
  invalidate: () => void;
}

interface Drag {
  target: ShapeTarget;
  fromM: PlaceM;
  downPx: readonly [number, number];
  /** Null: it has not moved yet. */
  change: ShapeChange | null;
}

const clickPx = 3;
/** Above the ground, so that lines are not half in it. */
const liftM = 0.06;

/** Listens on the canvas of a view until it is disposed. */
export function createShapeTool(view: ShapeView): ShapeTool & {
  readonly object: ReturnType<typeof createShapeMarks>['object'];
  /** The ground is another one. */
  refresh: () => void;
  dispose: () => void;
} {
  const marks = createShapeMarks();
  const seen = createSeenShapes(view);
  let shapes: readonly ShownShape[] = [];
  let held: ShapePoint | null = null;
  let hovered: ShapeTarget | null = null;
  let isEnabled = true;
  let events: ShapeToolEvents | null = null;
  let drag: Drag | null = null;
  const isActive = ({ shape }: ShapeTarget): boolean =>
    shapes.some((one) => one.isActive && one.shape.key === shape.key);
  const pointer = listenFirst(view, { begin, hover, drag: dragTo, end, cancel });

  return {
    object: marks.object,
    show(next, nextHeld) {
      [shapes, held, hovered] = [next, nextHeld, null];
      draw();
    },
    refresh() {
      seen.forget();
      draw();
    },
    setEvents: (next) => void (events = next),
    setEnabled(next) {
      isEnabled = next;
      if (!next) pointer.cancel();
    },
    setColours(colours) {
      marks.setColours(colours);
      view.invalidate();
    },
    dispose() {
      pointer.dispose();
      marks.dispose();
    },
  };

  function draw(): void {
    const under = drag?.target ?? hovered;
    const change = drag?.change ?? null;
    marks.show(shapes.map((one) => drawnShape(one, seen, { held, under, change })));
    view.invalidate();
  }

  function begin(event: PointerEvent): boolean {
    if (!isEnabled || view.isBusy()) return false;
    const downPx = [event.offsetX, event.offsetY] as const;
    const target = shapeTargetAt(shapes, seen, downPx);
    const at = view.groundUnder(...downPx);
    if (target === null && held !== null) events?.held(null);
    if (target === null || at === null) return false;
    drag = { target, fromM: [at[0], at[1]], downPx, change: null };
    draw();
    return true;
  }

  function dragTo(event: PointerEvent): void {
    if (drag === null) return;
    const [xPx, yPx] = drag.downPx;
    const hasMoved = Math.hypot(event.offsetX - xPx, event.offsetY - yPx) > clickPx;
    const at = view.groundUnder(event.offsetX, event.offsetY);
    const isStill = drag.change === null && !hasMoved;
    if (at === null || isStill || !isActive(drag.target)) return;
    drag.change = changeByDrag(drag.target, drag.fromM, [at[0], at[1]]);
    draw();
  }

  function end(): void {
    if (drag === null) return;
    const { target, change } = drag;
    const { shape } = target;
    letGo();
    if (!isActive(target)) events?.picked(shape);
    else if (target.kind !== 'line') events?.held({ key: shape.key, index: target.index });
    if (change !== null) {
      // Why drawn so: until the document is read back, it would jump back.
      const now = { ...shape, pointsM: changedPoints(shape, change) };
      shapes = shapes.map((one) => (one.shape.key === shape.key ? { ...one, shape: now } : one));
      events?.changed(shape, change);
    }
    draw();
  }

  function cancel(): void {
    letGo();
    draw();
  }

  function letGo(): void {
    [drag, hovered] = [null, null];
    view.canvas.style.cursor = '';
  }

  function hover(event: PointerEvent): void {
    if (event.buttons !== 0 || shapes.length === 0) return;
    const isFree = isEnabled && !view.isBusy();
    const next = isFree ? shapeTargetAt(shapes, seen, [event.offsetX, event.offsetY]) : null;
    if (next !== null) {
      // Why: what is below a handle is neither lit up nor asked for the shape of the pointer.
      event.stopImmediatePropagation();
      view.canvas.style.cursor = next.kind === 'line' && isActive(next) ? 'move' : 'pointer';
    } else if (hovered !== null) view.canvas.style.cursor = '';
    if (isSameTarget(next, hovered)) return;
    hovered = next;
    draw();
  }
}

/** Lines on the ground that was there when they were seen first. */
function createSeenShapes(view: ShapeView): SeenShapes & { forget: () => void } {
  let paths = new WeakMap<GroundShape, PointM[]>();
  const onGround = (placeM: PlaceM): PointM => [...placeM, view.groundAt(placeM) + liftM];
  return {
    onGround,
    pathOf(shape) {
      const pathM = paths.get(shape) ?? outlineOf(shape).map(onGround);
      paths.set(shape, pathM);
      return pathM;
    },
    screenOf: (positionM) => pixelOf(view.camera(), positionM, view.sizePx()),
    forget: () => void (paths = new WeakMap()),
  };
}
