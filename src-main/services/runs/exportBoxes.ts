// runs.export of what moves: a CSV file with a row for each object at the end of each tick, in the world.
import { badInput, throwIfCancelled } from '#contract/errors.ts';
import type { ObjectState } from '#contract/host/movingObjects.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { originOf, toWorld, type OriginM } from '#contract/worldOrigin.ts';
import { velocityAt } from '#domain/shared/motion/frames.ts';
import { hasMovingObjects } from '#domain/shared/motion/laws.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { RecordingReader } from '#services/ports/recordings.ts';
import { atField, type ExportRunPorts } from './exportedScans.ts';

/**
 * `id` counts the objects from 1. The pose is that of the middle of the box: worldFromBox, with its length along x, width
 * along y and height along z; the velocity that of the same point.
 */
const columns = [
  ...['time_s', 'id', 'name', 'class', 'x_m', 'y_m', 'z_m', 'qx', 'qy', 'qz', 'qw'],
  ...['length_m', 'width_m', 'height_m'],
  ...['velocity_x_m_per_s', 'velocity_y_m_per_s', 'velocity_z_m_per_s'],
];

/** @throws as exportRun, and 'bad-input' where nothing but the vehicle moves */
export async function exportBoxes(
  { exporters }: ExportRunPorts,
  reader: RecordingReader,
  { out, isReplacing, fromS = 0, toS = Infinity }: RequestOf<'runs.export'>,
  { signal, progress }: HandlerContext,
): Promise<Replies['runs.export']> {
  const { recipe, scenario } = reader.header.compiled;
  if (!hasMovingObjects(recipe)) {
    const message =
      'expected a run in which something besides the vehicle moves: boxes are of that';
    throw badInput('format', message, { title: 'nothing but the vehicle moves in the run' });
  }
  const rowOf = createRows(recipe, originOf(scenario.scene));
  const table = await exporters
    .createTable(out, columns, { isReplacing })
    .catch((error: unknown) => {
      throw atField('out', error);
    });
  let boxes = 0;
  try {
    for await (const { timeNs, objects } of reader.objects()) {
      throwIfCancelled(signal);
      const timeS = timeNs / 1e9;
      if (timeS <= fromS) continue;
      if (timeS > toS) break;
      const rows = objects.map((object) => rowOf(object, timeS));
      await table.write(rows);
      boxes += rows.length;
      progress({ phase: 'exporting', done: boxes, total: 0 });
    }
    await table.close();
    return { files: [out], points: boxes, leftOut: [] };
  } catch (error) {
    await table.abort();
    throw error;
  }
}

/** Rows of objects in the world; ids count the names in their order. */
function createRows(
  { motions = [] }: SceneRecipe,
  originM: OriginM,
): (object: ObjectState, timeS: number) => (string | number)[] {
  const laws = new Map(motions.map(({ name, law }) => [name, law]));
  const ids = new Map<string, number>();
  return ({ name, class: className, pose, sizeM }, timeS) => {
    const id = ids.get(name) ?? ids.size + 1;
    ids.set(name, id);
    const law = laws.get(name);
    const velocityMPerS = law === undefined ? [] : velocityAt(law, timeS, pose.positionM);
    const placeM = toWorld(originM, pose.positionM);
    return [timeS, id, name, className, ...placeM, ...pose.rotation, ...sizeM, ...velocityMPerS];
  };
}
