// The part of a shape on the ground that is at a pixel, and what a drag from there makes of its shape.
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { GroundShape, PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { distanceToSegment } from '#renderer/logic/sceneEdit/polygons.ts';
import { gapsOf, type ShapeChange } from '#renderer/logic/sceneEdit/shapeEdits.ts';

type PlacePx = readonly [number, number];

/** `isActive`: it has handles; others are lines alone. */
export interface ShownShape {
  shape: GroundShape;
  isActive: boolean;
}

/** gap: where a point can be added. */
export type ShapeTarget = { shape: GroundShape } & (
  { kind: 'point'; index: number } | { kind: 'gap'; index: number } | { kind: 'line' }
);

/** How places of shapes are seen. */
export interface SeenShapes {
  onGround: (placeM: PlaceM) => PointM;
  pathOf: (shape: GroundShape) => readonly PointM[];
  /** CSS pixels; null: behind the camera. */
  screenOf: (positionM: PointM) => PlacePx | null;
}

const reachPx = { point: 12, gap: 9, line: 6 };

interface Found {
  target: ShapeTarget;
  awayPx: number;
}

/** Points before gaps before lines; the nearest of each. Lines of shapes without handles, too. */
export function shapeTargetAt(
  shapes: readonly ShownShape[],
  seen: SeenShapes,
  pixel: PlacePx,
): ShapeTarget | null {
  const active = shapes.filter((one) => one.isActive).map(({ shape }) => shape);
  const awayPx = (placeM: PlaceM): number => {
    const at = seen.screenOf(seen.onGround(placeM));
    return at === null ? Infinity : Math.hypot(at[0] - pixel[0], at[1] - pixel[1]);
  };
  const points = active.flatMap((shape) =>
    shape.pointsM.map((place, index): Found => {
      return { target: { kind: 'point', shape, index }, awayPx: awayPx(place) };
    }),
  );
  const gaps = active.flatMap((shape) =>
    gapsOf(shape).map(({ atM, index }): Found => {
      return { target: { kind: 'gap', shape, index }, awayPx: awayPx(atM) };
    }),
  );
  const lines = shapes.map(({ shape }): Found => {
    const path = seen.pathOf(shape).map(seen.screenOf);
    return { target: { kind: 'line', shape }, awayPx: pathDistance(path, pixel) };
  });
  return (
    nearest(points, reachPx.point) ?? nearest(gaps, reachPx.gap) ?? nearest(lines, reachPx.line)
  );
}

/** A drag of a target over the ground, as a change of its shape. */
export function changeByDrag(target: ShapeTarget, fromM: PlaceM, toM: PlaceM): ShapeChange {
  const byM: PlaceM = [toM[0] - fromM[0], toM[1] - fromM[1]];
  const { shape } = target;
  if (target.kind === 'gap') return { kind: 'insert', index: target.index, atM: toM };
  if (target.kind === 'line') {
    const { kind } = shape.layout;
    const edge = kind === 'side' ? 0 : kind === 'circle' || kind === 'heading' ? 1 : null;
    return edge === null ? { kind: 'move', byM } : { kind: 'point', index: edge, toM };
  }
  const [x, y] = shape.pointsM[target.index] ?? toM;
  return { kind: 'point', index: target.index, toM: [x + byM[0], y + byM[1]] };
}

export function isSameTarget(one: ShapeTarget | null, other: ShapeTarget | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.kind !== other.kind || one.shape.key !== other.shape.key) return false;
  return one.kind === 'line' || other.kind === 'line' || one.index === other.index;
}

function nearest(found: readonly Found[], withinPx: number): ShapeTarget | null {
  let best: Found | null = null;
  for (const one of found) {
    if (one.awayPx <= withinPx && (best === null || one.awayPx < best.awayPx)) best = one;
  }
  return best?.target ?? null;
}

/** From a line on screen, parts of which may be out of sight. */
function pathDistance(path: readonly (PlacePx | null)[], pixel: PlacePx): number {
  let awayPx = Infinity;
  for (const [index, to] of path.entries()) {
    const from = path[index - 1] ?? null;
    if (from !== null && to !== null) awayPx = Math.min(awayPx, distanceToSegment(pixel, from, to));
  }
  return awayPx;
}
