// Kill -9 of everything a run consists of, and a disk that fills: what is saved, and what continues.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRunLocks } from '#catalogue/runLocks.ts';
import type { RunEvent, RunOrder, RunOutcome, ScanRecord } from '#contract/host/run.ts';
import { createNodeClock } from '#hosts/node/nodeClock.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodeProcessMeter } from '#hosts/node/nodeProcessMeter.ts';
import { runEntryFile, spawnRunChild } from '#hosts/runProcess/launch.ts';
import { createRecordings } from '#recordings/recordings.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import { estimateFiles } from '#hosts/runProcess/estimateFiles.ts';
import { executeRun } from '#services/runProcess/executeRun.ts';
import { forkedRunChild } from '#test/hosts/electron/forkedUtility.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import {} from '#test/workers/realWorker.ts';
import { realLauncher } from '#test/support/worker.ts';
import {
  childrenOf,
  compileClearing,
  digestOf,
  execute,
  orderFor,
  readRecording,
  type RunSeen,
} from './realRun.ts';

// Whole drives, in real time at best.
vi.setConfig({ testTimeout: 180_000 });

let clearing: LoadedScenario;
beforeAll(async () => {
  clearing = await compileClearing();
});

describe('a run whose worker is killed', () => {
  it('continues, and comes out byte for byte the same', async () => {
    const seconds = 2;
    const calm = orderFor(clearing, temporaryFolder(), { seconds });
    const undisturbed = await execute(calm, clearing.heights);
    const rough = orderFor(clearing, temporaryFolder(), { seconds });
    const killed: number[] = [];
    const disturbed = await execute(rough, clearing.heights, {
      onRunEvent: (event, { pid }) => {
        if (event.kind !== 'tick' || ![7, 14].includes(event.tick.tick)) return;
        for (const worker of childrenOf(pid)) {
          process.kill(worker, 'SIGKILL');
          killed.push(worker);
        }
      },
    });
    expect(new Set(killed).size).toBe(2);
    expect(disturbed.seen).toEqual(undisturbed.seen);
    expect(await digestOf(rough.recordingFile as string)).toBe(
      await digestOf(calm.recordingFile as string),
    );
  });

  it('again and again ends with worker-lost, and keeps what it had', async () => {
    const order = orderFor(clearing, temporaryFolder());
    const onRunEvent = (event: RunEvent, { pid }: { pid: number }): void => {
      if (event.kind !== 'tick' || event.tick.tick < 5) return;
      for (const worker of childrenOf(pid)) process.kill(worker, 'SIGKILL');
    };
    const seen: RunSeen = { sceneHash: null, ticks: [], scans: [], views: [] };
    const run = execute(order, clearing.heights, { onRunEvent }, seen);
    await expect(run).rejects.toMatchObject({ code: 'worker-lost' });
    const { isComplete, scans } = await readRecording(order.recordingFile as string);
    expect(isComplete).toBe(true);
    expect(scans).toEqual(seen.scans);
    expect(scans.length).toBeGreaterThan(5);
  });
});

describe('a run process that is killed', () => {
  it('at any instant leaves a recording that reads to its last complete chunk', async () => {
    // Instants spread over the run, in ticks and milliseconds after them; fixed, so that a failure can
    // be found again.
    for (const [tick, delayMs] of [
      [1, 0],
      [6, 7],
      [9, 23],
      [15, 41],
    ] as const) {
      const order = orderFor(clearing, temporaryFolder());
      const seen: RunSeen = { sceneHash: null, ticks: [], scans: [], views: [] };
      const run = execute(
        order,
        clearing.heights,
        {
          onRunEvent: (event, { pid }) => {
            if (event.kind !== 'tick' || event.tick.tick !== tick) return;
            setTimeout(() => process.kill(pid, 'SIGKILL'), delayMs);
          },
        },
        seen,
      );
      await expect(run).rejects.toMatchObject({
        code: 'run-lost',
        message: expect.stringContaining('SIGKILL') as string,
      });
      const file = order.recordingFile as string;
      expect(createRunLocks().isHeld(order.lockFile as string)).toBe(false);
      const broken = await readRecording(file);
      expect(broken.isComplete).toBe(false);
      expectBeginning(broken.scans, seen.scans);
      await createRecordings().recover(file);
      const recovered = await readRecording(file);
      expect(recovered).toEqual({ ...broken, isComplete: true });
    }
  });
});

