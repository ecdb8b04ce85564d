// Runs that are paused, stepped, slowed and driven by hand, in a run process with the real worker. The
// pace in wall time never changes a byte of a recording, and a drive by hand can be repeated.
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DriveCommand, RunControl, RunEvent, RunOrder } from '#contract/host/run.ts';
import { createRecordings } from '#recordings/recordings.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { RunProcess } from '#services/ports/runProcesses.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { compileClearing, digestOf, execute, orderFor, type RunSeen } from './realRun.ts';

vi.setConfig({ testTimeout: 120_000 });

let clearing: LoadedScenario;
beforeAll(async () => {
  clearing = await compileClearing('lms-291');
});

interface Driven {
  seen: RunSeen;
  digest: string;
  file: string;
  metrics: { wallSeconds: number | null };
}

async function driven(
  change: Partial<RunOrder>,
  onRunEvent?: (event: RunEvent, process: RunProcess) => void,
): Promise<Driven> {
  const order = orderFor(clearing, temporaryFolder(), { seconds: 2, viewPoints: 500, ...change });
  const { outcome, seen } = await execute(order, clearing.heights, {
    ...(onRunEvent && { onRunEvent }),
  });
  const file = order.recordingFile as string;
  return { seen, file, digest: await digestOf(file), metrics: outcome.metrics };
}

async function commandsIn(file: string): Promise<DriveCommand[]> {
  const reader = await createRecordings().open(file);
  const commands: DriveCommand[] = [];
  for await (const { timeNs, actsNs, ...command } of reader.commands()) {
    expect(actsNs - timeNs).toBe(100e6);
    commands.push(command);
  }
  await reader.close();
  return commands;
}

describe('a run that is paused, stepped and slowed', () => {
  it('is byte for byte the one that was left alone', async () => {
    const plain = await driven({});
    const held = await driven({ pace: { isPaused: true, speed: 4 } }, (event, process) => {
      const tell = (control: Partial<RunControl>, ms: number): void => {
        setTimeout(() => process.control({ kind: 'pace', ...control } as RunControl), ms);
      };
      if (event.kind !== 'tick') return;
      // Paused after the first tick: three steps, one, then on, slowly; paused again; then on.
      if (event.tick.tick === 0) tell({ steps: 3 }, 300);
      if (event.tick.tick === 3) tell({ steps: 1 }, 100);
      if (event.tick.tick === 4) tell({ isPaused: false, speed: 2 }, 100);
      if (event.tick.tick === 9) tell({ isPaused: true }, 0);
      if (event.tick.tick === 9) tell({ isPaused: false, speed: null }, 500);
    });
    expect(held.digest).toBe(plain.digest);
    expect(held.seen.scans).toEqual(plain.seen.scans);
    expect(held.seen.ticks).toEqual(plain.seen.ticks);

    // While paused, the exact tick is shown; a tick's points come once.
    const paused = held.seen.views.filter(({ view }) => view.isPaused);
    const pausedAt = new Set(paused.map(({ view }) => view.tick.tick));
    for (const tick of [0, 3, 4]) expect(pausedAt).toContain(tick);
    const withPoints = held.seen.views.filter(({ columns }) => columns['x_m'] !== undefined);
    expect(new Set(withPoints.map(({ view }) => view.tick.tick)).size).toBe(withPoints.length);
    expect(held.seen.views.some(({ view }) => view.speed === 2)).toBe(true);
    // The pauses, 0.9 s at least, are no part of what it took; five ticks at 2 × are.
    const last = held.seen.views.at(-1)?.view;
    expect(last?.isPaused).toBe(false);
    expect(last?.wallSeconds).toBeGreaterThan(0.2);
    expect(plain.seen.views.every(({ view }) => !view.isPaused && view.speed === null)).toBe(true);
  });

  it('can be stopped while it is paused, and ends when its host is lost', async () => {
    const stop = new AbortController();
    const order = orderFor(clearing, temporaryFolder(), { pace: { isPaused: true, speed: null } });
    const { outcome } = await execute(order, clearing.heights, {
      signal: stop.signal,
      onRunEvent: (event) => {
        if (event.kind === 'tick') setTimeout(() => stop.abort(), 200);
      },
    });
    expect(outcome).toMatchObject({ end: 'cancelled', metrics: { ticks: 2 } });
  });

  it('keeps to real time where that is asked for', async () => {
    // Ten ticks: the speed is counted from the end of the first to that of the ninth.
    const { metrics } = await driven({ seconds: 1, pace: { isPaused: false, speed: 1 } });
    expect(metrics.wallSeconds).toBeGreaterThanOrEqual(0.79);
  });
});

describe('a drive by hand', () => {
  it('follows commands, stops without them, and can be driven again', async () => {
    const byHand = await driven(
      { seconds: 2.5, control: 'hand', pace: { isPaused: false, speed: 1 } },
      (event, process) => {
        if (event.kind !== 'tick' || event.tick.tick > 11) return;
        const command = { speedMPerS: 1.5, yawRateRadPerS: event.tick.tick < 6 ? 0 : 9 };
        process.control({ kind: 'command', command });
      },
    );
    const speeds = byHand.seen.ticks.map(({ speedMPerS }) => speedMPerS);
    expect(Math.max(...speeds)).toBeGreaterThan(0.5);
    // Half a second after the last command it brakes, within as much again.
    expect(speeds.at(-1)).toBeLessThan(Math.max(...speeds));
    expect(byHand.seen.ticks.every(({ activity }) => activity === 'driving')).toBe(true);
    const commands = await commandsIn(byHand.file);
    expect(commands).toHaveLength(25);
    const { maxYawRateDegPerS } = clearing.compiled.scenario.vehicle;
    const turning = commands.find(({ yawRateRadPerS }) => yawRateRadPerS > 0);
    expect(turning).toEqual({
      speedMPerS: 1.5,
      yawRateRadPerS: (maxYawRateDegPerS * Math.PI) / 180,
    });
    expect(commands.at(-1)).toEqual({ speedMPerS: 0, yawRateRadPerS: 0 });
    // Mapping and planning continue.
    expect(byHand.seen.views.at(-1)?.columns['path_x_m']?.length).toBeGreaterThan(1);

    const again = await driven({ seconds: 2.5, control: 'hand', commands });
    expect(again.digest).toBe(byHand.digest);
    expect(again.seen.scans).toEqual(byHand.seen.scans);
    // Not because nothing depends on it: autonomy drives elsewhere.
    const alone = await driven({ seconds: 2.5 });
    expect(alone.digest).not.toBe(byHand.digest);
  });
});
