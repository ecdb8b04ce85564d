// Every kind of damage to a data folder is found as what it is, and as nothing else; what can be repaired is not found
// a second time.
import {
  chmodSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRunLocks } from '#catalogue/runLocks.ts';
import { openSqlite, type Database } from '#catalogue/sqlite.ts';
import type { Finding, FindingKind } from '#contract/host/dataMethods.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { checkFolder, makeSoundFolder } from './soundFolder.ts';

let sound: string;
/** Runs with recordings, and the one of the bundle. */
let first: string;
let second: string;
let bundled: string;
let meshes: string[];
let setFolder: string;

beforeAll(async () => {
  const made = await makeSoundFolder();
  sound = made.folder;
  [first = '', second = ''] = made.runIds;
  const data = join(sound, 'data');
  bundled = readdirSync(join(data, 'runs')).find((id) => !made.runIds.includes(id)) ?? '';
  const stored = readdirSync(join(data, 'meshes'));
  meshes = stored.filter((name) => name.endsWith('.obj'));
  setFolder = stored.find((name) => !name.includes('.')) ?? '';
}, 240_000);
afterAll(() => rmSync(sound, { recursive: true, force: true }));

function copy(): string {
  const folder = temporaryFolder();
  cpSync(sound, folder, { recursive: true, preserveTimestamps: true });
  return folder;
}

function flip(file: string, at: number): void {
  const descriptor = openSync(file, 'r+');
  const byte = readFileSync(file)[at] ?? 0;
  writeSync(descriptor, Uint8Array.of(byte ^ 0x40), 0, 1, at);
  closeSync(descriptor);
}

function withRows(data: string, change: (database: Database) => void): void {
  const database = openSqlite(join(data, 'catalogue.sqlite'), { timeoutMs: 1000 });
  database.pragma('foreign_keys = OFF');
  change(database);
  database.close();
}

const recordingOf = (data: string, id: string): string => join(data, 'runs', id, 'recording.mcap');
const old = new Date(Date.now() - 7_200_000);

/** A file of a process that is gone, from hours ago. */
function leave(file: string): void {
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, 'half');
  utimesSync(file, old, old);
}

interface Damage {
  name: string;
  damage: (data: string) => void;
  /** Each finding: its kind and the beginning of its path. */
  found: () => [FindingKind, string][];
  /** Findings that are there after a repair. */
  left?: () => [FindingKind, string][];
}

const none = (): [FindingKind, string][] => [];

