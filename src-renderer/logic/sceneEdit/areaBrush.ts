// Painting with a round brush over the ground: strokes make an area larger, or exclude discs from it. An area is one simple
// polygon without holes; where a stroke closes a ring, what it surrounds is part of the area.
import { placeToWorld, type OriginM } from '#contract/worldOrigin.ts';
import type { PlaceM } from './groundShapes.ts';
import { rounded } from './gizmoEdits.ts';
import { outerEdge, distanceToSegment, isInside, isSimple, simplified } from './polygons.ts';

export interface Stroke {
  /** Path of the middle of the brush. */
  pathM: readonly PlaceM[];
  radiusM: number;
}

export interface Disc {
  centreM: PlaceM;
  radiusM: number;
}

/** Corners of a round end. */
const roundCorners = 16;
/** Share of the radius: the edge is simplified by so much. */
const toleranceShare = 0.06;
/** Share of the radius between discs along a stroke. */
const discStepShare = 0.9;

/** The area with a stroke; null where the stroke does not touch it. */
export function paintedArea(cornersM: readonly PlaceM[], stroke: Stroke): PlaceM[] | null {
  const pathM = thinned(stroke.pathM, stroke.radiusM);
  if (!pathM.some((place) => touches(cornersM, place, stroke.radiusM))) return null;
  const capsules = pathM.map((to, at) => capsule(pathM[at - 1] ?? to, to, stroke.radiusM));
  const edgeM = outerEdge([cornersM, ...capsules]);
  const simple = simplified(edgeM, toleranceShare * stroke.radiusM);
  return isSimple(simple) ? simple : edgeM;
}

/** Discs along a stroke that no other covers already. */
export function excludedDiscs(known: readonly Disc[], { pathM, radiusM }: Stroke): Disc[] {
  const discs = [...known];
  for (const centreM of thinned(pathM, discStepShare * radiusM)) {
    const isCovered = discs.some(
      (disc) => distanceM(disc.centreM, centreM) + 0.9 * radiusM <= disc.radiusM,
    );
    if (!isCovered) discs.push({ centreM, radiusM });
  }
  return discs.slice(known.length);
}

/** Indices of discs whose centre a stroke covers: painted over, they are gone. */
export function paintedDiscs(known: readonly Disc[], { pathM, radiusM }: Stroke): number[] {
  return known.flatMap(({ centreM }, index) => {
    const awayM = Math.min(
      ...pathM.map((to, at) => distanceToSegment(centreM, pathM[at - 1] ?? to, to)),
    );
    return awayM < radiusM ? [index] : [];
  });
}

/** Corners as a document has them, in the world and in whole centimetres; none twice in a row. */
export function writtenPlaces(originM: OriginM, placesM: readonly PlaceM[]): [number, number][] {
  const written = placesM.map((place): [number, number] => {
    const [x, y] = placeToWorld(originM, place);
    return [rounded(x, 2), rounded(y, 2)];
  });
  return written.filter(([x, y], index) => {
    const [beforeX, beforeY] = written.at(index - 1) ?? [NaN, NaN];
    return written.length === 1 || x !== beforeX || y !== beforeY;
  });
}

function touches(cornersM: readonly PlaceM[], place: PlaceM, radiusM: number): boolean {
  return (
    isInside(cornersM, place) ||
    cornersM.some(
      (to, index) => distanceToSegment(place, cornersM.at(index - 1) ?? to, to) < 0.98 * radiusM,
    )
  );
}

/** The room of a round brush between two places, counter-clockwise. */
function capsule([ax, ay]: PlaceM, [bx, by]: PlaceM, radiusM: number): PlaceM[] {
  const along = Math.atan2(by - ay, bx - ax);
  const half = roundCorners / 2;
  const end = (x: number, y: number, from: number): PlaceM[] =>
    Array.from({ length: half + 1 }, (_, step): PlaceM => {
      const angle = from + (Math.PI * step) / half;
      return [x + radiusM * Math.cos(angle), y + radiusM * Math.sin(angle)];
    });
  return [...end(bx, by, along - Math.PI / 2), ...end(ax, ay, along + Math.PI / 2)];
}

/** Places along a path, at most a distance apart. */
function thinned(pathM: readonly PlaceM[], stepM: number): PlaceM[] {
  const kept: PlaceM[] = [];
  for (const place of pathM) {
    const last = kept.at(-1);
    if (last === undefined) {
      kept.push(place);
      continue;
    }
    const awayM = distanceM(last, place);
    // Why in between: a fast hand leaves gaps.
    for (let atM = stepM; atM <= awayM; atM += stepM) {
      const share = atM / awayM;
      kept.push([last[0] + share * (place[0] - last[0]), last[1] + share * (place[1] - last[1])]);
    }
  }
  return kept;
}

function distanceM([ax, ay]: PlaceM, [bx, by]: PlaceM): number {
  return Math.hypot(bx - ax, by - ay);
}
