// The catalogue on a real file: what is put in comes out, also after it was opened again.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { migrationsFolder } from '#catalogue/migrate.ts';
import { openSqlite } from '#catalogue/sqlite.ts';
import type { RunMetrics, ScanRecord } from '#contract/host/run.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import { sampleTickRecord } from '#test/recordings/samples.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {
  firstGrassId,
  grassCount,
  instanceValue,
  sampleInstances,
  sampleRecipe,
  sampleRun,
  sampleSavedScene,
  sampleSummary,
} from './sampleScene.ts';

function open(file = join(temporaryFolder(), 'data', 'catalogue.sqlite')): Catalogue {
  const catalogue = openCatalogue(file);
  onTestFinished(() => catalogue.dispose());
  return catalogue;
}

function scanRecord(tick: number, sensor = 0): ScanRecord {
  const fromNs = tick * 1e8;
  return { tick, sensor, fromNs, toNs: fromNs + 1e8, pulses: 100, returns: 90, hash: `h${tick}` };
}

const scene = sampleSavedScene();

test('a run goes from running to its end, and is found again', () => {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const first = open(file);
  const run = sampleRun(1);
  first.insertRun(run);
  expect(first.run(run.id)).toMatchObject({
    state: 'running',
    isa: null,
    sceneHash: null,
    end: null,
  });
  expect(first.sceneSummary(run.id)).toBeNull();
  first.saveScene(run.id, scene, sampleInstances());
  const metrics = { simSeconds: 10, collidedWith: ['tree-12'], meanPositionErrorM: 0.1 + 0.2 };
  first.endRun(run.id, {
    state: 'finished',
    end: 'goal',
    metrics: metrics as RunMetrics,
    error: null,
    endedMs: 5,
  });
  const again = open(file);
  expect(again.run(run.id)).toEqual({
    id: run.id,
    name: 'run 1',
    state: 'finished',
    createdMs: run.createdMs,
    endedMs: 5,
    scenarioHash: run.compiled.scenarioHash,
    scenarioName: 'sample',
    seed: 1,
    sensors: ['vlp-16', 'lms-291'],
    version: '0.1.0',
    isa: 'avx2',
    engine: 'e',
    hostName: 'test',
    origin: null,
    sceneHash: 'scene-1',
    simSeconds: 10,
    points: null,
    end: 'goal',
    metrics,
    error: null,
    deletedMs: null,
    notes: '',
    tags: [],
  });
  expect(again.compiled(run.id)).toEqual(run.compiled);
  expect(again.order(run.id)).toEqual(run.order);
  expect(again.sceneSummary(run.id)).toEqual(sampleSummary());
});

test('runs are listed newest first, by state, without the trash unless asked for', () => {
  const catalogue = open();
  for (const number of [1, 2, 3, 4]) catalogue.insertRun(sampleRun(number));
  catalogue.markInterrupted(sampleRun(2).id, 'the host died', 9);
  catalogue.trash(sampleRun(3).id, 10);
  const names = (filter?: Parameters<Catalogue['runs']>[0]): string[] =>
    catalogue.runs(filter).map((run) => run.name);
  expect(names()).toEqual(['run 4', 'run 2', 'run 1']);
  expect(names({ withTrash: true, limit: 2 })).toEqual(['run 4', 'run 3']);
  expect(names({ state: 'interrupted' })).toEqual(['run 2']);
  expect(catalogue.run(sampleRun(2).id)).toMatchObject({ error: 'the host died', endedMs: 9 });
});

test('only a running run can be marked as interrupted', () => {
  const catalogue = open();
  const { id } = sampleRun(1);
  catalogue.insertRun(sampleRun(1));
  catalogue.endRun(id, { state: 'finished', end: 'goal', metrics: null, error: null, endedMs: 1 });
  catalogue.markInterrupted(id, 'late', 2);
  expect(catalogue.run(id)).toMatchObject({ state: 'finished', error: null, endedMs: 1 });
});

test('a run is found by a prefix that only one run has', () => {
  const catalogue = open();
  catalogue.insertRun(sampleRun(1, { id: 'aaaa-1' }));
  catalogue.insertRun(sampleRun(2, { id: 'aaaa-12' }));
  catalogue.insertRun(sampleRun(3, { id: 'b%_b' }));
  expect(catalogue.run('aaaa-12')?.name).toBe('run 2');
  expect(catalogue.run('aaaa-1')?.name).toBe('run 1'); // a whole id, though a prefix of another
  expect(catalogue.run('b')?.name).toBe('run 3');
  expect(catalogue.run('%')).toBeNull();
  expect(catalogue.run('c')).toBeNull();
  expect(() => catalogue.run('aaaa')).toThrow(expect.objectContaining({ code: 'bad-input' }));
  catalogue.trash('aaaa-1', 1);
  expect(catalogue.run('aaaa')?.name).toBe('run 2'); // what is in the trash gives way
  expect(() => catalogue.ticks('missing')).toThrow(expect.objectContaining({ code: 'not-found' }));
});