const damages: Damage[] = [
  {
    name: 'a byte of a chunk',
    damage: (data) => flip(recordingOf(data, first), statSync(recordingOf(data, first)).size / 2),
    found: () => [['recording-damaged', `runs/${first}/recording.mcap`]],
    left: () => [['recording-damaged', `runs/${first}/recording.mcap`]],
  },
  {
    name: 'a byte of a summary',
    damage: (data) => flip(recordingOf(data, first), statSync(recordingOf(data, first)).size - 200),
    found: () => [['recording-damaged', `runs/${first}/recording.mcap`]],
    left: () => [['recording-damaged', `runs/${first}/recording.mcap`]],
  },
  {
    name: 'a byte of a head',
    damage: (data) => flip(recordingOf(data, first), 300),
    found: () => [['recording-damaged', `runs/${first}/recording.mcap`]],
    left: () => [['recording-damaged', `runs/${first}/recording.mcap`]],
  },
  {
    name: 'a byte of heights',
    damage: (data) => flip(join(data, 'runs', bundled, 'heights.f32'), 6),
    found: () => [['side-file-damaged', `runs/${bundled}/heights.f32`]],
    left: () => [['side-file-damaged', `runs/${bundled}/heights.f32`]],
  },
  {
    name: 'a recording that is cut off',
    damage: (data) => {
      const { size } = statSync(recordingOf(data, first));
      truncateSync(recordingOf(data, first), Math.floor(size / 2));
    },
    found: () => [['recording-cut-off', `runs/${first}/recording.mcap`]],
    left: none,
  },
  {
    name: 'one that is cut off, with damage before chunks that are whole',
    damage: (data) => {
      const file = recordingOf(data, second);
      const at = readFileSync(file).indexOf('zstd');
      flip(file, at + 40);
      truncateSync(file, statSync(file).size - 20);
    },
    found: () => [['recording-damaged', `runs/${second}/recording.mcap`]],
    left: () => [['recording-damaged', `runs/${second}/recording.mcap`]],
  },
  {
    name: 'a recording that is gone',
    damage: (data) => rmSync(recordingOf(data, first)),
    found: () => [['recording-missing', `runs/${first}/recording.mcap`]],
    left: () => [['recording-missing', `runs/${first}/recording.mcap`]],
  },
  {
    name: 'a recording of another run',
    damage: (data) =>
      withRows(data, (rows) =>
        rows.prepare("UPDATE runs SET scenario_hash = 'other' WHERE id = ?").run(first),
      ),
    found: () => [['recording-differs', `runs/${first}/recording.mcap`]],
    left: () => [['recording-differs', `runs/${first}/recording.mcap`]],
  },
  {
    name: 'a scan that the catalogue lacks',
    damage: (data) => withRows(data, (rows) => rows.exec('DELETE FROM scans WHERE scan_key = 2')),
    found: () => [['recording-differs', `runs/${first}/recording.mcap`]],
    left: none,
  },
  {
    name: 'the hash of a scan',
    damage: (data) =>
      withRows(data, (rows) => rows.exec("UPDATE scans SET hash = 'other' WHERE scan_key = 3")),
    found: () => [['recording-differs', `runs/${first}/recording.mcap`]],
    left: none,
  },
  {
    name: 'points that the recording does not have',
    damage: (data) =>
      withRows(data, (rows) => rows.prepare('UPDATE runs SET points = 7 WHERE id = ?').run(first)),
    found: () => [['recording-differs', `runs/${first}/recording.mcap`]],
    left: none,
  },
  {
    name: 'a row that was deleted',
    damage: (data) =>
      withRows(data, (rows) => rows.prepare('DELETE FROM runs WHERE id = ?').run(second)),
    found: () => [
      ['rows-unreachable', 'catalogue.sqlite: scans'],
      ['rows-unreachable', 'catalogue.sqlite: ticks'],
      ['rows-unreachable', 'catalogue.sqlite: run_sensors'],
      ['run-without-row', `runs/${second}`],
    ],
    left: none,
  },
  {
    name: 'a cell that is no JSON',
    damage: (data) =>
      withRows(data, (rows) =>
        rows.prepare("UPDATE runs SET run_order = '{' WHERE id = ?").run(bundled),
      ),
    found: () => [['row-damaged', 'catalogue.sqlite: runs.run_order']],
    left: () => [['row-damaged', 'catalogue.sqlite: runs.run_order']],
  },
  {
    name: 'a scenario with another text',
    damage: (data) =>
      withRows(data, (rows) =>
        rows
          .prepare(
            `UPDATE documents SET json = replace(json, 'Mesh yard', 'Mash yard')
             WHERE hash = (SELECT document_hash FROM runs WHERE id = ?)`,
          )
          .run(bundled),
      ),
    found: () => [['scenario-damaged', `runs/${bundled}`]],
    left: () => [['scenario-damaged', `runs/${bundled}`]],
  },
  {
    name: 'words to search for',
    damage: (data) =>
      withRows(data, (rows) => rows.exec("UPDATE run_search SET name = 'x' WHERE rowid = 1")),
    found: () => [['index-damaged', 'catalogue.sqlite: run_search']],
    left: none,
  },
  {
    name: 'an index that lacks a row',
    damage: (data) =>
      withRows(data, (rows) => {
        // The index forgets a row: it is told that it has none to keep.
        rows.unsafeMode(true);
        rows.pragma('writable_schema = ON');
        const set = rows.prepare(
          "UPDATE sqlite_schema SET sql = sql || ? WHERE name = 'runs_by_seed'",
        );
        set.run(' WHERE seed < -1');
        rows.pragma('writable_schema = RESET');
        rows.exec('REINDEX runs_by_seed');
        rows.pragma('writable_schema = ON');
        rows.exec(
          "UPDATE sqlite_schema SET sql = replace(sql, ' WHERE seed < -1', '') WHERE name = 'runs_by_seed'",
        );
        rows.pragma('writable_schema = RESET');
      }),
    found: () => [['index-damaged', 'catalogue.sqlite: runs_by_seed']],
    left: none,
  },
  {
    name: 'a planned run that another run did',
    damage: (data) =>
      withRows(data, (rows) =>
        rows.exec("UPDATE campaign_runs SET identity = 'a'; UPDATE runs SET identity = 'b'"),
      ),
    found: () => [['campaign-differs', "catalogue.sqlite: campaign 'density', planned run 0"]],
    left: () => [['campaign-differs', "catalogue.sqlite: campaign 'density', planned run 0"]],
  },
  {
    name: 'a campaign that was cut off',
    damage: (data) =>
      withRows(data, (rows) => rows.exec("UPDATE campaign_runs SET state = 'running'")),
    found: () => [['campaign-interrupted', 'campaigns/density']],
    left: none,
  },
  {
    name: 'a mesh with another content',
    damage: (data) => flip(join(data, 'meshes', meshes[0] ?? ''), 3),
    found: () => [['mesh-damaged', `meshes/${meshes[0]}`]],
    left: () => [['mesh-missing', `meshes/${meshes[0]}`]],
  },
  {
    name: 'a mesh that is gone',
    damage: (data) => rmSync(join(data, 'meshes', meshes[0] ?? '')),
    found: () => [['mesh-missing', `meshes/${meshes[0]}`]],
    left: () => [['mesh-missing', `meshes/${meshes[0]}`]],
  },
  {
    name: 'a file beside a mesh',
    damage: (data) => flip(join(data, 'meshes', setFolder, 'leaf.mtl'), 3),
    found: () => [['mesh-damaged', `meshes/${setFolder}`]],
    left: () => [['mesh-damaged', `meshes/${setFolder}`]],
  },
  {
    name: 'meshes that no run uses',
    damage: (data) => {
      withRows(data, (rows) => {
        rows.pragma('foreign_keys = ON');
        rows.prepare('DELETE FROM runs WHERE id = ?').run(bundled);
      });
      rmSync(join(data, 'runs', bundled), { recursive: true });
    },
    found: () => [
      ['mesh-unused', `meshes/${meshes[0]}`],
      ['mesh-unused', `meshes/${setFolder}`],
    ],
    left: () => [
      ['mesh-unused', `meshes/${meshes[0]}`],
      ['mesh-unused', `meshes/${setFolder}`],
    ],
  },
  {
    name: 'a byte of a log',
    damage: (data) => flip(join(data, 'logs/golden.log'), 400),
    found: () => [['log-damaged', 'logs/golden.log']],
    left: () => [['log-damaged', 'logs/golden.log']],
  },
  {
    name: 'a learned model that is cut off',
    damage: (data) => {
      const file = join(data, 'models/hybrid.ply');
      truncateSync(file, statSync(file).size - 1);
    },
    found: () => [['model-damaged', 'models/hybrid.ply']],
    left: () => [['model-damaged', 'models/hybrid.ply']],
  },
  {
    name: 'a lock that is none',
    damage: (data) => writeFileSync(join(data, 'runs', first, 'host.lock'), 'x'.repeat(4096)),
    found: () => [['lock-damaged', `runs/${first}/host.lock`]],
    left: none,
  },
  {
    name: 'a run in the trash that is not deleted',
    damage: (data) => {
      mkdirSync(join(data, 'trash'));
      renameSync(join(data, 'runs', first), join(data, 'trash', first));
    },
    found: () => [['run-misplaced', `trash/${first}`]],
    left: none,
  },
  {
    name: 'leftovers of processes that are gone',
    damage: (data) => {
      leave(join(data, 'exports/a.csv.999999999-0a1b2c3d.part'));
      leave(join(data, 'scratch/999999999-1.upload'));
      leave(join(data, 'runs', first, 'recording.mcap.part'));
      leave(join(data, 'runs', first, 'lock-journal'));
      mkdirSync(join(data, 'runs/0199a0c1-0000-7000-8000-0000000000ff'));
      utimesSync(join(data, 'runs/0199a0c1-0000-7000-8000-0000000000ff'), old, old);
    },
    found: () => [
      ['leftover', `runs/${first}/lock-journal`],
      ['leftover', `runs/${first}/recording.mcap.part`],
      ['leftover', 'runs/0199a0c1-0000-7000-8000-0000000000ff'],
      ['leftover', 'exports/a.csv.999999999-0a1b2c3d.part'],
      ['leftover', 'scratch/999999999-1.upload'],
    ],
    left: none,
  },
  {
    name: 'a token that others can read',
    damage: (data) => {
      writeFileSync(join(data, 'web-token'), 'x');
      chmodSync(join(data, 'web-token'), 0o644);
    },
    found: () => [['token-readable', 'web-token']],
    left: none,
  },
  {
    name: 'a file of another program',
    damage: (data) => writeFileSync(join(data, 'notes.txt'), 'x'),
    found: () => [['unknown-file', 'notes.txt']],
    left: () => [['unknown-file', 'notes.txt']],
  },
];

