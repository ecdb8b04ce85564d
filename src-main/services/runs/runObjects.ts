// Moving objects of a run, from what the catalogue has of its scene.
import type { MovingObject } from '#contract/host/movingObjects.ts';
import { hasMotions } from '#contract/worker/motions.ts';
import type { TextJobs } from '#domain/scenario/textJobs.ts';
import { movingObjectsFrom } from '#domain/truth/movingObjects.ts';
import type { Catalogue, InstanceRow } from '#services/ports/catalogue.ts';
import { compiledOf, compiledWithoutObjects } from './storedDocument.ts';

/** None where nothing moves, or before the scene is built. @throws as compiledOf */
export async function runObjects(
  ports: { catalogue: Catalogue; texts: TextJobs },
  runId: string,
): Promise<MovingObject[]> {
  const summary = ports.catalogue.sceneSummary(runId);
  const outline = await compiledWithoutObjects(ports, runId);
  if (summary === null || !hasMotions(outline.recipe)) return [];
  const { recipe } = await compiledOf(ports, runId);
  const moving = new Set(
    recipe.instances.flatMap(({ id, motion }) => (motion === undefined ? [] : [id])),
  );
  const rows = ports.catalogue.instances(runId).filter(({ id }) => moving.has(id));
  const models = new Map(recipe.models.map(({ name }, index) => [name, index]));
  const column = (value: (row: InstanceRow) => number): Float64Array =>
    Float64Array.from(rows, value);
  const instances = {
    instance_id: Uint32Array.from(rows, ({ id }) => id),
    model_id: Uint16Array.from(rows, ({ model }) => models.get(model) ?? 0),
    x_m: column(({ pose }) => pose.positionM[0]),
    y_m: column(({ pose }) => pose.positionM[1]),
    z_m: column(({ pose }) => pose.positionM[2]),
    qx: column(({ pose }) => pose.rotation[0]),
    qy: column(({ pose }) => pose.rotation[1]),
    qz: column(({ pose }) => pose.rotation[2]),
    qw: column(({ pose }) => pose.rotation[3]),
    scale: column(({ scale }) => scale),
  };
  return movingObjectsFrom(summary, instances, recipe);
}
