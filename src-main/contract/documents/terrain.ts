// Generated ground: hills, a mean slope, gullies and roads (PHYSICS.md, 2.16).
import { z } from 'zod';
import { form } from './formWords.ts';
import {
  count,
  finite,
  fraction,
  notNegative,
  positive,
  seedNumber,
  slug,
  vector2,
} from './quantities.ts';

/** Posts of a terrain at most: two triangles each. */
export const maxTerrainPosts = 2 ** 22;
const maxPostsOfSide = 65_536;

const reliefSchema = z.strictObject({
  deviationM: notNegative
    .max(10_000)
    .optional()
    .describe('standard deviation of the heights; 0: none. Default: 2 % of scaleM')
    .meta(form({ label: 'Deviation', hint: 'standard deviation of heights' })),
  scaleM: positive
    .optional()
    .describe('length of the largest hills. Default: a third of the shorter side')
    .meta(form({ label: 'Length of hills' })),
  hurst: fraction
    .default(0.9)
    .describe('Hurst exponent: 1 is smooth, 0 is rough')
    .meta(form({ label: 'Hurst exponent', hint: '1 smooth, 0 rough' })),
});

const slopeSchema = z.strictObject({
  percent: notNegative
    .max(100)
    .describe('mean slope')
    .meta(form({ slider: [0, 30] })),
  risesTowardsDeg: finite
    .min(-360)
    .max(360)
    .default(0)
    .describe('where the ground rises to, counter-clockwise from east')
    .meta(form({ label: 'Rises towards', slider: [-180, 180] })),
});

const gulliesSchema = z.strictObject({
  count: count.max(200).default(3).describe('from high places along the steepest descent'),
  depthM: positive.max(1000).default(1).describe('below the ground beside them'),
  widthM: positive.max(1000).default(4).describe('from edge to edge, at least two posts'),
  profile: z.enum(['v', 'u']).default('v').describe('cross section: straight sides, or a parabola'),
});

const roadSchema = z.strictObject({
  pointsM: z
    .array(vector2)
    .min(2)
    .max(1000)
    .describe('centre line on the terrain; its corners are rounded')
    .meta(form({ hint: 'one point per line' })),
  widthM: positive.max(50).default(5).describe('of the level surface, at least two posts'),
  maxGradePercent: positive.max(100).default(8).describe('steepest grade of the centre line'),
  smoothingM: notNegative
    .max(1000)
    .default(20)
    .describe('length over which the grade of the centre line changes'),
  embankmentM: notNegative
    .max(50)
    .default(4)
    .describe('from the edge of the surface to the terrain beside it'),
});

/** Generated heights on posts `stepM` apart. */
export const terrainSchema = z
  .strictObject({
    kind: z.literal('terrain').describe('generated ground: hills, slope, gullies, roads'),
    sizeM: z
      .tuple([positive, positive])
      .describe('east and north')
      .meta(form({ parts: ['x', 'y'] })),
    centreM: vector2.default([0, 0]).describe('centre of the rectangle'),
    stepM: positive
      .default(1)
      .describe('distance of posts, rounded so that a whole number of steps makes a side')
      .meta(form({ label: 'Distance of posts' })),
    zM: finite
      .default(0)
      .describe('mean height before gullies and roads')
      .meta(form({ label: 'Mean height' })),
    relief: reliefSchema.default({ hurst: 0.9 }).describe('hills'),
    slope: slopeSchema.optional().describe('mean slope; left out: level'),
    gullies: gulliesSchema.optional().describe('left out: there are none'),
    roads: z.array(roadSchema).max(100).default([]).describe('later ones cross earlier ones'),
    seed: seedNumber.optional().describe("of hills and gullies; default: the scenario's"),
    material: slug.describe('a material of the scene').meta(form({ refersTo: 'materials' })),
  })
  .superRefine((terrain, context) => {
    for (const { path, message } of terrainProblems(terrain)) {
      context.addIssue({ code: 'custom', path, message });
    }
  });

export type TerrainDocument = z.output<typeof terrainSchema>;

/** Posts along x and y. */
export function terrainPosts({
  sizeM: [eastM, northM],
  stepM,
}: Pick<TerrainDocument, 'sizeM' | 'stepM'>): { columns: number; rows: number } {
  const posts = (sideM: number): number => Math.max(2, Math.round(sideM / stepM) + 1);
  return { columns: posts(eastM), rows: posts(northM) };
}

interface TerrainProblem {
  path: PropertyKey[];
  message: string;
}

function terrainProblems(terrain: TerrainDocument): TerrainProblem[] {
  const { sizeM, stepM, relief, gullies, roads } = terrain;
  const problems: TerrainProblem[] = [];
  const { columns, rows } = terrainPosts(terrain);
  if (Math.max(columns, rows) > maxPostsOfSide || columns * rows > maxTerrainPosts) {
    const most = `expected at most ${maxPostsOfSide} posts along a side and ${maxTerrainPosts} in all`;
    const message = `${most}, found ${columns} × ${rows}: a larger stepM gives fewer`;
    problems.push({ path: ['stepM'], message });
  }
  const shorterM = Math.min(...sizeM);
  if (relief.scaleM !== undefined && relief.scaleM > shorterM) {
    const message = `expected at most the shorter side (${shorterM} m), found ${relief.scaleM}`;
    problems.push({ path: ['relief', 'scaleM'], message });
  }
  const expectWide = (path: PropertyKey[], widthM: number): void => {
    if (widthM >= 2 * stepM) return;
    const message = `expected at least two steps of posts (${2 * stepM} m), found ${widthM}`;
    problems.push({ path: [...path, 'widthM'], message });
  };
  if (gullies) expectWide(['gullies'], gullies.widthM);
  for (const [index, { widthM, pointsM }] of roads.entries()) {
    expectWide(['roads', index], widthM);
    problems.push(...roadPointProblems(terrain, pointsM, ['roads', index, 'pointsM']));
  }
  return problems;
}

/** Points that are not on the terrain, or the same as the one before. */
function roadPointProblems(
  { sizeM, centreM }: TerrainDocument,
  pointsM: readonly (readonly [number, number])[],
  at: PropertyKey[],
): TerrainProblem[] {
  return pointsM.flatMap(([x, y], index) => {
    const path = [...at, index];
    const isOutside =
      Math.abs(x - centreM[0]) > sizeM[0] / 2 || Math.abs(y - centreM[1]) > sizeM[1] / 2;
    if (isOutside) {
      return [{ path, message: `expected a point on the terrain, found [${x}, ${y}]` }];
    }
    const before = pointsM[index - 1];
    if (before?.[0] !== x || before[1] !== y) return [];
    return [{ path, message: 'expected another point than the one before' }];
  });
}
