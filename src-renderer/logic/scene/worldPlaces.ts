// Places on screen in coordinates of the world: views, scans and runs are relative to the origin of their scene, which is
// added in double precision. At UTM values what is shown is within 0.1 mm of the place, and what is typed comes back.
import { isZeroOrigin, toWorld, type OriginM } from '#contract/worldOrigin.ts';
import type { MapGeometry } from '#contract/host/run.ts';

/** Decimal places of coordinates in scenes with an origin: steps of 0.1 mm. */
const worldDigits = 4;

/** x, y and z in the world: to 0.1 mm where the scene has an origin, otherwise with so many decimals. */
export function worldTexts(
  originM: OriginM,
  placeM: readonly [number, number, number],
  digits: number,
): string[] {
  const decimals = isZeroOrigin(originM) ? digits : worldDigits;
  return toWorld(originM, placeM).map((m) => m.toFixed(decimals));
}

interface Place {
  xM: number;
  yM: number;
  zM: number;
}

/** A place relative to the origin in the world; whatever else it has stays. */
export function placedInWorld<T extends Place>([x, y, z]: OriginM, place: T): T {
  return { ...place, xM: place.xM + x, yM: place.yM + y, zM: place.zM + z };
}

/** Some coordinates of the world relative to the origin, to the nanometre: 500001.2 less 500000 is 1.2. */
export function placedInScene<T extends Partial<Place>>([x, y, z]: OriginM, place: T): T {
  const less = (m: number, origin: number): number => Number((m - origin).toFixed(9));
  const { xM, yM, zM } = place;
  return {
    ...place,
    ...(xM !== undefined && { xM: less(xM, x) }),
    ...(yM !== undefined && { yM: less(yM, y) }),
    ...(zM !== undefined && { zM: less(zM, z) }),
  };
}

/** The edges of a map in the world, west and east and then south and north: 'x 499968 … 500032 m', 'y …'. */
export function mapEdges([x, y]: OriginM, { cells, cellM, originM }: MapGeometry): string[] {
  const sideM = cells * cellM;
  const edges = (name: string, fromM: number): string =>
    `${name} ${shortText(fromM)} … ${shortText(fromM + sideM)} m`;
  return [edges('x', originM[0] + x), edges('y', originM[1] + y)];
}

/** Without the digits that binary fractions bring along. */
function shortText(metres: number): string {
  return String(Number(metres.toFixed(worldDigits)) + 0);
}
