// Roads: level across, of limited grade along, with embankments to the terrain beside them (PHYSICS.md, 2.16).
import type { TerrainDocument } from '#contract/documents/terrain.ts';
import type { Steps } from '#domain/shared/steps.ts';
import { forEachNear, forEachPost, heightAt, type Point, type Posts } from './posts.ts';

type Road = TerrainDocument['roads'][number];

const origin: Point = [0, 0];
/** Times that corners are cut (Chaikin 1974). */
const cuts = 4;

/** Levels the posts of a road and slopes those of its embankments. */
export function* layRoad(posts: Posts, road: Road): Steps<void> {
  const { widthM, maxGradePercent, smoothingM, embankmentM } = road;
  const { line, spacingM } = resampled(rounded(road.pointsM), Math.min(...posts.stepM));
  const onTerrain = Float64Array.from(line, (place) => heightAt(posts, place));
  const ofGrade = limited(onTerrain, (maxGradePercent / 100) * spacingM);
  const half = Math.round(smoothingM / spacingM / 4);
  const profile = smoothed(smoothed(ofGrade, half), half);
  const reachM = widthM / 2 + embankmentM;
  const distancesM = new Float64Array(posts.heightsM.length).fill(Infinity);
  const levelsM = new Float64Array(posts.heightsM.length);
  for (const [index, to] of line.entries()) {
    const from = line[index - 1];
    if (from === undefined) continue;
    const [before, after] = [profile[index - 1] ?? 0, profile[index] ?? 0];
    const tested = forEachNear(posts, [from, to], reachM, (post, distanceM, share) => {
      if (distanceM >= (distancesM[post] ?? 0)) return;
      distancesM[post] = distanceM;
      levelsM[post] = before + share * (after - before);
    });
    yield 10 * tested;
  }
  yield* forEachPost(posts, (post) => {
    const distanceM = distancesM[post] ?? 0;
    if (distanceM > reachM) return;
    const t = distanceM <= widthM / 2 ? 0 : (distanceM - widthM / 2) / embankmentM;
    const ofTerrain = t * t * (3 - 2 * t);
    const levelM = levelsM[post] ?? 0;
    posts.heightsM[post] = levelM + ofTerrain * ((posts.heightsM[post] ?? 0) - levelM);
  });
}

/** The line with its corners cut at a quarter of their sides, again and again; its ends stay. */
function rounded(pointsM: readonly Point[]): readonly Point[] {
  let line = pointsM;
  for (let cut = 0; cut < cuts; cut += 1) {
    const last = line.length - 1;
    line = line.flatMap((point, index): Point[] => {
      if (index === 0 || index === last) return [point];
      const [before, after] = [line[index - 1] ?? point, line[index + 1] ?? point];
      return [between(point, before, 0.25), between(point, after, 0.25)];
    });
  }
  return line;
}

function between(from: Point, to: Point, share: number): Point {
  return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
}

/** The line in equal parts of at most `stepM` along it. */
function resampled(line: readonly Point[], stepM: number): { line: Point[]; spacingM: number } {
  const alongM = [0];
  for (const [index, point] of line.entries()) {
    const before = line[index - 1];
    if (before === undefined) continue;
    const lengthM = Math.hypot(point[0] - before[0], point[1] - before[1]);
    alongM.push((alongM[index - 1] ?? 0) + lengthM);
  }
  const totalM = alongM.at(-1) ?? 0;
  const parts = Math.max(1, Math.ceil(totalM / stepM));
  let side = 1;
  const places = Array.from({ length: parts + 1 }, (_, part): Point => {
    const atM = (part / parts) * totalM;
    while (side < line.length - 1 && (alongM[side] ?? 0) < atM) side += 1;
    const [startM, endM] = [alongM[side - 1] ?? 0, alongM[side] ?? 0];
    const [from = origin, to = origin] = [line[side - 1], line[side]];
    return between(from, to, endM > startM ? (atM - startM) / (endM - startM) : 0);
  });
  return { line: places, spacingM: totalM / parts };
}

/**
 * The mean of the highest profile below the values and of the lowest above them that rise or fall by at most `riseM`
 * from each to the next: so does their mean.
 */
function limited(values: Float64Array, riseM: number): Float64Array {
  const below = values.slice();
  const above = values.slice();
  const limit = (index: number, near: number): void => {
    below[index] = Math.min(below[index] ?? 0, (below[near] ?? 0) + riseM);
    above[index] = Math.max(above[index] ?? 0, (above[near] ?? 0) - riseM);
  };
  for (let index = 1; index < values.length; index += 1) limit(index, index - 1);
  for (let index = values.length - 2; index >= 0; index -= 1) limit(index, index + 1);
  return below.map((low, index) => (low + (above[index] ?? 0)) / 2);
}

/** The mean of each value and `half` on each side; beyond an end its value continues. It is nowhere steeper than the values. */
function smoothed(values: Float64Array, half: number): Float64Array {
  const last = values.length - 1;
  const at = (index: number): number => values[Math.max(0, Math.min(last, index))] ?? 0;
  const result = new Float64Array(values.length);
  let sum = 0;
  for (let index = -half; index <= half; index += 1) sum += at(index);
  for (let index = 0; index <= last; index += 1) {
    result[index] = sum / (2 * half + 1);
    sum += at(index + half + 1) - at(index - half);
  }
  return result;
}
