// Generated terrain: hills and a mean slope, then gullies, then roads (PHYSICS.md, 2.16). Guarantee: the same document and
// seed give the same heights.
import { terrainPosts, type TerrainDocument } from '#contract/documents/terrain.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { Steps } from '#domain/shared/steps.ts';
import { carveGullies } from './terrain/gullies.ts';
import { forEachPost, type Posts } from './terrain/posts.ts';
import { addRelief } from './terrain/relief.ts';
import { layRoad } from './terrain/roads.ts';

/** Heights in metres, row by row from the south, x fastest. */
export interface TerrainHeights {
  columns: number;
  rows: number;
  heights: Float32Array;
}

/** @param sceneSeed where the terrain has none of its own */
export function* terrainHeights(
  terrain: TerrainDocument,
  sceneSeed: number,
): Steps<TerrainHeights> {
  const { sizeM, centreM, zM, relief, slope, gullies, roads } = terrain;
  const seed = terrain.seed ?? sceneSeed;
  const { columns, rows } = terrainPosts(terrain);
  const posts: Posts = {
    columns,
    rows,
    originM: [centreM[0] - sizeM[0] / 2, centreM[1] - sizeM[1] / 2],
    stepM: [sizeM[0] / (columns - 1), sizeM[1] / (rows - 1)],
    heightsM: new Float64Array(columns * rows).fill(zM),
  };
  const scaleM = relief.scaleM ?? Math.min(...sizeM) / 3;
  const deviationM = relief.deviationM ?? 0.02 * scaleM;
  yield* addRelief(posts, { deviationM, scaleM, hurst: relief.hurst }, seed);
  if (slope) yield* addSlope(posts, slope);
  if (gullies) yield* carveGullies(posts, gullies, scaleM, seed);
  for (const road of roads) yield* layRoad(posts, road);
  return { columns, rows, heights: new Float32Array(posts.heightsM) };
}

/** About the centre, whose height stays. */
function* addSlope(
  posts: Posts,
  { percent, risesTowardsDeg }: NonNullable<TerrainDocument['slope']>,
): Steps<void> {
  const { columns, rows, stepM, heightsM } = posts;
  const towardsRad = radians(risesTowardsDeg);
  const eastM = (percent / 100) * Math.cos(towardsRad) * stepM[0];
  const northM = (percent / 100) * Math.sin(towardsRad) * stepM[1];
  yield* forEachPost(posts, (post, column, row) => {
    const riseM = northM * (row - (rows - 1) / 2) + eastM * (column - (columns - 1) / 2);
    heightsM[post] = (heightsM[post] ?? 0) + riseM;
  });
}
