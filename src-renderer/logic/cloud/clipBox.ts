// The box that a view is clipped to: around all points, as a section across an axis or along a line, moved by its faces.
import { clamp } from '#domain/shared/numbers.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import type { UprightBox } from '#domain/shared/uprightBox.ts';
import type { BoundsM, PlaceM } from './cloudBounds.ts';

/** How a view is clipped. */
export interface ClipState {
  /** Null: not at all. */
  box: UprightBox | null;
  /** Surfaces of the scene are clipped as points are. */
  isSceneClipped: boolean;
}

export function createClipState(): ClipState {
  return { box: null, isSceneClipped: true };
}

/** Length, width, height of the box. */
export type ClipAxis = 0 | 1 | 2;

/** A face of a box: its axis, and at which end of it. */
export interface ClipFace {
  axis: ClipAxis;
  end: 1 | -1;
}

/** The clipping of views as their tools change it. Reactive. */
export interface Clip {
  readonly state: Readonly<ClipState>;
  /** World position that the views are relative to. */
  readonly originM: OriginM;
  /** Places to be clicked before a section along a line is there. */
  readonly missingPlaces: number;
  set: (part: Partial<ClipState>) => void;
  /** Clips to a box around all points, or not at all. */
  toggle: () => void;
  /** Around all points again. */
  reset: () => void;
  section: (axis: ClipAxis) => void;
  /** The next two clicks are the ends of a section; called again before them, it is cancelled. */
  line: () => void;
}

export const clipFaces: readonly ClipFace[] = ([0, 1, 2] as const).flatMap((axis) => [
  { axis, end: -1 as const },
  { axis, end: 1 as const },
]);

export const minClipM = 0.01;
const marginShare = 0.02;
/** Thickness of a new section as a share of what it is cut from, and its bounds. */
const sectionShare = 0.05;
const sectionBoundsM = [0.1, 2] as const;

/** With room on every side: the ground between points is lower than the lowest of them. */
export function withMargin({ minM, maxM }: BoundsM): BoundsM {
  const marginM =
    marginShare * Math.max(...[0, 1, 2].map((axis) => (maxM[axis] ?? 0) - (minM[axis] ?? 0)));
  const out: PlaceM = [1, 1, 1];
  return { minM: shifted(minM, out, -marginM), maxM: shifted(maxM, out, marginM) };
}

/** The box around bounds, parallel to the axes. */
export function boxAround({ minM, maxM }: BoundsM): UprightBox {
  const along = (axis: ClipAxis): [centre: number, size: number] => [
    (minM[axis] + maxM[axis]) / 2,
    Math.max(maxM[axis] - minM[axis], minClipM),
  ];
  const [x, y, z] = [along(0), along(1), along(2)];
  return { centreM: [x[0], y[0], z[0]], yawRad: 0, sizeM: [x[1], y[1], z[1]] };
}

/** A thin box across an axis, in the middle of the bounds. */
export function sectionAcross(bounds: BoundsM, axis: ClipAxis): UprightBox {
  const whole = boxAround(bounds);
  return { ...whole, sizeM: withAxis(whole.sizeM, axis, sectionThicknessM(whole.sizeM[axis])) };
}

/** A thin upright box from one place to another, as high as the bounds; null where there is no line between them. */
export function sectionAlong(bounds: BoundsM, from: PlaceM, to: PlaceM): UprightBox | null {
  const [x, y] = [to[0] - from[0], to[1] - from[1]];
  const lengthM = Math.hypot(x, y);
  if (lengthM < minClipM) return null;
  const { centreM, sizeM } = boxAround(bounds);
  return {
    centreM: [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2, centreM[2]],
    yawRad: Math.atan2(y, x),
    sizeM: [lengthM, sectionThicknessM(lengthM), sizeM[2]],
  };
}

/** Unit, in the world. */
export function axisOf({ yawRad }: UprightBox, axis: ClipAxis): PlaceM {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  if (axis === 0) return [cos, sin, 0];
  return axis === 1 ? [-sin, cos, 0] : [0, 0, 1];
}

/** The middle of a face. */
export function faceCentre(box: UprightBox, { axis, end }: ClipFace): PlaceM {
  return shifted(box.centreM, axisOf(box, axis), (end * box.sizeM[axis]) / 2);
}

/** With the face `byM` farther out, the opposite one where it is; or with the whole box so much farther. */
export function movedFace(
  box: UprightBox,
  { axis, end }: ClipFace,
  byM: number,
  isWhole: boolean,
): UprightBox {
  const outwards = axisOf(box, axis);
  if (isWhole) return { ...box, centreM: shifted(box.centreM, outwards, end * byM) };
  const sizeM = Math.max(box.sizeM[axis] + byM, minClipM);
  return {
    ...box,
    centreM: shifted(box.centreM, outwards, (end * (sizeM - box.sizeM[axis])) / 2),
    sizeM: withAxis(box.sizeM, axis, sizeM),
  };
}

/** The part of a ray that is in the box, in metres along it; null: none is. `direction`: unit. */
export function rayThrough(
  box: UprightBox,
  originM: PlaceM,
  direction: PlaceM,
): { enterM: number; leaveM: number } | null {
  let [enterM, leaveM] = [0, Infinity];
  for (const axis of [0, 1, 2] as const) {
    const along = axisOf(box, axis);
    const half = box.sizeM[axis] / 2;
    const at = dot(along, originM) - dot(along, box.centreM);
    const slope = dot(along, direction);
    if (slope === 0) {
      if (Math.abs(at) > half) return null;
      continue;
    }
    const [a, b] = [(-half - at) / slope, (half - at) / slope];
    enterM = Math.max(enterM, Math.min(a, b));
    leaveM = Math.min(leaveM, Math.max(a, b));
  }
  return enterM <= leaveM ? { enterM, leaveM } : null;
}

/** How far along a line through `placeM` the place is that a ray comes nearest to; null: they are parallel. */
export function nearestOnLine(
  placeM: PlaceM,
  along: PlaceM,
  ray: { originM: PlaceM; direction: PlaceM },
): number | null {
  const cosine = dot(along, ray.direction);
  const across = 1 - cosine ** 2;
  if (across < 1e-6) return null;
  const [x, y, z] = [0, 1, 2].map((axis) => (ray.originM[axis] ?? 0) - (placeM[axis] ?? 0));
  const between: PlaceM = [x ?? 0, y ?? 0, z ?? 0];
  return (dot(along, between) - cosine * dot(ray.direction, between)) / across;
}

/** With another value at an axis. */
export function withAxis(
  [x, y, z]: PlaceM,
  axis: ClipAxis,
  value: number,
): [number, number, number] {
  return axis === 0 ? [value, y, z] : axis === 1 ? [x, value, z] : [x, y, value];
}

function sectionThicknessM(spanM: number): number {
  return clamp(sectionShare * spanM, ...sectionBoundsM);
}

function shifted([x, y, z]: PlaceM, [dx, dy, dz]: PlaceM, byM: number): PlaceM {
  return [x + dx * byM, y + dy * byM, z + dz * byM];
}

function dot([a, b, c]: PlaceM, [x, y, z]: PlaceM): number {
  return a * x + b * y + c * z;
}