test('a scene is kept once for its hash, every instance with its own values', () => {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const catalogue = open(file);
  for (const number of [1, 2]) {
    catalogue.insertRun(sampleRun(number));
    catalogue.saveScene(sampleRun(number).id, scene, sampleInstances());
  }
  const instances = catalogue.instances(sampleRun(2).id);
  expect(instances).toHaveLength(12 + grassCount - 100);
  expect(instances.slice(1, 5).map((row) => [row.id, row.name, row.class, row.model])).toEqual([
    [2, 'wall-north', 'wall', 'wall'],
    [3, 'tree-12', 'tree', 'tree'],
    [4, 'tree-13', 'tree', 'tree'],
    [5, 'shrub-1', 'shrub', 'shrub'],
  ]);
  expect(instances[12 + 499]?.name).toBe('grass-500');
  for (const row of instances) {
    const value = (column: number): number => instanceValue(row.id, column);
    expect(row.pose.positionM).toEqual([value(3), value(4), value(5)]);
    expect(row.pose.rotation).toEqual([value(6), value(7), value(8), value(9)]);
    expect(row.scale).toBe(value(10));
    expect(row.minM).toEqual([value(11), value(12), value(13)]);
    expect(row.maxM).toEqual([value(14), value(15), value(16)]);
  }
  const renamed = structuredClone(sampleRecipe);
  for (const placed of renamed.instances) if (placed.id === 3) placed.name = 'oak';
  catalogue.insertRun(sampleRun(3));
  catalogue.saveScene(sampleRun(3).id, { ...scene, recipe: renamed }, sampleInstances());
  expect(catalogue.instances(sampleRun(3).id)[2]?.name).toBe('oak');
  expect(catalogue.instances(sampleRun(1).id)[2]?.name).toBe('tree-12');
  const trees = catalogue.instances(sampleRun(1).id, { class: 'tree', limit: 1 });
  expect(trees.map((row) => row.name)).toEqual(['tree-12']);
  const database = openSqlite(file, { timeoutMs: 0 });
  expect(database.prepare('SELECT count(*) FROM scenes').pluck().get()).toBe(2);
  expect(database.prepare('SELECT count(*) FROM scene_instances').pluck().get()).toBe(24);
  expect(database.prepare('SELECT count(*) FROM documents').pluck().get()).toBe(1);
  database.close();
});

test('scans are counted by class, by named instance and by ground cover', () => {
  const catalogue = open();
  const { id } = sampleRun(1);
  catalogue.insertRun(sampleRun(1));
  catalogue.saveScene(id, scene, sampleInstances());
  const lastGrass = firstGrassId + 19_899;
  const counts: [number, number][][] = [
    [
      [1, 500],
      [3, 49],
      [firstGrassId, 3],
      [lastGrass, 7],
    ],
    [
      [3, 50],
      [5, 4],
      [firstGrassId + 1, 8],
    ],
    [],
    [
      [3, 51],
      [4, 60],
      [lastGrass, 8],
    ],
  ];
  for (const [tick, rows] of counts.entries()) {
    const ids = Uint32Array.from(rows, ([object]) => object);
    catalogue.addScan(
      id,
      scanRecord(tick),
      ids,
      Uint32Array.from(rows, ([, returns]) => returns),
    );
  }
  expect(catalogue.scans(id)).toEqual([
    { ...scanRecord(0), classReturns: { ground: 500, tree: 49, grass: 10 } },
    { ...scanRecord(1), classReturns: { tree: 50, shrub: 4, grass: 8 } },
    { ...scanRecord(2), classReturns: {} },
    { ...scanRecord(3), classReturns: { tree: 111, grass: 8 } },
  ]);
  const found = (name: string, least: number): [number, number][] =>
    catalogue.scansOfInstance(id, name, least).map((scan) => [scan.tick, scan.objectReturns]);
  expect(found('tree-12', 50)).toEqual([
    [1, 50],
    [3, 51],
  ]);
  expect(found('shrub-1', 1)).toEqual([[1, 4]]);
  expect(found('grass-19900', 1)).toEqual([
    [0, 7],
    [3, 8],
  ]);
  expect(found('grass-19900', 8)).toEqual([[3, 8]]);
  expect(found('grass-2', 1)).toEqual([[1, 8]]);
  expect(found('grass-3', 1)).toEqual([]);
  for (const name of ['missing', 'grass-0', `grass-${grassCount + 1}`, 'grass', 'tree-1']) {
    expect(() => found(name, 1), name).toThrow(expect.objectContaining({ code: 'not-found' }));
  }
});

