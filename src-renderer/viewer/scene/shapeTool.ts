// Shapes on the ground under the pointer: points, gaps between them and lines are dragged over the ground that is drawn,
// before anything else gets the pointer. A change is drawn at once, and reported when it is released.
import { type PerspectiveCamera, Vector3 } from 'three';
import type { GroundShape, PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import {
  changedPoints,
  gapsOf,
  outlineOf,
  type ShapeChange,
} from '#renderer/logic/sceneEdit/shapeEdits.ts';
import {
  createShapeMarks,
  type DrawnPoint,
  type DrawnShape,
  type ShapeColours,
} from './shapeMarks.ts';

type PointM = readonly [number, number, number];

/** `isActive`: it has handles; others are lines alone. */
export interface ShownShape {
  shape: GroundShape;
  isActive: boolean;
}

/** A point of a shape, by its key and index. */
export interface ShapePoint {
  key: string;
  index: number;
}

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
export interface ShapeView {
  canvas: HTMLCanvasElement;
  camera: () => PerspectiveCamera;
  sizePx: () => { widthPx: number; heightPx: number };
  groundAt: (placeM: PlaceM) => number;
  /** The ground that a pixel shows; null: the sky. */
  groundUnder: (xPx: number, yPx: number) => PointM | null;
  /** Something else has the pointer. */
  isBusy: () => boolean;
  setCameraEnabled: (isEnabled: boolean) => void;
  invalidate: () => void;
}

type Target = { shape: GroundShape } & (
  { kind: 'point'; index: number } | { kind: 'gap'; index: number } | { kind: 'line' }
);

interface Drag {
  target: Target;
  fromM: PlaceM;
  downPx: readonly [number, number];
  /** Null: it has not moved yet. */
  change: ShapeChange | null;
}

const reachPx = { point: 12, gap: 9, line: 6 };
const clickPx = 3;
/** Above the ground, so that lines are not half in it. */
const liftM = 0.06;

/** Listens on the canvas of a view until it is disposed. */
export function createShapeTool(view: ShapeView): ShapeTool & {
  readonly object: ReturnType<typeof createShapeMarks>['object'];
  refresh: () => void;
  dispose: () => void;
} {
  const marks = createShapeMarks();
  let shapes: readonly ShownShape[] = [];
  let held: ShapePoint | null = null;
  let hovered: Target | null = null;
  let isEnabled = true;
  let events: ShapeToolEvents | null = null;
  let drag: Drag | null = null;
  /** By the shape: lines are on the ground that was there when they were made. */
  let drawn = new WeakMap<GroundShape, PointM[]>();
  const listeners = { pointerdown: onDown, pointermove: onMove, pointerup: onUp };
  for (const [name, listener] of Object.entries(listeners)) {
    // Why captured: the camera and what selects by clicks listen on the canvas, too.
    view.canvas.addEventListener(name, listener as EventListener, { capture: true });
  }
  view.canvas.addEventListener('pointercancel', cancel);
  // Why on the window and captured: Escape ends the drag alone, wherever the focus is.
  addEventListener('keydown', onKey, { capture: true });

  return {
    object: marks.object,
    show(next, nextHeld) {
      [shapes, held] = [next, nextHeld];
      hovered = null;
      draw();
    },
    refresh() {
      drawn = new WeakMap();
      draw();
    },
    setEvents: (next) => void (events = next),
    setEnabled(next) {
      isEnabled = next;
      if (!next) cancel();
    },
    setColours(colours) {
      marks.setColours(colours);
      view.invalidate();
    },
    dispose() {
      for (const [name, listener] of Object.entries(listeners)) {
        view.canvas.removeEventListener(name, listener as EventListener, { capture: true });
      }
      view.canvas.removeEventListener('pointercancel', cancel);
      removeEventListener('keydown', onKey, { capture: true });
      marks.dispose();
    },
  };

  function draw(): void {
    marks.show(shapes.map(drawnShape));
    view.invalidate();
  }

  function drawnShape({ shape, isActive }: ShownShape): DrawnShape {
    const { change, target } = drag ?? {};
    const isDragged = target?.shape.key === shape.key && change !== undefined && change !== null;
    const now = isDragged ? { ...shape, pointsM: changedPoints(shape, change) } : shape;
    const pathM = drawn.get(now) ?? outlineOf(now).map(onGround);
    drawn.set(now, pathM);
    if (!isActive) return { tone: shape.tone, pathM, points: [] };
    const point = (kind: 'point' | 'gap', placeM: PlaceM, index: number): DrawnPoint => {
      const over = drag?.target ?? hovered;
      const isUnder =
        over?.shape.key === shape.key &&
        over.kind !== 'line' &&
        (over.kind === kind || isDragged) &&
        over.index === index;
      const isHeld = kind === 'point' && held?.key === shape.key && held.index === index;
      return { positionM: onGround(placeM), kind, isHeld: isUnder || isHeld };
    };
    const points = [
      ...(isDragged ? [] : gapsOf(now).map(({ index, atM }) => point('gap', atM, index))),
      ...now.pointsM.map((placeM, index) => point('point', placeM, index)),
    ];
    return { tone: shape.tone, pathM, points };
  }

  function onGround(placeM: PlaceM): PointM {
    return [...placeM, view.groundAt(placeM) + liftM];
  }

  function onDown(event: PointerEvent): void {
    if (event.button !== 0 || !isEnabled || view.isBusy()) return;
    const target = targetAt(event);
    const at = view.groundUnder(event.offsetX, event.offsetY);
    if (target === null || at === null) {
      if (held !== null) events?.held(null);
      return;
    }
    event.stopImmediatePropagation();
    view.canvas.focus({ preventScroll: true });
    view.canvas.setPointerCapture(event.pointerId);
    view.setCameraEnabled(false);
    drag = {
      target,
      fromM: [at[0], at[1]],
      downPx: [event.offsetX, event.offsetY],
      change: null,
    };
    draw();
  }

  function onMove(event: PointerEvent): void {
    if (drag === null) {
      hover(event);
      return;
    }
    event.stopImmediatePropagation();
    const [xPx, yPx] = drag.downPx;
    const hasMoved = Math.hypot(event.offsetX - xPx, event.offsetY - yPx) > clickPx;
    const at = view.groundUnder(event.offsetX, event.offsetY);
    if (at === null || (drag.change === null && !hasMoved)) return;
    drag.change = changeOf(drag, [at[0], at[1]]);
    draw();
  }

  function onUp(event: PointerEvent): void {
    if (drag === null) return;
    event.stopImmediatePropagation();
    const { target, change } = drag;
    const isActive = shapes.some((one) => one.isActive && one.shape.key === target.shape.key);
    view.canvas.releasePointerCapture(event.pointerId);
    end();
    if (!isActive) events?.picked(target.shape);
    else if (target.kind !== 'line') events?.held({ key: target.shape.key, index: target.index });
    if (isActive && change !== null) {
      // Why drawn so: until the document is read back, it would jump back.
      const now = { ...target.shape, pointsM: changedPoints(target.shape, change) };
      shapes = shapes.map((one) =>
        one.shape.key === target.shape.key ? { ...one, shape: now } : one,
      );
      events?.changed(target.shape, change);
    }
    draw();
  }

  function onKey(event: KeyboardEvent): void {
    if (drag === null || event.key !== 'Escape') return;
    event.stopImmediatePropagation();
    cancel();
  }

  function cancel(): void {
    if (drag === null) return;
    end();
    draw();
  }

  function end(): void {
    drag = null;
    hovered = null;
    view.canvas.style.cursor = '';
    view.setCameraEnabled(true);
  }

  function hover(event: PointerEvent): void {
    if (event.buttons !== 0 || shapes.length === 0) return;
    const next = isEnabled && !view.isBusy() ? targetAt(event) : null;
    if (next !== null) {
      // Why: what is below a handle is neither lit up nor asked for the shape of the pointer.
      event.stopImmediatePropagation();
      view.canvas.style.cursor = next.kind === 'line' ? 'move' : 'pointer';
    } else if (hovered !== null) view.canvas.style.cursor = '';
    if (isSame(next, hovered)) return;
    hovered = next;
    draw();
  }

  /** Points before gaps before lines; the nearest of each. Lines of shapes without handles, too. */
  function targetAt({ offsetX, offsetY }: PointerEvent): Target | null {
    const active = shapes.filter((one) => one.isActive).map(({ shape }) => shape);
    const awayPx = (at: PointM): number => distancePx(at, offsetX, offsetY);
    const points = active.flatMap((shape) =>
      shape.pointsM.map((place, index) => ({
        target: { kind: 'point' as const, shape, index },
        awayPx: awayPx(onGround(place)),
      })),
    );
    const gaps = active.flatMap((shape) =>
      gapsOf(shape).map(({ atM, index }) => ({
        target: { kind: 'gap' as const, shape, index },
        awayPx: awayPx(onGround(atM)),
      })),
    );
    const lines = shapes.map(({ shape }) => ({
      target: { kind: 'line' as const, shape },
      awayPx: lineDistancePx(drawn.get(shape) ?? [], offsetX, offsetY),
    }));
    return (
      nearest(points, reachPx.point) ?? nearest(gaps, reachPx.gap) ?? nearest(lines, reachPx.line)
    );
  }

  function distancePx(positionM: PointM, xPx: number, yPx: number): number {
    const at = screenOf(positionM);
    return at === null ? Infinity : Math.hypot(at[0] - xPx, at[1] - yPx);
  }

  function lineDistancePx(path: readonly PointM[], xPx: number, yPx: number): number {
    const onScreen = path.map(screenOf);
    let awayPx = Infinity;
    for (const [index, to] of onScreen.entries()) {
      const from = onScreen[index - 1] ?? null;
      if (from === null || to === null) continue;
      awayPx = Math.min(awayPx, segmentDistance(from, to, [xPx, yPx]));
    }
    return awayPx;
  }

  /** CSS pixels; null: behind the camera. */
  function screenOf(positionM: PointM): readonly [number, number] | null {
    const { x, y, z } = new Vector3(...positionM).project(view.camera());
    const { widthPx, heightPx } = view.sizePx();
    return z >= 1 ? null : [((x + 1) / 2) * widthPx, ((1 - y) / 2) * heightPx];
  }
}

/** What a drag to a place of the ground makes of its shape. */
function changeOf({ target, fromM }: Drag, toM: PlaceM): ShapeChange {
  const byM: PlaceM = [toM[0] - fromM[0], toM[1] - fromM[1]];
  const { shape } = target;
  if (target.kind === 'gap') return { kind: 'insert', index: target.index, atM: toM };
  if (target.kind === 'line') {
    return shape.layout.kind === 'circle'
      ? { kind: 'point', index: 1, toM }
      : { kind: 'move', byM };
  }
  const [x, y] = shape.pointsM[target.index] ?? toM;
  return { kind: 'point', index: target.index, toM: [x + byM[0], y + byM[1]] };
}

function nearest(
  found: readonly { target: Target; awayPx: number }[],
  withinPx: number,
): Target | null {
  let best: { target: Target; awayPx: number } | null = null;
  for (const one of found) {
    if (one.awayPx <= withinPx && (best === null || one.awayPx < best.awayPx)) best = one;
  }
  return best?.target ?? null;
}

function isSame(one: Target | null, other: Target | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind !== other.kind || one.shape.key !== other.shape.key) return false;
  return one.kind === 'line' || other.kind === 'line' || one.index === other.index;
}

type PlacePx = readonly [number, number];

function segmentDistance([ax, ay]: PlacePx, [bx, by]: PlacePx, [x, y]: PlacePx): number {
  const [dx, dy] = [bx - ax, by - ay];
  const squared = dx * dx + dy * dy;
  const share = squared > 0 ? ((x - ax) * dx + (y - ay) * dy) / squared : 0;
  const within = Math.min(Math.max(share, 0), 1);
  return Math.hypot(ax + within * dx - x, ay + within * dy - y);
}
