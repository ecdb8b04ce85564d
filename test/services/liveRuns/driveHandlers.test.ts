// Drives on a real catalogue, real locks and real folders; only the run process follows a script.
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { describe, expect, it, vi } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunEnd, RunView } from '#contract/host/run.ts';
import { decimate } from '#services/liveRuns/followRun.ts';
import {
  sampleHeader,
  sampleScan,
  sampleTick,
  sampleTickRecord,
} from '#test/recordings/samples.ts';
import { sampleMetrics, sampleView, type Script } from '#test/services/scriptedRun.ts';

import { clearing, contextOf, openDrives, startRun, watch } from './scriptedDrives.ts';

describe('the end of a run', () => {
  it.each<[RunEnd, string]>([
    ['goal', 'finished'],
    ['seconds', 'finished'],
    ['timeout', 'finished'],
    ['stuck', 'finished'],
    ['cancelled', 'cancelled'],
    ['host-lost', 'interrupted'],
  ])('%s is catalogued as %s', async (end, state) => {
    const drives = openDrives(() => Promise.resolve({ end, metrics: sampleMetrics() }));
    const runId = await startRun(drives);
    expect(await watch(drives, runId)).toMatchObject({ state, end, error: null });
    expect(drives.catalogue.run(runId)).toMatchObject({ state, end, metrics: sampleMetrics() });
    expect(drives.states).toEqual(['running', state]);
    expect(drives.processes.disposed).toBe(1);
    // Asked again when all is over, the catalogue answers.
    expect(await watch(drives, runId)).toMatchObject({ state, end, metrics: sampleMetrics() });
  });

  it.each(['scene-too-large', 'disk-full', 'worker-failed', 'io', 'internal'] as const)(
    'a failure (%s) is catalogued with its sentence',
    async (code) => {
      const drives = openDrives(() => Promise.reject(new UnderstoryError(code, 'it broke')));
      const runId = await startRun(drives);
      const ending = await watch(drives, runId);
      expect(ending).toEqual({
        state: 'failed',
        end: null,
        metrics: null,
        error: 'it broke',
        errorCode: code,
      });
      expect(drives.catalogue.run(runId)).toMatchObject({ state: 'failed', error: 'it broke' });
      expect(drives.locks.isHeld(drives.folders.files(runId).hostLockFile)).toBe(false);
    },
  );

  it('a lost run process leaves an interrupted run with a recording that is whole', async () => {
    const drives = openDrives(async () => {
      const [run] = drives.catalogue.runs({ state: 'running' });
      const writer = await drives.recordings.create(
        drives.folders.recordingFile(run?.id ?? ''),
        sampleHeader(),
      );
      for (let tick = 0; tick < 5; tick += 1) {
        await writer.scan(sampleScan(tick));
        await writer.tick(sampleTick(tick));
      }
      await writer.flush();
      throw new UnderstoryError('run-lost', 'the run process was ended by SIGKILL');
    });
    const runId = await startRun(drives);
    expect(await watch(drives, runId)).toMatchObject({
      state: 'interrupted',
      errorCode: 'run-lost',
    });
    const row = drives.catalogue.run(runId);
    expect(row?.state).toBe('interrupted');
    expect(row?.error).toContain('SIGKILL');
    expect(row?.error).toContain('5 scans');
    const reader = await drives.recordings.open(drives.folders.recordingFile(runId));
    expect(reader.isComplete).toBe(true);
    await reader.close();
  });

  it('stopping ends it as cancelled, and stopAll leaves nothing running', async () => {
    const script: Script = ({ signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () =>
          resolve({ end: 'cancelled', metrics: sampleMetrics() }),
        );
      });
    const drives = openDrives(script);
    const [first, second] = [await startRun(drives), await startRun(drives)];
    const stop = await drives.handlers['drive.stop']({ runId: first }, contextOf());
    expect(stop.reply).toEqual({ stopped: true });
    expect(await watch(drives, first)).toMatchObject({ state: 'cancelled' });
    expect(drives.liveRuns()).toBe(1);
    const idle = drives.whenIdle().then(() => drives.liveRuns());
    await drives.stopAll();
    expect(await idle).toBe(0);
    expect(drives.catalogue.run(second)?.state).toBe('cancelled');
    const again = await drives.handlers['drive.stop']({ runId: first }, contextOf());
    expect(again.reply).toEqual({ stopped: false });
  });
});