test('ticks come back exactly', () => {
  const catalogue = open();
  catalogue.insertRun(sampleRun(1));
  const ticks = Array.from({ length: 20 }, (_, tick) => ({
    ...sampleTickRecord(tick),
    // Not every tick has a fix.
    ...(tick % 3 === 0 && { gpsM: [tick / 7, -1 - tick, 0.25] as [number, number, number] }),
  }));
  for (const tick of ticks) catalogue.addTick(sampleRun(1).id, tick);
  expect(catalogue.ticks(sampleRun(1).id)).toEqual(ticks);
});

test('the order and metrics of ten thousand runs are listed', () => {
  const catalogue = open();
  for (let number = 0; number < 10_000; number++) catalogue.insertRun(sampleRun(number));
  const runs = catalogue.runs();
  expect(runs).toHaveLength(10_000);
  expect(runs[0]?.name).toBe('run 9999');
});

test('a new file goes through every migration, and an older one through those it lacks', () => {
  const folder = temporaryFolder();
  const migrations = join(folder, 'migrations');
  const names = readdirSync(migrationsFolder).sort();
  mkdirSync(migrations);
  for (const name of names) copyFileSync(join(migrationsFolder, name), join(migrations, name));
  const file = join(folder, 'catalogue.sqlite');
  const old = openCatalogue(file);
  old.insertRun(sampleRun(1));
  old.dispose();
  const next = names.length + 1;
  writeFileSync(
    join(migrations, `${String(next).padStart(4, '0')}_more.sql`),
    "ALTER TABLE runs ADD COLUMN more TEXT NOT NULL DEFAULT 'none';",
  );
  const migrated = openCatalogue(file, migrations);
  expect(migrated.run(sampleRun(1).id)?.name).toBe('run 1');
  migrated.dispose();
  const backup = openSqlite(`${file}.version-${names.length}`, { timeoutMs: 0 });
  expect(backup.prepare('SELECT name FROM runs').pluck().get()).toBe('run 1');
  expect(backup.pragma('user_version', { simple: true })).toBe(names.length);
  backup.close();
  const database = openSqlite(file, { timeoutMs: 0 });
  expect(database.prepare('SELECT more FROM runs').pluck().get()).toBe('none');
  expect(database.pragma('user_version', { simple: true })).toBe(next);
  database.close();
  // and now the file is newer than a build with one migration less
  expect(() => openCatalogue(file)).toThrow(
    expect.objectContaining({
      code: 'unsupported',
      details: { file, found: next, known: names.length },
    }),
  );
});

test('a migration that fails leaves the database as it was', () => {
  const folder = temporaryFolder();
  const migrations = join(folder, 'migrations');
  mkdirSync(migrations);
  writeFileSync(join(migrations, '0001_half.sql'), 'CREATE TABLE half (a); SELECT * FROM nowhere;');
  const file = join(folder, 'catalogue.sqlite');
  expect(() => openCatalogue(file, migrations)).toThrow(/nowhere/);
  const database = openSqlite(file, { timeoutMs: 0 });
  expect(database.prepare('SELECT count(*) FROM sqlite_master').pluck().get()).toBe(0);
  database.close();
});

test('a file that is no catalogue is called corrupt, with what to do', () => {
  const folder = temporaryFolder();
  const text = join(folder, 'text.sqlite');
  writeFileSync(
    text,
    'this is a text and no database, long enough to be read as a page. '.repeat(100),
  );
  expect(() => openCatalogue(text)).toThrow(expect.objectContaining({ code: 'corrupt' }));
  expect(() => openCatalogue(text)).toThrow(/Move it away/);
  const damaged = join(folder, 'damaged.sqlite');
  const catalogue = openCatalogue(damaged);
  catalogue.insertRun(sampleRun(1));
  catalogue.dispose();
  const bytes = readFileSync(damaged);
  bytes.fill(0xff, 4096);
  writeFileSync(damaged, bytes);
  expect(() => {
    const opened = openCatalogue(damaged);
    try {
      opened.runs();
    } finally {
      opened.dispose();
    }
  }).toThrow(expect.objectContaining({ code: 'corrupt' }));
});

test('plants of a scene are kept for all of its runs, and go with it', () => {
  const catalogue = open();
  const [one, other] = [sampleRun(1), sampleRun(2)];
  const plants = {
    instance_id: Uint32Array.of(3, 4),
    height_m: Float64Array.of(12.5, Number.NaN),
  };
  catalogue.insertRun(one);
  // Before the scene is built there is nothing to keep them for.
  catalogue.savePlants(one.id, plants);
  expect(catalogue.plants(one.id)).toBeNull();
  catalogue.saveScene(one.id, scene, sampleInstances());
  expect(catalogue.plants(one.id)).toBeNull();
  catalogue.savePlants(one.id, plants);
  catalogue.insertRun(other);
  catalogue.saveScene(other.id, scene, sampleInstances());
  expect(catalogue.plants(other.id)).toEqual(plants);
  catalogue.removeRun(one.id, 1000);
  expect(catalogue.plants(other.id)).toEqual(plants);
  expect(catalogue.check(false).faults).toEqual([]);
});
