// Obstacles and ground cover of a built scene: outlines and discs in the world, for
// the judge. Truth: taken from the worker's summary and instances, never shown to autonomy.
import type { Arrays, Columns } from '#contract/columns.ts';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { groundColumns } from '#contract/worker/learnedGround.ts';
import type { MotionLaw } from '#contract/worker/motions.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { lawsOfInstances } from '#domain/shared/motion/laws.ts';
import { displacementAt } from '#domain/shared/motion/frames.ts';
import { rotate } from '#domain/shared/pose.ts';
import type { Polygon } from './polygon.ts';
import type { Terrain } from './terrain.ts';

export interface Obstacle {
  name: string;
  /** Convex, counter-clockwise, in the world. */
  outline: Polygon;
  /** Obstacles of one body are one to the judge; left out: it is a body by itself. */
  body?: number;
  /** The law that displaces it from `outline`, where it is at time 0; left out: it is stationary. */
  motion?: { law: MotionLaw; heightM: number };
}

/** The outline of an obstacle at a time, seen from above. */
export function outlineAt({ outline, motion }: Obstacle, timeS: number): Polygon {
  if (motion === undefined) return outline;
  const { positionM, rotation } = displacementAt(motion.law, timeS);
  const moved = new Float64Array(outline.length);
  for (let corner = 0; corner < outline.length; corner += 2) {
    const [x, y] = [outline[corner] ?? 0, outline[corner + 1] ?? 0];
    const [dx, dy] = rotate(rotation, [x, y, motion.heightM]);
    moved[corner] = positionM[0] + dx;
    moved[corner + 1] = positionM[1] + dy;
  }
  return moved;
}

/** Discs of plants that a vehicle can pass: same length each. */
export interface GroundCover {
  xM: Float32Array;
  yM: Float32Array;
  radiusM: Float32Array;
}

/** Nothing above this height over the ground stops a vehicle, as for the footprints of the models. */
const passableHeightM = 1.5;

/**
 * The outlines of all instances of models with a footprint, turned and scaled as the instance is; one that
 * hangs wholly above 1.5 m is left out. `instances` are the columns of `scene.instances`.
 */
export function obstaclesFrom(
  summary: SceneSummary,
  instances: Columns,
  recipe: SceneRecipe,
  terrain: Terrain,
): Obstacle[] {
  const nameOf = instanceNames(recipe);
  const groundId = recipe.instances[recipe.ground]?.id ?? 0;
  const lawOf = lawsOfInstances(recipe);
  const obstacles: Obstacle[] = [];
  forEachInstance(instances, (row) => {
    const footprint = summary.models[row.model]?.footprintM;
    if (!footprint || footprint.length < 3 || row.id === groundId) return;
    const law = lawOf(row.id);
    // Nothing runs into its own body.
    if (law?.kind === 'vehicle') return;
    // A moving one may come down.
    if (law === null && row.minZM > terrain.heightM(row.xM, row.yM) + passableHeightM) return;
    const motion = law && { law, heightM: row.zM };
    obstacles.push({
      name: nameOf(row.id) ?? `instance-${row.id}`,
      outline: placedFootprint(row, footprint),
      ...(motion && { motion }),
    });
  });
  return obstacles;
}

/** The footprint of a model where an instance of it is. */
export function placedFootprint(
  { xM, yM, rotation, scale }: InstanceRowM,
  footprint: readonly (readonly [number, number])[],
): Polygon {
  const outline = new Float64Array(2 * footprint.length);
  for (const [corner, [x, y]] of footprint.entries()) {
    const [dx, dy] = rotate(rotation, [x * scale, y * scale, 0]);
    outline[2 * corner] = xM + dx;
    outline[2 * corner + 1] = yM + dy;
  }
  return outline;
}

/**
 * Obstacles from surfaces of learned models; `ground` is the reply to `scene.ground`, `instances` the columns of
 * `scene.instances`.
 */
