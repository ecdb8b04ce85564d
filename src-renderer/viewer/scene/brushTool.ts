// A round brush on the ground: a circle under the pointer, and the stroke while it is drawn, which is reported at its end.
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import type { Stroke } from '#renderer/logic/sceneEdit/areaBrush.ts';
import { circleAbout } from '#renderer/logic/sceneEdit/shapeEdits.ts';
import { listenFirst } from './listenFirst.ts';
import { createShapeMarks, type ShapeColours } from './shapeMarks.ts';
import type { ShapeView } from './shapeTool.ts';

export interface Brush {
  radiusM: number;
  tone: 'area' | 'clear';
  onStroke: (stroke: Stroke) => void;
}

export interface BrushTool {
  /** Null: the pointer is not for painting. */
  set: (brush: Brush | null) => void;
  setColours: (colours: ShapeColours) => void;
}

/** Share of the radius between the circles of a stroke. */
const stepShare = 0.5;
const liftM = 0.08;

/** Listens on the canvas of a view until it is disposed. */
export function createBrushTool(view: ShapeView): BrushTool & {
  readonly object: ReturnType<typeof createShapeMarks>['object'];
  dispose: () => void;
} {
  const marks = createShapeMarks();
  let brush: Brush | null = null;
  let pointerM: PlaceM | null = null;
  let strokeM: PlaceM[] | null = null;
  const pointer = listenFirst(view, { begin, hover: follow, drag, end, cancel });
  return {
    object: marks.object,
    set(next) {
      if (next === null) pointer.cancel();
      if ((next === null) !== (brush === null)) view.canvas.style.cursor = next ? 'crosshair' : '';
      brush = next;
      draw();
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
    const { radiusM = 1, tone = 'area' } = brush ?? {};
    const middles = [...(strokeM ?? []), ...(pointerM === null ? [] : [pointerM])];
    const circles = brush === null ? [] : middles.map((place) => circleAbout(place, radiusM));
    marks.show(circles.map((path) => ({ tone, pathM: path.map(onGround), points: [] })));
    view.invalidate();
  }

  function onGround(placeM: PlaceM): PointM {
    return [...placeM, view.groundAt(placeM) + liftM];
  }

  function begin(): boolean {
    if (brush === null || pointerM === null) return false;
    strokeM = [pointerM];
    draw();
    return true;
  }

  function follow({ offsetX, offsetY, buttons }: PointerEvent): void {
    if (brush === null || (buttons !== 0 && strokeM === null)) return;
    const at = view.groundUnder(offsetX, offsetY);
    pointerM = at === null ? null : [at[0], at[1]];
    draw();
  }

  function drag(event: PointerEvent): void {
    follow(event);
    const last = strokeM?.at(-1);
    if (brush === null || pointerM === null || last === undefined) return;
    const awayM = Math.hypot(pointerM[0] - last[0], pointerM[1] - last[1]);
    if (awayM >= stepShare * brush.radiusM) strokeM?.push(pointerM);
  }

  function end(): void {
    const pathM = strokeM ?? [];
    cancel();
    brush?.onStroke({ pathM, radiusM: brush.radiusM });
  }

  function cancel(): void {
    strokeM = null;
    draw();
  }
}
