// Scenes in the catalogue: every instance with its pose, class and extent, stored once for each scene hash.
// Walls, placed objects and small scatters are rows; a scatter of a thousand copies or more is one blob.
import { createHash } from 'node:crypto';
import { UnderstoryError } from '#contract/errors.ts';
import type { ColumnArray, Columns } from '#contract/columns.ts';
import { jsonPieces } from '#contract/wire/jsonText.ts';
import { instanceNames, scatterCopyName } from '#contract/worker/instanceNames.ts';
import type { SceneRecipe, ScatterRecipe } from '#contract/worker/recipe.ts';
import { instanceColumnNames, type SceneSummary } from '#contract/worker/worker.ts';
import type { Catalogue, InstanceRow } from '#services/ports/catalogue.ts';
import { packColumns, unpackColumns } from './blobs.ts';
import type { RunKey } from './runRows.ts';
import type { Database } from './sqlite.ts';

/** Scatters of at least this many copies are ground cover: a blob rather than rows. */
export const coverCopies = 1000;

/** How to count the returns of a scan by class, and where to note them by instance. */
export interface SceneIndex {
  classes: string[];
  /** Class of each instance by id; ids without an instance have class 0. */
  classOf: Uint16Array;
  /** Ranges [firstId, endId) of the ground cover. */
  covers: { name: string; firstId: number; endId: number }[];
}

type Scene = Parameters<Catalogue['saveScene']>[1];
type SceneMethods = Pick<
  Catalogue,
  'saveScene' | 'beginScene' | 'addInstances' | 'endScene' | 'sceneSummary' | 'instances'
>;

interface CoverRecord {
  name: string;
  first_id: number;
  count: number;
  class_id: number;
  model: string;
  instances: Uint8Array;
}

interface InstanceRecord extends Record<(typeof instanceColumnNames)[number], number> {
  name: string;
  model: string;
}

/** The catalogue's methods about scenes. */
export function sceneMethods(database: Database, keyOf: RunKey): SceneMethods {
  const sceneKey = sceneKeys(database, keyOf);
  const known = database
    .prepare<[string, string], number>(
      'SELECT scene_key FROM scenes WHERE hash = ? AND names_hash = ?',
    )
    .pluck();
  const insertScene = database.prepare(
    'INSERT INTO scenes (hash, names_hash, summary, classes) VALUES (?, ?, ?, ?)',
  );
  const insertInstance = database.prepare(`
    INSERT INTO scene_instances (scene_key, instance_id, name, class_id, model, x_m, y_m, z_m, qx, qy,
      qz, qw, scale, min_x_m, min_y_m, min_z_m, max_x_m, max_y_m, max_z_m)
    VALUES (@scene, @instance_id, @name, @class_id, @model, @x_m, @y_m, @z_m, @qx, @qy, @qz, @qw, @scale, @min_x_m, @min_y_m, @min_z_m, @max_x_m, @max_y_m, @max_z_m)`);
  const insertCover = database.prepare(`
    INSERT INTO scene_covers (scene_key, name, first_id, count, class_id, model, instances)
    VALUES (@scene, @name, @firstId, @count, @class, @model, @instances)`);
  const tie = database.prepare(
    'UPDATE runs SET scene_key = ?, isa = ?, engine = ? WHERE run_key = ?',
  );
  const named = database.prepare<[number], InstanceRecord>(
    'SELECT * FROM scene_instances WHERE scene_key = ? ORDER BY instance_id',
  );

  const summaryOf = database
    .prepare<[number], string>('SELECT summary FROM scenes WHERE scene_key = ?')
    .pluck();

  const partial = database
    .prepare<[string], number>('SELECT scene_key FROM scenes WHERE names_hash = ?')
    .pluck();
  const removeScene = database.prepare('DELETE FROM scenes WHERE scene_key = ?');
  const setNames = database.prepare('UPDATE scenes SET names_hash = ? WHERE scene_key = ?');
  const insertSlice = database.prepare(`
    INSERT OR REPLACE INTO scene_cover_slices (scene_key, name, first_id, instances)
    VALUES (?, ?, ?, ?)`);

  const begin = (runId: string, { summary, isa, engine, recipe }: Scene): boolean => {
    const run = keyOf(runId);
    const key = known.get(summary.sceneHash, namesHash(recipe));
    if (key !== undefined) {
      tie.run(key, isa, engine, run);
      return false;
    }
    const left = partial.get(partialName(runId));
    if (left !== undefined) removeScene.run(left);
    const [text, classes] = [JSON.stringify(summary), JSON.stringify(recipe.classes)];
    const inserted = insertScene.run(summary.sceneHash, partialName(runId), text, classes);
    const scene = Number(inserted.lastInsertRowid);
    for (const { name, firstId, count, class: classId, model } of coversIn(recipe)) {
      const values = { scene, name, firstId, count, class: classId };
      insertCover.run({
        ...values,
        model: modelName(recipe, model),
        instances: new Uint8Array(0),
      });
    }
    tie.run(null, isa, engine, run);
    return true;
  };

  const addSlice = (runId: string, recipe: SceneRecipe, columns: Columns): void => {
    const scene = partialKey(runId);
    for (const row of namedRows(recipe, columns)) insertInstance.run({ ...row, scene });
    for (const cover of coversIn(recipe)) {
      const rows = rowsOf(columns, cover);
      const first = rows['instance_id']?.[0];
      if (first !== undefined) insertSlice.run(scene, cover.name, first, packColumns(rows));
    }
  };

  const end = (runId: string, { summary, isa, engine, recipe }: Scene): void => {
    const scene = partialKey(runId);
    const names = namesHash(recipe);
    // Another run may have brought the same scene meanwhile.
    const same = known.get(summary.sceneHash, names);
    if (same === undefined) setNames.run(names, scene);
    else removeScene.run(scene);
    tie.run(same ?? scene, isa, engine, keyOf(runId));
  };

  const partialKey = (runId: string): number => {
    const key = partial.get(partialName(runId));
    if (key === undefined) throw new TypeError(`the scene of run ${runId} was not begun`);
    return key;
  };

  const beginOnce = database.transaction(begin);
  const addOnce = database.transaction(addSlice);
  const endOnce = database.transaction(end);
  const save = database.transaction((runId: string, scene: Scene, columns: Columns) => {
    if (!begin(runId, scene)) return;
    addSlice(runId, scene.recipe, columns);
    end(runId, scene);
  });

  return {
    saveScene: (...args) => save.immediate(...args),
    beginScene: (...args) => beginOnce.immediate(...args),
    addInstances: (...args) => addOnce.immediate(...args),
    endScene: (...args) => endOnce.immediate(...args),
    sceneSummary(runId) {
      const key = sceneKey(runId);
      const json = key === null ? undefined : summaryOf.get(key);
      return json === undefined ? null : (JSON.parse(json) as SceneSummary);
    },
    instances(runId, { class: wanted, limit = Infinity } = {}) {
      const key = sceneKey(runId);
      if (key === null) return [];
      const classes = classesOf(database, key);
      const rows = [...named.all(key)];
      for (const cover of coversOf(database, key))
        for (const row of coverRows(database, key, cover)) rows.push(row);
      return rows
        .filter((row) => wanted === undefined || classes[row.class_id] === wanted)
        .sort((a, b) => a.instance_id - b.instance_id)
        .slice(0, limit)
        .map((row) => toInstanceRow(row, classes));
    },
  };
}

