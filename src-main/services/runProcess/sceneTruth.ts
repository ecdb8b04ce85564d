// The truth about a built scene that a drive needs: terrain, obstacles, ground cover, and the boxes of what moves.
import type { Columns } from '#contract/columns.ts';
import type { MovingObject } from '#contract/host/movingObjects.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import type { BodyBox } from '#domain/autonomy/tickMapping.ts';
import { bodyBoxFrom, movingObjectsFrom } from '#domain/truth/movingObjects.ts';
import {
  coverFrom,
  isLearned,
  learnedObstacles,
  obstaclesFrom,
  withLearnedCover,
  type GroundCover,
  type Obstacle,
} from '#domain/truth/obstacles.ts';
import { learnedTerrain, terrainOf, type Terrain } from '#domain/truth/terrain.ts';
import type { ScanWorker } from '#services/ports/workers.ts';

/** The scene that a drive is judged against, relative to its origin; surfaces of learned models among it. */
export interface SceneTruth {
  terrain: Terrain;
  obstacles: Obstacle[];
  cover: GroundCover;
  /** Boxes of what moves. */
  objects: MovingObject[];
  /** The box of the vehicle itself; null: it has none. */
  body: BodyBox | null;
}

/** @param worker that built the scene, with its `summary` and the columns of `scene.instances` */
export async function sceneTruth(
  worker: ScanWorker,
  { recipe }: CompiledScenario,
  heights: Float32Array,
  summary: SceneSummary,
  instances: Columns,
): Promise<SceneTruth> {
  const terrain = terrainOf(recipe, heights);
  const obstacles = obstaclesFrom(summary, instances, recipe, terrain);
  const cover = coverFrom(summary, instances, recipe);
  const objects = movingObjectsFrom(summary, instances, recipe);
  const body = bodyBoxFrom(summary, instances, recipe);
  if (!recipe.models.some(isLearned)) return { terrain, obstacles, cover, objects, body };
  const ground = await worker.call('scene.ground', {}, {});
  const { columns, rows, originM, stepM } = ground.body;
  const values = ground.columns;
  const field = {
    columns,
    rows,
    originM,
    stepM: [stepM, stepM],
    heightsM: values.height_m,
  } as const;
  return {
    terrain: columns > 0 ? learnedTerrain(field, terrain) : terrain,
    obstacles: [...obstacles, ...learnedObstacles(values, instances, recipe)],
    cover: withLearnedCover(cover, values, stepM),
    objects,
    body,
  };
}
