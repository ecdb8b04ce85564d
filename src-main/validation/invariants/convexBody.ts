// Convex bodies as half-spaces, and where a ray enters one: a closed form without triangles.
import type { Vector3 } from '#domain/shared/pose.ts';

/** normal · x ≤ offset; unit normal outwards. */
export interface HalfSpace {
  normal: Vector3;
  offsetM: number;
}

export interface Entry {
  rangeM: number;
  /** Cosine of the angle between ray and facet normal. */
  cosIncidence: number;
}

/** Whether a ray meets a body, judged by the distance to its silhouette. */
export type Meeting = 'hits' | 'misses' | 'at the silhouette';

/**
 * A ray hits when it also meets the body with every plane moved inwards by `edgeM`, it misses when it also misses the
 * body with every plane moved outwards by as much. Between the two it passes the silhouette nearer than edgeM across
 * a plane; at a corner of two planes with the angle φ between their normals nearer than edgeM / cos(φ/2).
 */
export function meetingOf(
  body: readonly HalfSpace[],
  origin: Vector3,
  direction: Vector3,
  edgeM: number,
): Meeting {
  if (entryOf(moved(body, -edgeM), origin, direction) !== null) return 'hits';
  return entryOf(moved(body, edgeM), origin, direction) === null ? 'misses' : 'at the silhouette';
}

function moved(body: readonly HalfSpace[], outwardsM: number): HalfSpace[] {
  return body.map(({ normal, offsetM }) => ({ normal, offsetM: offsetM + outwardsM }));
}

/** Where a ray from outside enters; null where it misses. Length of `direction`: 1 for ranges in metres. */
export function entryOf(
  body: readonly HalfSpace[],
  origin: Vector3,
  direction: Vector3,
): Entry | null {
  let [enterM, leaveM, cosIncidence] = [-Infinity, Infinity, 0];
  for (const { normal, offsetM } of body) {
    const height = offsetM - dot(normal, origin);
    const along = dot(normal, direction);
    if (along === 0) {
      if (height < 0) return null;
      continue;
    }
    const atM = height / along;
    if (along > 0) leaveM = Math.min(leaveM, atM);
    else if (atM > enterM) [enterM, cosIncidence] = [atM, -along];
  }
  if (enterM > leaveM || enterM < 0) return null;
  return { rangeM: enterM, cosIncidence };
}

/** Along the axes. */
export function boxBody(centreM: Vector3, sizeM: Vector3): HalfSpace[] {
  return [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((sign): HalfSpace => {
      const normal: Vector3 = [0, 0, 0];
      normal[axis] = sign;
      return { normal, offsetM: sign * (centreM[axis] ?? 0) + (sizeM[axis] ?? 0) / 2 };
    }),
  );
}

/**
 * A sphere of facets: `rings` from pole to pole, twice as many around, their corners on the sphere. Facets
 * between two rings are plane: two of their edges are parallel.
 */
export function facettedSphereBody(centreM: Vector3, radiusM: number, rings: number): HalfSpace[] {
  const sectors = 2 * rings;
  const corner = (ring: number, sector: number): Vector3 => {
    const polar = (Math.PI * ring) / rings;
    const azimuth = (2 * Math.PI * sector) / sectors;
    return [
      radiusM * Math.sin(polar) * Math.cos(azimuth),
      radiusM * Math.sin(polar) * Math.sin(azimuth),
      -radiusM * Math.cos(polar),
    ];
  };
  return Array.from({ length: rings * sectors }, (_, facet): HalfSpace => {
    const [ring, sector] = [Math.floor(facet / sectors), facet % sectors];
    // The lower edge of the lowest ring is a point, so is the upper one of the highest.
    const wide = ring === 0 ? ring + 1 : ring;
    const a = corner(wide, sector);
    const b = corner(wide, sector + 1);
    const c = ring === 0 ? corner(0, sector) : corner(ring + 1, sector);
    const across = cross(minus(b, a), minus(c, a));
    const length = Math.hypot(...across) * Math.sign(dot(across, a));
    const normal = across.map((each) => each / length) as Vector3;
    return { normal, offsetM: dot(normal, a) + dot(normal, centreM) };
  });
}

function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function minus(a: Vector3, b: Vector3): Vector3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Vector3, b: Vector3): Vector3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