describe('a run process that is asked to end', () => {
  it('by Ctrl+C in the terminal continues, by SIGTERM ends cleanly', async () => {
    const order = orderFor(clearing, temporaryFolder());
    const { outcome, seen } = await execute(order, clearing.heights, {
      onRunEvent: (event, { pid }) => {
        if (event.kind !== 'tick') return;
        if (event.tick.tick === 2) process.kill(pid, 'SIGINT');
        if (event.tick.tick === 12) process.kill(pid, 'SIGTERM');
      },
    });
    expect(outcome.end).toBe('cancelled');
    expect(seen.ticks.length).toBeGreaterThan(12);
    const { isComplete, scans } = await readRecording(order.recordingFile as string);
    expect(isComplete).toBe(true);
    expect(scans).toEqual(seen.scans);
  });

  it('by junk on its stdin ends at once', async () => {
    const child = spawn(process.execPath, [runEntryFile], { stdio: ['pipe', 'pipe', 'inherit'] });
    let stdout = '';
    child.stdout.on('data', (bytes: Buffer) => (stdout += bytes.toString('latin1')));
    child.stdin.write('drive on, please\n'.repeat(10));
    await once(child, 'exit');
    expect(stdout).toBe('');
  });
});

describe('a run process that hangs', () => {
  it.each([
    ['as a child of Node', spawnRunChild],
    ['as a utility process', forkedRunChild],
  ])('%s is ended, and its recording reads', async (_, startChild) => {
    const order = orderFor(clearing, temporaryFolder());
    const run = execute(order, clearing.heights, {
      startChild,
      // Few beats, yet more than its start takes on a busy machine.
      limits: { heartbeatMs: 500, missedBeats: 20 },
      onRunEvent: (event, { pid }) => {
        if (event.kind === 'tick' && event.tick.tick === 5) process.kill(pid, 'SIGSTOP');
      },
    });
    await expect(run).rejects.toMatchObject({
      code: 'run-lost',
      message: expect.stringContaining('stopped answering') as string,
    });
    await expect.poll(() => createRunLocks().isHeld(order.lockFile as string)).toBe(false);
    const file = order.recordingFile as string;
    await createRecordings().recover(file);
    expect((await readRecording(file)).isComplete).toBe(true);
  });

  it('when it is asked to end is given few beats', async () => {
    const order = orderFor(clearing, temporaryFolder());
    const controller = new AbortController();
    const run = execute(order, clearing.heights, {
      signal: controller.signal,
      limits: { heartbeatMs: 300, missedBeats: 1e6, missedBeatsAtEnd: 3 },
      onRunEvent: (event, { pid }) => {
        if (event.kind !== 'tick' || event.tick.tick !== 5) return;
        process.kill(pid, 'SIGSTOP');
        controller.abort();
      },
    });
    await expect(run).rejects.toMatchObject({ code: 'run-lost' });
  });

  it('in a tick that does not end is given its limit, although it answers', async () => {
    const order = orderFor(clearing, temporaryFolder());
    const controller = new AbortController();
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const run = execute(order, clearing.heights, {
      signal: controller.signal,
      limits: { endLimitMs: 1000 },
      onRunEvent: (event, { pid }) => {
        if (event.kind !== 'tick' || event.tick.tick < 5) return;
        for (const worker of childrenOf(pid)) {
          process.kill(worker, 'SIGSTOP');
          onTestFinished(() => void process.kill(worker, 'SIGCONT'));
        }
        // Why not at once: ends of ticks that the worker had traced before come still.
        clearTimeout(quiet);
        quiet = setTimeout(() => controller.abort(), 2000);
      },
    });
    await expect(run).rejects.toMatchObject({
      code: 'run-lost',
      message: expect.stringContaining('did not end within 1 s') as string,
    });
  });
});