describe('a request to a run under way', () => {
  it('reaches its process, also before its start, and no process after the end', async () => {
    const end = Promise.withResolvers<undefined>();
    const drives = openDrives(async () => {
      await end.promise;
      return { end: 'seconds', metrics: sampleMetrics() };
    });
    const runId = await startRun(drives);
    const tell = async (change: object): Promise<boolean> =>
      (await drives.handlers['drive.control']({ runId, ...change }, contextOf())).reply.taken;
    // The process is started only after the row is in the catalogue.
    expect(await tell({ isPaused: true })).toBe(true);
    await vi.waitFor(() => expect(drives.processes.controls).toHaveLength(1));
    expect(await tell({ steps: 3 })).toBe(true);
    expect(await tell({ speed: null })).toBe(true);
    const said = { runId, speedMPerS: 1, yawRateRadPerS: 0 };
    // Autonomy drives, and nothing else.
    const command = await drives.handlers['drive.command'](said, contextOf());
    expect(command.reply).toEqual({ taken: false });
    expect(drives.processes.controls).toEqual([
      { kind: 'pace', isPaused: true },
      { kind: 'pace', steps: 3 },
      { kind: 'pace', speed: null },
    ]);
    end.resolve(undefined);
    await watch(drives, runId);
    expect(await tell({ isPaused: false })).toBe(false);
  });

  it('by hand is passed on, command by command', async () => {
    const end = Promise.withResolvers<undefined>();
    const drives = openDrives(async () => {
      await end.promise;
      return { end: 'seconds', metrics: sampleMetrics() };
    });
    const start = { ...clearing, control: 'hand' as const };
    const { runId } = (await drives.handlers['drive.start'](start, contextOf())).reply;
    const said = { speedMPerS: 1, yawRateRadPerS: -0.2 };
    const { reply } = await drives.handlers['drive.command']({ runId, ...said }, contextOf());
    expect(reply).toEqual({ taken: true, command: said });
    await vi.waitFor(() =>
      expect(drives.processes.controls).toEqual([{ kind: 'command', command: said }]),
    );
    end.resolve(undefined);
    await watch(drives, runId);
  });
});

describe('what is refused before a run begins', () => {
  const never: Script = () => Promise.reject(new Error('it must not start'));
  const planner = { address: 'tcp://127.0.0.1:7000', timeoutS: 1, holdS: 1 };

  it('a scenario without a mission', async () => {
    const { handlers, catalogue } = openDrives(never);
    const start = handlers['drive.start'](
      { ...clearing, scenario: 'box', sensor: 'vlp-16' },
      contextOf(),
    );
    await expect(start).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [expect.objectContaining({ path: 'mission' })] },
    });
    expect(catalogue.runs()).toEqual([]);
  });

  it.each([
    [{ control: 'external' as const }, 'planner', "expected the planner's address"],
    [{ control: 'hand' as const, planner }, 'planner', 'found hand'],
    [{ commands: 'a-run', planner }, 'planner', 'a planner or the commands of a run'],
  ])('a drive with none or two that decide: %j', async (change, path, message) => {
    const { handlers, catalogue } = openDrives(never);
    const start = handlers['drive.start']({ ...clearing, ...change }, contextOf());
    await expect(start).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path, message: expect.stringContaining(message) as string }] },
    });
    expect(catalogue.runs()).toEqual([]);
  });

  it('a drive whose recording would not fit on the disk', async () => {
    const { handlers, catalogue, processes } = openDrives(never, { freeDiskBytes: () => 1e6 });
    const start = handlers['drive.start']({ ...clearing, seconds: 10 }, contextOf());
    await expect(start).rejects.toMatchObject({ code: 'disk-full' });
    expect(catalogue.runs()).toEqual([]);
    expect(processes.started).toBe(0);
  });
});

