// Areas of scatters, stands and landscapes, and their exclusion zones: outlines on the ground, in steps short enough to follow it.
import { placeToScene, type OriginM } from '#contract/worldOrigin.ts';
import { documentOrigin } from './documentOrigin.ts';
import { field, items } from '#contract/documents/unknownData.ts';

export type PlaceM = readonly [number, number];

export interface AreaOutline {
  kind: 'area' | 'clear';
  label: string;
  /** Closed: the last place is the first. */
  pathM: PlaceM[];
  /** Position of its label. */
  labelM: PlaceM;
}

const lists = ['scatters', 'stands', 'landscapes'] as const;
const circleSteps = 64;
/** Steps of one side of a polygon. */
const maxSteps = 48;

/**
 * Outlines of the parts that are asked for, relative to its origin, from a document's plain data. Anything
 * but numbers is left out.
 */
export function areaOutlines(
  data: unknown,
  isAsked: (index: number, list: (typeof lists)[number]) => boolean,
): AreaOutline[] {
  const originM = documentOrigin(data);
  return lists.flatMap((list) =>
    items(field(field(data, 'scene'), list)).flatMap((one, index) =>
      isAsked(index, list) ? outlinesOf(one, originM) : [],
    ),
  );
}

function outlinesOf(scatter: unknown, originM: OriginM): AreaOutline[] {
  const name = field(scatter, 'name');
  const called = typeof name === 'string' ? name : 'scatter';
  const corners = items(field(scatter, 'areaM')).flatMap((corner) =>
    (placeOf(corner) ?? []).map((place) => placeToScene(originM, place)),
  );
  const area = corners.length < 3 ? [] : [areaOf(called, corners)];
  const clear = items(field(scatter, 'keepClear')).flatMap((circle) => {
    const centreM = placeOf(field(circle, 'centreM'));
    const radiusM = field(circle, 'radiusM');
    if (centreM === null || typeof radiusM !== 'number' || !(radiusM > 0)) return [];
    return [clearOf(called, placeToScene(originM, centreM[0]), radiusM)];
  });
  return [...area, ...clear];
}

function areaOf(called: string, cornersM: readonly PlaceM[]): AreaOutline {
  const pathM = cornersM.flatMap((from, index) =>
    steps(from, cornersM[(index + 1) % cornersM.length] ?? from),
  );
  const first = cornersM[0] ?? [0, 0];
  return { kind: 'area', label: `${called}: area`, pathM: [...pathM, first], labelM: first };
}

function clearOf(called: string, [x, y]: PlaceM, radiusM: number): AreaOutline {
  const pathM = Array.from({ length: circleSteps + 1 }, (_, step): PlaceM => {
    const angle = (2 * Math.PI * (step % circleSteps)) / circleSteps;
    return [x + radiusM * Math.cos(angle), y + radiusM * Math.sin(angle)];
  });
  return { kind: 'clear', label: `${called}: clear, ${radiusM} m`, pathM, labelM: [x, y] };
}

/** From a corner on, without the next one. */
function steps([ax, ay]: PlaceM, [bx, by]: PlaceM): PlaceM[] {
  const count = Math.min(maxSteps, Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay))));
  return Array.from({ length: count }, (_, step): PlaceM => {
    const share = step / count;
    return [ax + share * (bx - ax), ay + share * (by - ay)];
  });
}

/** In a list, so that what is no place can be left out. */
function placeOf(value: unknown): [PlaceM] | null {
  const [x, y] = items(value);
  const isPlace = [x, y].every((one) => typeof one === 'number' && Number.isFinite(one));
  return isPlace ? [[x as number, y as number]] : null;
}