export function learnedObstacles(
  ground: Pick<LearnedGroundValues, OutlineColumn>,
  instances: Columns,
  recipe: SceneRecipe,
): Obstacle[] {
  const nameOf = instanceNames(recipe);
  const lawOf = lawsOfInstances(recipe);
  const motionOf = new Map<number, Obstacle['motion']>();
  forEachInstance(instances, ({ id, zM }) => {
    const law = lawOf(id);
    if (law !== null) motionOf.set(id, { law, heightM: zM });
  });
  return Array.from(ground.outline_instance_id, (id, number) => {
    const [from, to] = [ground.outline_start[number] ?? 0, ground.outline_start[number + 1] ?? 0];
    const outline = new Float64Array(2 * (to - from));
    for (let corner = from; corner < to; corner += 1) {
      outline[2 * (corner - from)] = ground.corner_x_m[corner] as number;
      outline[2 * (corner - from) + 1] = ground.corner_y_m[corner] as number;
    }
    const name = nameOf(id) ?? `instance-${id}`;
    const motion = motionOf.get(id);
    const body = ground.outline_body[number] as number;
    return { name, outline, body, ...(motion && { motion }) };
  });
}

type LearnedGroundValues = Arrays<typeof groundColumns>;
type OutlineColumn =
  'outline_instance_id' | 'outline_body' | 'outline_start' | 'corner_x_m' | 'corner_y_m';

/** Ground cover and that of learned elements: a disc about each cell of `stepM`. */
export function withLearnedCover(
  { xM, yM, radiusM }: GroundCover,
  { cover_x_m, cover_y_m }: Pick<LearnedGroundValues, 'cover_x_m' | 'cover_y_m'>,
  stepM: number,
): GroundCover {
  const learnedRadiusM = new Float32Array(cover_x_m.length).fill(stepM * Math.SQRT1_2);
  return {
    xM: joined(xM, cover_x_m),
    yM: joined(yM, cover_y_m),
    radiusM: joined(radiusM, learnedRadiusM),
  };
}

function joined(a: Float32Array, b: Float32Array): Float32Array {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

/** Whether a model is a learned one. */
export function isLearned({ source }: SceneRecipe['models'][number]): boolean {
  return source.kind === 'mesh' && source.format === 'learned';
}

/**
 * The ground cover: stationary instances of models that stop nothing, the ground itself and learned models apart. A disc has half
 * the mean extent of the instance's world box.
 */
export function coverFrom(
  summary: SceneSummary,
  instances: Columns,
  recipe: SceneRecipe,
): GroundCover {
  const groundId = recipe.instances[recipe.ground]?.id ?? 0;
  const lawOf = lawsOfInstances(recipe);
  const discs: number[] = [];
  forEachInstance(instances, (row) => {
    const model = recipe.models[row.model];
    if (row.id === groundId || model === undefined || isLearned(model)) return;
    if (lawOf(row.id) !== null) return;
    if (summary.models[row.model]?.footprintM) return;
    discs.push((row.minXM + row.maxXM) / 2, (row.minYM + row.maxYM) / 2);
    discs.push((row.maxXM - row.minXM + row.maxYM - row.minYM) / 4);
  });
  const column = (offset: number): Float32Array =>
    Float32Array.from({ length: discs.length / 3 }, (_, n) => discs[3 * n + offset] as number);
  return { xM: column(0), yM: column(1), radiusM: column(2) };
}

export interface InstanceRowM {
  id: number;
  model: number;
  xM: number;
  yM: number;
  zM: number;
  rotation: [number, number, number, number];
  scale: number;
  minXM: number;
  minYM: number;
  maxXM: number;
  maxYM: number;
  minZM: number;
  maxZM: number;
}

/** Calls `visit` for every row of the columns of `scene.instances`. */
export function forEachInstance(instances: Columns, visit: (row: InstanceRowM) => void): void {
  const count = instances['instance_id']?.length ?? 0;
  const value = (name: string, row: number): number => Number(instances[name]?.[row]);
  for (let row = 0; row < count; row += 1) {
    visit({
      id: value('instance_id', row),
      model: value('model_id', row),
      xM: value('x_m', row),
      yM: value('y_m', row),
      zM: value('z_m', row),
      rotation: [value('qx', row), value('qy', row), value('qz', row), value('qw', row)],
      scale: value('scale', row),
      minXM: value('min_x_m', row),
      minYM: value('min_y_m', row),
      maxXM: value('max_x_m', row),
      maxYM: value('max_y_m', row),
      minZM: value('min_z_m', row),
      maxZM: value('max_z_m', row),
    });
  }
}