function places(findings: readonly Finding[], expected: readonly [FindingKind, string][]) {
  // Paths of the catalogue go on with what was found there.
  return findings
    .map(({ kind, path }): [FindingKind, string] => [
      kind,
      expected.find(([of, start]) => of === kind && path.startsWith(start))?.[1] ?? path,
    ])
    .sort(byText);
}

function byText(a: [string, string], b: [string, string]): number {
  return a.join() < b.join() ? -1 : 1;
}

describe('a data folder', () => {
  it('is sound as hosts leave it', async () => {
    const folder = copy();
    const { findings, isSound, checked, bytesRead } = await checkFolder(folder);
    expect({ findings, isSound }).toEqual({ findings: [], isSound: true });
    expect(checked).toEqual({
      runs: 3,
      recordings: 2,
      campaigns: 1,
      meshes: 2,
      logs: 1,
      models: 1,
    });
    const sizes = [first, second].map((id) => statSync(recordingOf(join(folder, 'data'), id)).size);
    expect(bytesRead).toBeGreaterThan(sizes.reduce((sum, size) => sum + size, 0));
    expect(await checkFolder(folder, { isQuick: true })).toMatchObject({ findings: [], checked });
  });

  it.each(damages)('with $name', async ({ damage, found, left = none }) => {
    const folder = copy();
    damage(join(folder, 'data'));
    const seen = await checkFolder(folder);
    expect(places(seen.findings, found())).toEqual(found().sort(byText));
    expect(seen.isSound).toBe(seen.findings.every(({ severity }) => severity === 'note'));
    expect(seen.findings.every(({ outcome }) => outcome === 'found')).toBe(true);
    const repaired = await checkFolder(folder, { isRepairing: true });
    expect(places(repaired.findings, found())).toEqual(found().sort(byText));
    const failed = repaired.findings.filter(({ outcome }) => outcome === 'failed');
    expect(failed).toEqual([]);
    const after = await checkFolder(folder);
    expect(places(after.findings, left())).toEqual(left().sort(byText));
  });

  it('is not changed by a check', async () => {
    const folder = copy();
    const data = join(folder, 'data');
    flip(recordingOf(data, first), 2000);
    truncateSync(recordingOf(data, second), 20_000);
    leave(join(data, 'scratch/999999999-1.upload'));
    const contents = (): string[] =>
      readdirSync(data, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !/sqlite|understory\.log/.test(entry.name))
        .map((entry) => readFileSync(join(entry.parentPath, entry.name)).toString('base64'));
    const before = contents();
    expect((await checkFolder(folder)).isSound).toBe(false);
    expect(contents()).toEqual(before);
  });

  it('with a damaged page of its catalogue is checked as far as it can be read, and not repaired', async () => {
    const folder = copy();
    const data = join(folder, 'data');
    let page = 0;
    let pageBytes = 0;
    withRows(data, (rows) => {
      rows.pragma('wal_checkpoint(TRUNCATE)');
      pageBytes = Number(rows.pragma('page_size', { simple: true }));
      page =
        rows
          .prepare<[], number>("SELECT rootpage FROM sqlite_schema WHERE name = 'scans'")
          .pluck()
          .get() ?? 0;
    });
    const file = join(data, 'catalogue.sqlite');
    const descriptor = openSync(file, 'r+');
    writeSync(descriptor, Buffer.alloc(100, 0x5a), 0, 100, (page - 1) * pageBytes);
    closeSync(descriptor);
    rmSync(recordingOf(data, first));
    const seen = await checkFolder(folder, { isRepairing: true });
    expect(seen.isSound).toBe(false);
    expect(seen.findings[0]).toMatchObject({ kind: 'catalogue-damaged', repair: null });
    expect(seen.findings.every(({ outcome }) => outcome === 'found')).toBe(true);
  });

  const lost: [string, (file: string) => void, RegExp][] = [
    ['of other bytes', (file) => writeFileSync(file, Buffer.alloc(20_000, 7)), /is damaged/],
    ['that is cut off', (file) => truncateSync(file, 10_000), /is damaged/],
    [
      'of a later version',
      (file) => {
        const rows = openSqlite(file, { timeoutMs: 1000 });
        rows.pragma('user_version = 999');
        rows.close();
      },
      /is of version 999/,
    ],
  ];
  it.each(lost)('with a catalogue %s is checked without it', async (_, damage, found) => {
    const folder = copy();
    const data = join(folder, 'data');
    withRows(data, (rows) => rows.pragma('wal_checkpoint(TRUNCATE)'));
    for (const end of ['-wal', '-shm'])
      rmSync(join(data, `catalogue.sqlite${end}`), { force: true });
    damage(join(data, 'catalogue.sqlite'));
    const before = readFileSync(join(data, 'catalogue.sqlite'));
    flip(recordingOf(data, first), statSync(recordingOf(data, first)).size >> 1);
    flip(join(data, 'meshes', meshes[0] ?? ''), 10);
    const seen = await checkFolder(folder, { isRepairing: true });
    expect(seen.isSound).toBe(false);
    expect(seen.checked).toMatchObject({ recordings: 2, meshes: 2, logs: 1, models: 1 });
    expect(seen.findings.map(({ kind, path, outcome }) => [kind, path, outcome])).toEqual([
      ['catalogue-damaged', 'catalogue.sqlite: file', 'found'],
      ['recording-damaged', `runs/${first}/recording.mcap`, 'found'],
      ['mesh-damaged', `meshes/${meshes[0]}`, 'repaired'],
    ]);
    expect(seen.findings[0]?.found).toMatch(found);
    expect(readFileSync(join(data, 'catalogue.sqlite'))).toEqual(before);
    expect(existsSync(recordingOf(data, first))).toBe(true);
  });

  it('with a run under way has no damage', async () => {
    const folder = copy();
    const data = join(folder, 'data');
    withRows(data, (rows) =>
      rows.prepare("UPDATE runs SET state = 'running', ended_ms = NULL WHERE id = ?").run(first),
    );
    truncateSync(recordingOf(data, first), 20_000);
    const lock = createRunLocks().acquire(join(data, 'runs', first, 'lock'));
    const seen = await checkFolder(folder, { isRepairing: true });
    lock.release();
    expect(seen).toMatchObject({
      isSound: true,
      findings: [{ kind: 'run-under-way', runId: first }],
    });
    expect(statSync(recordingOf(data, first)).size).toBe(20_000);
  });

  it('is left when the check is cancelled', async () => {
    const folder = copy();
    const controller = new AbortController();
    const phases: string[] = [];
    const cancelled = checkFolder(
      folder,
      {},
      {
        signal: controller.signal,
        progress: ({ phase, done }) => {
          phases.push(phase);
          if (done > 0) controller.abort();
        },
      },
    );
    await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
    expect(new Set(phases)).toEqual(new Set(['checking the catalogue', 'reading recordings']));
  });
});