/** Key of the scene of a run, null before the scene was built. */
export function sceneKeys(database: Database, keyOf: RunKey): (runId: string) => number | null {
  const byRun = database
    .prepare<[number], number | null>('SELECT scene_key FROM runs WHERE run_key = ?')
    .pluck();
  return (runId) => byRun.get(keyOf(runId)) ?? null;
}

/** Reads what addScan needs of a scene. Memory: two bytes an instance. */
export function readSceneIndex(database: Database, sceneKey: number): SceneIndex {
  const named = database
    .prepare<[number], { instance_id: number; class_id: number }>(
      'SELECT instance_id, class_id FROM scene_instances WHERE scene_key = ?',
    )
    .all(sceneKey);
  const covers = coversOf(database, sceneKey).map((cover) => ({
    name: cover.name,
    firstId: cover.first_id,
    endId: cover.first_id + cover.count,
    classId: cover.class_id,
  }));
  const lastNamed = named.reduce((last, { instance_id }) => Math.max(last, instance_id), 0);
  const end = covers.reduce((last, { endId }) => Math.max(last, endId), lastNamed + 1);
  const classOf = new Uint16Array(end);
  for (const { instance_id, class_id } of named) classOf[instance_id] = class_id;
  for (const { firstId, endId, classId } of covers) classOf.fill(classId, firstId, endId);
  return { classes: classesOf(database, sceneKey), classOf, covers };
}

/**
 * Id of the instance with this name, and whether it is ground cover.
 * @throws UnderstoryError 'not-found'
 */
export function findInstance(
  database: Database,
  sceneKey: number,
  name: string,
): { id: number; isCover: boolean } {
  const id = database
    .prepare<[number, string], number>(
      'SELECT instance_id FROM scene_instances WHERE scene_key = ? AND name = ?',
    )
    .pluck()
    .get(sceneKey, name);
  if (id !== undefined) return { id, isCover: false };
  const [, coverName, number] = /^(.*)-([1-9][0-9]*)$/.exec(name) ?? [];
  const cover = coversOf(database, sceneKey).find((candidate) => candidate.name === coverName);
  if (cover === undefined || Number(number) > cover.count) {
    throw new UnderstoryError('not-found', `the scene has no instance '${name}'`, { name });
  }
  return { id: cover.first_id + Number(number) - 1, isCover: true };
}