it('a drive whose recording may fit is accepted, on a disk of 50 MB', async () => {
  const drives = openDrives(() => Promise.resolve({ end: 'seconds', metrics: sampleMetrics() }), {
    freeDiskBytes: () => 50e6,
  });
  const request = { ...clearing, seconds: 12 };
  const { reply } = await drives.handlers['drive.start'](request, contextOf());
  expect(await watch(drives, reply.runId)).toMatchObject({ state: 'finished' });
});

describe('watching', () => {
  it('gives a slow watcher the newest view, not a queue, and the map it has missed', async () => {
    const gate = Promise.withResolvers<undefined>();
    const taken: { view: RunView; columns: Columns }[] = [];
    const drives = openDrives(async ({ onView }) => {
      await gate.promise;
      for (let tick = 1; tick <= 100; tick += 1) {
        const { view, columns } = sampleView(tick, 10, tick === 50 ? 7 : undefined);
        onView?.(view, columns);
      }
      return { end: 'seconds', metrics: sampleMetrics() };
    });
    const runId = await startRun(drives);
    const watching = watch(drives, runId, async (view, columns) => {
      taken.push({ view: view as RunView, columns });
      await new Promise((resolve) => setTimeout(resolve, 50));
    });
    gate.resolve(undefined);
    await watching;
    const ticks = taken.map(({ view }) => view.tick.tick);
    expect(ticks.length).toBeLessThanOrEqual(3);
    expect(ticks.at(-1)).toBe(100);
    expect(taken.some(({ columns }) => columns['cost']?.[0] === 7)).toBe(true);
  });

  it('thins the points evenly to what was asked for', async () => {
    const gate = Promise.withResolvers<undefined>();
    let seen: Columns = {};
    const drives = openDrives(async ({ onView }) => {
      await gate.promise;
      const { view, columns } = sampleView(1, 1000);
      onView?.(view, columns);
      return { end: 'seconds', metrics: sampleMetrics() };
    });
    const runId = await startRun(drives);
    const watching = watch(
      drives,
      runId,
      (_, columns) => {
        seen = columns;
        return Promise.resolve();
      },
      10,
    );
    gate.resolve(undefined);
    await watching;
    const expected = [0, 100, 200, 300, 400, 500, 600, 700, 800, 900];
    expect([...(seen['x_m'] ?? [])]).toEqual(expected);
    expect([...(seen['class_id'] ?? [])]).toEqual(expected);
  });

  it('decimates no table that is small enough', () => {
    const { columns } = sampleView(1, 5);
    expect(decimate(columns, ['x_m', 'class_id'], 5)).toBe(columns);
  });
});

describe('a catalogue that another process keeps locked', () => {
  it('holds up the run, neither ends it nor blocks the host, and gets every event', async () => {
    const drives = openDrives(async ({ onRunEvent }) => {
      const other = new Sqlite(join(drives.folders.dataFolder, 'catalogue.sqlite'));
      other.exec('BEGIN IMMEDIATE');
      // Only a host that is not blocked reaches this.
      setTimeout(() => other.exec('ROLLBACK').close(), 500);
      await onRunEvent({ kind: 'tick', tick: sampleTickRecord(0) }, {});
      return { end: 'seconds', metrics: sampleMetrics() };
    });
    const runId = await startRun(drives);
    expect(await watch(drives, runId)).toMatchObject({ state: 'finished', error: null });
    expect(drives.catalogue.ticks(runId)).toHaveLength(1);
  });
});
