// The shapes of a built scene for its physics: of every instance that stops a vehicle, of the ground and of the bodies.
// Guarantee: sizes are checked before a triangle is asked for.
import { UnderstoryError } from '#contract/errors.ts';
import type { BodyDocument } from '#contract/documents/motion.ts';
import type { Columns } from '#contract/columns.ts';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { ModelSummary } from '#contract/worker/worker.ts';
import { countText } from '#domain/shared/formats.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import type { PhysicsScene, PlacedShape, Shape } from '#domain/physics/physicsScene.ts';
import { forEachInstance } from '#domain/truth/obstacles.ts';
import { instancesOf } from '#services/scans/instancesOf.ts';
import type { OpenScene } from '#services/scans/sceneWork.ts';
import type { WithPhysics } from '#services/documents/bakeFile.ts';

/** Shapes and triangles of an engine: some 300 MB. */
const maxShapes = 20_000;
const maxTriangles = 2_000_000;
/** The hull of a model with more is that of a level of detail. */
const maxHullTriangles = 100_000;
/** Depth of a level ground. */
const groundDepthM = 10;

type Use = 'stationary' | 'hull' | 'box';
type Placed = Omit<PlacedShape, 'shape'> & { model: number; motion: number | undefined };

/** @throws UnderstoryError 'scene-too-large'; 'bad-input' with a problem for a body without a shape */
export async function physicsSceneOf(
  { worker, summary }: OpenScene,
  { motions = {}, physics }: WithPhysics,
  recipe: SceneRecipe,
  heightsM: Float32Array,
): Promise<PhysicsScene> {
  const placed = placedOf(await instancesOf(worker), recipe);
  const documents = Object.entries(motions);
  const bodyOf = ({ motion }: Placed): BodyDocument | null => {
    const document = documents[motion ?? -1]?.[1];
    return document?.kind === 'baked' ? document : null;
  };
  const useOf = (one: Placed): Use => {
    const body = bodyOf(one);
    if (body !== null) return body.shape;
    return one.motion === undefined ? 'stationary' : 'hull';
  };
  const solid = placed.filter((one) => {
    const isGround = recipe.instances[recipe.ground]?.name === one.name;
    if (isGround || bodyOf(one) !== null) return true;
    const isTree = recipe.models[one.model]?.source.kind === 'plant';
    if (isTree && summary.models[one.model]?.footprintM === null) return false;
    return recipe.models[one.model]?.solid !== 'none';
  });
  checkSizes(solid.map((one) => trianglesOf(recipe, summary.models, one.model, useOf(one))));
  const shapes = new Map<string, Shape>();
  const withShape = async (one: Placed): Promise<PlacedShape> => {
    const key = `${one.model} ${useOf(one)}`;
    const shape = shapes.get(key) ?? (await shapeOf(one.model, useOf(one)));
    shapes.set(key, shape);
    return { ...one, shape };
  };

  /** The shape of a model in its own frame. */
  async function shapeOf(model: number, use: Use): Promise<Shape> {
    const [source, bounds] = [recipe.models[model]?.source, summary.models[model]];
    if (source === undefined || bounds === undefined) throw new Error(`there is no model ${model}`);
    const { minM, maxM } = bounds;
    if (source.kind === 'height-field') return { kind: 'heights', field: { ...source, heightsM } };
    if (recipe.instances[recipe.ground]?.model === model) {
      return boxShape([minM[0], minM[1], minM[2] - groundDepthM], maxM);
    }
    if (use === 'box' || source.kind === 'box') return boxShape(minM, maxM);
    if (source.kind === 'plant' && use === 'stationary') return trunkShape(bounds);
    const request = { model, maxTriangles: use === 'hull' ? maxHullTriangles : maxTriangles };
    const { columns } = await worker.call('scene.mesh', request, {});
    return use === 'hull'
      ? { kind: 'hull', pointsM: columns.position }
      : { kind: 'mesh', pointsM: columns.position, index: columns.index };
  }

  const ofMotion = (index: number): Promise<PlacedShape[]> =>
    eachOf(
      solid.filter(({ motion }) => motion === index),
      withShape,
    );
  const stationary = solid.filter(({ motion }) => motion === undefined);
  const scene: PhysicsScene = {
    ...physics,
    stationary: await eachOf(stationary, withShape),
    movers: [],
    bodies: [],
  };
  for (const [index, [name, document]] of documents.entries()) {
    const parts = await ofMotion(index);
    const law = recipe.motions?.[index]?.law;
    if (parts.length === 0) continue;
    if (document.kind === 'baked') scene.bodies.push({ name, document, parts });
    else if (law !== undefined) scene.movers.push({ law, parts });
  }
  return scene;
}

async function eachOf<T, R>(list: readonly T[], work: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of list) results.push(await work(one));
  return results;
}

function placedOf(columns: Columns, recipe: SceneRecipe): Placed[] {
  const nameOf = instanceNames(recipe);
  const motionOf = new Map(recipe.instances.map(({ id, motion }) => [id, motion]));
  const placed: Placed[] = [];
  forEachInstance(columns, (row) => {
    placed.push({
      name: nameOf(row.id) ?? `instance-${row.id}`,
      pose: { positionM: [row.xM, row.yM, row.zM], rotation: row.rotation },
      scale: row.scale,
      model: row.model,
      motion: motionOf.get(row.id),
      minM: [row.minXM, row.minYM, row.minZM],
      maxM: [row.maxXM, row.maxYM, row.maxZM],
    });
  });
  return placed;
}

/** Triangles of a shape that has some. */
function trianglesOf(
  recipe: SceneRecipe,
  models: readonly ModelSummary[],
  model: number,
  use: Use,
): number {
  const kind = recipe.models[model]?.source.kind;
  const hasNone =
    use !== 'stationary' || kind === 'box' || kind === 'plant' || kind === 'height-field';
  return hasNone ? 0 : (models[model]?.triangles ?? 0);
}

function checkSizes(triangles: readonly number[]): void {
  const sum = triangles.reduce((total, count) => total + count, 0);
  if (triangles.length <= maxShapes && sum <= maxTriangles) return;
  const found = `found ${countText(triangles.length)} and ${countText(sum)}`;
  throw new UnderstoryError(
    'scene-too-large',
    `expected at most ${countText(maxShapes)} solid instances with ${countText(maxTriangles)} triangles for physics, ${found}; solid: false takes models out`,
  );
}

function boxShape(minM: Vector3, maxM: Vector3): Shape {
  const centreM = minM.map((m, axis) => (m + (maxM[axis] ?? 0)) / 2) as Vector3;
  const sizeM = minM.map((m, axis) => (maxM[axis] ?? 0) - m) as Vector3;
  return { kind: 'box', centreM, sizeM };
}

/** A prism about what stops a vehicle, as high as the plant: crowns stop no stone. */
function trunkShape({ footprintM, minM, maxM }: ModelSummary): Shape {
  const outline = footprintM ?? [];
  const ends = [minM[2], maxM[2]];
  const points = ends.flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
  return { kind: 'hull', pointsM: Float32Array.from(points) };
}