describe('a run process that loses its host', () => {
  it('and its worker with it closes its recording, though its log has no reader', async () => {
    const folder = temporaryFolder();
    const order = orderFor(clearing, folder);
    const host = await orphanHost(folder);
    const [run = 0] = childrenOf(host.pid ?? 0);
    const workers = childrenOf(run);
    host.kill('SIGKILL');
    for (const worker of workers) process.kill(worker, 'SIGKILL');
    await expect.poll(() => createRunLocks().isHeld(order.lockFile as string)).toBe(false);
    expect((await readRecording(order.recordingFile as string)).isComplete).toBe(true);
  });

  it('finishes its tick, closes its recording, and ends', async () => {
    const folder = temporaryFolder();
    const order = orderFor(clearing, folder);
    const host = await orphanHost(folder);
    const locks = createRunLocks();
    expect(locks.isHeld(order.lockFile as string)).toBe(true);
    host.kill('SIGKILL');
    await expect.poll(() => locks.isHeld(order.lockFile as string)).toBe(false);
    const { isComplete, scans, ticks } = await readRecording(order.recordingFile as string);
    expect(isComplete).toBe(true);
    expect(scans.length).toBeGreaterThan(3);
    expect(ticks).toEqual(scans.map(({ tick }) => tick));
  });
});

describe('a recording that is deleted while it is written', () => {
  it.each([
    ['alone', (order: RunOrder) => order.recordingFile as string],
    ['with the whole data folder', (_: RunOrder, dataFolder: string) => dataFolder],
  ])('%s ends the run as a failure', async (_, deletedOf) => {
    const dataFolder = temporaryFolder();
    const order = orderFor(clearing, dataFolder, { seconds: 2 });
    const run = execute(order, clearing.heights, {
      onRunEvent: (event) => {
        if (event.kind !== 'tick' || event.tick.tick !== 5) return;
        rmSync(deletedOf(order, dataFolder), { recursive: true });
      },
    });
    await expect(run).rejects.toMatchObject({
      code: 'io',
      message: expect.stringContaining('deleted') as string,
    });
  });
});

describe('a run on a disk that fills', () => {
  it('ends with disk-full before it is full, and its recording is whole', async () => {
    const order = orderFor(clearing, temporaryFolder(), { lockFile: null });
    const scans: ScanRecord[] = [];
    let freeBytes = 1e9;
    const run = executeOnDisk(order, () => (freeBytes -= 90e6), scans);
    await expect(run).rejects.toMatchObject({ code: 'disk-full' });
    expect(scans.length).toBeGreaterThan(3);
    const recording = await readRecording(order.recordingFile as string);
    expect(recording).toMatchObject({ isComplete: true, scans });
  });

  it('is not begun when it is full already', async () => {
    const order = orderFor(clearing, temporaryFolder(), { lockFile: null });
    const run = executeOnDisk(order, () => 1000, []);
    await expect(run).rejects.toMatchObject({ code: 'disk-full' });
    expect(existsSync(order.recordingFile as string)).toBe(false);
  });
});

/** A host in a process of its own that has driven some ticks. */
async function orphanHost(folder: string): Promise<ChildProcess> {
  const hostFile = fileURLToPath(new URL('orphanHost.ts', import.meta.url));
  const host = spawn(process.execPath, [hostFile, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(host.stdout, 'data');
  return host;
}

/** A run in this process, with all parts real but the free space of the disk, as if others filled it. */
function executeOnDisk(
  order: RunOrder,
  freeDiskBytes: () => number,
  scans: ScanRecord[],
): Promise<RunOutcome> {
  return executeRun(
    {
      launcher: realLauncher(),
      recordings: createRecordings(),
      machine: { ...createNodeMachine(), freeDiskBytes },
      clock: createNodeClock(),
      product: { version: '0.0.0', simulatingSources: 's' },
      meter: createNodeProcessMeter(),
      ...estimateFiles(undefined),
    },
    order,
    clearing.heights,
    {
      signal: new AbortController().signal,
      hostLost: new AbortController().signal,
      onProgress: () => undefined,
      onView: () => undefined,
      isViewReady: () => true,
      onRunEvent: (event) => {
        if (event.kind === 'scan') scans.push(event.scan);
      },
    },
  );
}

/** The first ones, in order, none left out and none made up. */
function expectBeginning(recorded: ScanRecord[], seen: ScanRecord[]): void {
  const common = Math.min(recorded.length, seen.length);
  expect(recorded.slice(0, common)).toEqual(seen.slice(0, common));
  expect(recorded.map(({ tick }) => tick)).toEqual(recorded.map((_, k) => k));
}