function coversOf(database: Database, sceneKey: number): CoverRecord[] {
  const sql = 'SELECT * FROM scene_covers WHERE scene_key = ? ORDER BY first_id';
  return database.prepare<[number], CoverRecord>(sql).all(sceneKey);
}

function classesOf(database: Database, sceneKey: number): string[] {
  const sql = 'SELECT classes FROM scenes WHERE scene_key = ?';
  const json = database.prepare<[number], string>(sql).pluck().get(sceneKey);
  return JSON.parse(json ?? '[]') as string[];
}

/** The rows of scene.instances that belong to a scatter: they lie side by side, in order of id. */
function rowsOf(columns: Columns, scatter: ScatterRecipe): Columns {
  const ids = column(columns, 'instance_id');
  const from = ids.findIndex((id: number | bigint) => Number(id) >= scatter.firstId);
  const first = from < 0 ? ids.length : from;
  let end = first;
  while (end < ids.length && holds(scatter, Number(ids[end]))) end += 1;
  return Object.fromEntries(
    Object.entries(columns).map(([name, array]) => [name, array.slice(first, end)]),
  );
}

function* coverRows(
  database: Database,
  sceneKey: number,
  cover: CoverRecord,
): Generator<InstanceRecord> {
  if (cover.instances.length > 0) yield* rowsOfBlob(cover, cover.instances);
  const slices = database
    .prepare<[number, string], Uint8Array>(
      'SELECT instances FROM scene_cover_slices WHERE scene_key = ? AND name = ? ORDER BY first_id',
    )
    .pluck();
  for (const blob of slices.all(sceneKey, cover.name)) yield* rowsOfBlob(cover, blob);
}

function* rowsOfBlob(cover: CoverRecord, blob: Uint8Array): Generator<InstanceRecord> {
  const columns = unpackColumns(blob);
  const ids = column(columns, 'instance_id');
  for (const row of ids.keys()) {
    const values = instanceColumnNames.map((key) => [key, Number(columns[key]?.[row])]);
    const instanceId = Number(ids[row]);
    const name = scatterCopyName({ name: cover.name, firstId: cover.first_id }, instanceId);
    yield { ...(Object.fromEntries(values) as InstanceRecord), name, model: cover.model };
  }
}

function toInstanceRow(row: InstanceRecord, classes: string[]): InstanceRow {
  return {
    id: row.instance_id,
    name: row.name,
    class: classes[row.class_id] ?? '',
    model: row.model,
    pose: {
      positionM: [row.x_m, row.y_m, row.z_m],
      rotation: [row.qx, row.qy, row.qz, row.qw],
    },
    scale: row.scale,
    minM: [row.min_x_m, row.min_y_m, row.min_z_m],
    maxM: [row.max_x_m, row.max_y_m, row.max_z_m],
  };
}

/** The rows of a slice of scene.instances that are no ground cover. */
function* namedRows(recipe: SceneRecipe, columns: Columns): Generator<InstanceRecord> {
  const covers = coversIn(recipe);
  const nameOf = instanceNames(recipe);
  for (const [row, value] of column(columns, 'instance_id').entries()) {
    const id = Number(value);
    if (covers.some((cover) => holds(cover, id))) continue;
    const values = instanceColumnNames.map((key) => [key, Number(columns[key]?.[row])]);
    yield {
      ...(Object.fromEntries(values) as InstanceRecord),
      name: nameOf(id) ?? '',
      model: modelName(recipe, Number(columns['model_id']?.[row])),
    };
  }
}

/** Scatters that are ground cover. */
function coversIn({ scatters }: SceneRecipe): ScatterRecipe[] {
  return scatters.filter(({ count }) => count >= coverCopies);
}

/** Replaces the hash of names of a scene that is not complete yet. */
function partialName(runId: string): string {
  return `partial:${runId}`;
}

function column(columns: Columns, name: string): ColumnArray {
  const array = columns[name];
  if (array === undefined) throw new TypeError(`scene.instances lacks the column ${name}`);
  return array;
}

function holds({ firstId, count }: ScatterRecipe, id: number): boolean {
  return id >= firstId && id < firstId + count;
}

function namesHash({ classes, models, instances, scatters }: SceneRecipe): string {
  const names = [models, instances, scatters].map((items) => items.map(({ name }) => name));
  // The hash of JSON.stringify([classes, names]), taken in slices.
  const hash = createHash('sha256').update(`[${JSON.stringify(classes)},`);
  for (const [index, list] of names.entries()) {
    hash.update(index === 0 ? '[' : ',');
    for (const piece of jsonPieces(list)) hash.update(piece);
  }
  return hash.update(']]').digest('hex');
}

function modelName(recipe: SceneRecipe, model: number): string {
  return recipe.models[model]?.name ?? '';
}
