// Gullies: lines of steepest descent from high places, carved into the terrain (PHYSICS.md, 2.16).
import type { TerrainDocument } from '#contract/documents/terrain.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import type { Steps } from '#domain/shared/steps.ts';
import { forEachNear, forEachPost, heightAt, isOver, type Point, type Posts } from './posts.ts';

type Gullies = NonNullable<TerrainDocument['gullies']>;

/** A gully begins at the highest of so many random places. */
const startPlaces = 8;
/** Directions in which the next place of a descent is looked for: all, and how far a line turns at once. */
const directions = 48;
const maxTurn = directions / 6;
const maxPlaces = 10_000;

/** Lowers the posts in gullies. @param scaleM length of the largest hills: smaller ones stop no gully */
export function* carveGullies(
  posts: Posts,
  gullies: Gullies,
  scaleM: number,
  seed: number,
): Steps<void> {
  const { depthM, widthM, profile } = gullies;
  const strideM = Math.max(widthM / 2, ...posts.stepM, scaleM / 16);
  const depthsM = new Float64Array(posts.heightsM.length);
  for (let gully = 0; gully < gullies.count; gully += 1) {
    const line = descentFrom(posts, startOf(posts, gully, seed), strideM);
    yield line.length * directions * 20;
    for (const [index, to] of line.entries()) {
      const from = line[index - 1];
      if (from === undefined) continue;
      const tested = forEachNear(posts, [from, to], widthM / 2, (post, distanceM, share) => {
        const t = distanceM / (widthM / 2);
        // From nothing at its head, within its own width.
        const head = Math.min(1, ((index - 1 + share) * strideM) / widthM);
        const depth = head * depthM * (profile === 'v' ? 1 - t : 1 - t * t);
        depthsM[post] = Math.max(depthsM[post] ?? 0, depth);
      });
      yield 10 * tested;
    }
  }
  yield* forEachPost(posts, (post) => {
    posts.heightsM[post] = (posts.heightsM[post] ?? 0) - (depthsM[post] ?? 0);
  });
}

function startOf(posts: Posts, gully: number, seed: number): Point {
  const { columns, rows, originM, stepM } = posts;
  const places = Array.from({ length: startPlaces }, (_, place): Point => {
    const [u, v] = uniforms(seed, purposes.terrainGullies, gully, place);
    const east = u * (columns - 1) * stepM[0];
    return [originM[0] + east, originM[1] + v * (rows - 1) * stepM[1]];
  });
  return places.reduce((high, place) =>
    heightAt(posts, place) > heightAt(posts, high) ? place : high,
  );
}

/** Places `strideM` apart, each lower than the one before, down to a hollow or across the edge. */
function descentFrom(posts: Posts, start: Point, strideM: number): Point[] {
  const line = [start];
  let [place, heading] = [start, null as number | null];
  while (line.length < maxPlaces) {
    const next = lowestAround(posts, place, strideM, heading);
    if (next === null) break;
    ({ place, heading } = next);
    line.push(place);
    if (!isOver(posts, place)) break;
  }
  return line;
}

function lowestAround(
  posts: Posts,
  [xM, yM]: Point,
  strideM: number,
  heading: number | null,
): { place: Point; heading: number } | null {
  let lowestM = heightAt(posts, [xM, yM]);
  let found: { place: Point; heading: number } | null = null;
  const turns = heading === null ? directions : 2 * maxTurn + 1;
  for (let index = 0; index < turns; index += 1) {
    // 0, 1, −1, 2, …: the straightest of equal ones, as beyond the edge.
    const turn = index % 2 === 0 ? -index / 2 : (index + 1) / 2;
    const direction = (heading ?? 0) + turn;
    const angleRad = (2 * Math.PI * direction) / directions;
    const place: Point = [xM + strideM * Math.cos(angleRad), yM + strideM * Math.sin(angleRad)];
    const heightM = heightAt(posts, place);
    if (heightM >= lowestM) continue;
    lowestM = heightM;
    found = { place, heading: direction };
  }
  return found;
}
