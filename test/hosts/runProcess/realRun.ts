// Real run processes with real workers and recordings, and what came of them in a form to be compared.
import { createHash } from 'node:crypto';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Columns } from '#contract/columns.ts';
import type {
  RunEvent,
  RunOrder,
  RunOutcome,
  RunView,
  ScanRecord,
  TickRecord,
} from '#contract/host/run.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { spawnRunChild } from '#hosts/runProcess/launch.ts';
import {
  createRunProcesses,
  type RunLimits,
  type StartRunChild,
} from '#hosts/runProcess/runProcess.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createDocuments, type LoadedScenario } from '#services/documents/documents.ts';
import type { RunProcess } from '#services/ports/runProcesses.ts';
import { silentLog } from '#test/support/log.ts';

export function compileClearing(sensor?: string): Promise<LoadedScenario> {
  const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
  return documents.compile('clearing', {}, sensor === undefined ? null : { sensor });
}

/** An order to drive through the clearing, recorded in `folder`. */
export function orderFor(
  { compiled }: LoadedScenario,
  folder: string,
  change: Partial<RunOrder> = {},
): RunOrder {
  return {
    compiled,
    seconds: null,
    isPipelined: true,
    recordingFile: join(folder, 'run.mcap'),
    lockFile: join(folder, 'run.lock'),
    threads: null,
    isa: null,
    viewPoints: 0,
    ...change,
  };
}

/** The events that a host receives, as far as they must be the same each time. */
export interface RunSeen {
  sceneHash: string | null;
  ticks: TickRecord[];
  scans: ScanRecord[];
  views: { view: RunView; columns: Columns }[];
}

export interface RunHooks {
  signal?: AbortSignal;
  environment?: Record<string, string>;
  /** Default: as children of Node. */
  startChild?: StartRunChild;
  limits?: Partial<RunLimits>;
  /** After each event; may end processes. */
  onRunEvent?: (event: RunEvent, process: RunProcess) => void | Promise<void>;
}

/** Runs an order in a process of its own; what was seen before a failure stays in `seen`. */
export async function execute(
  order: RunOrder,
  heights: Float32Array,
  hooks: RunHooks = {},
  seen: RunSeen = { sceneHash: null, ticks: [], scans: [], views: [] },
): Promise<{ outcome: RunOutcome; seen: RunSeen }> {
  const { signal, environment = {}, startChild = spawnRunChild, limits = {}, onRunEvent } = hooks;
  const process = await createRunProcesses({
    log: silentLog,
    environment,
    startChild,
    limits,
  }).start();
  try {
    const outcome = await process.execute(order, heights, {
      ...(signal === undefined ? {} : { signal }),
      onRunEvent: (event) => {
        if (event.kind === 'scene') seen.sceneHash = event.summary.sceneHash;
        if (event.kind === 'tick') seen.ticks.push(event.tick);
        if (event.kind === 'scan') seen.scans.push(event.scan);
        return onRunEvent?.(event, process);
      },
      onView: (view, columns) => void seen.views.push({ view, columns }),
    });
    return { outcome, seen };
  } finally {
    await process.dispose();
  }
}

/** SHA-256 of a file. */
export async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex');
}

/** The contents of a recording, read from its first byte to its last. */
export async function readRecording(
  file: string,
): Promise<{ isComplete: boolean; scans: ScanRecord[]; ticks: number[]; maps: number }> {
  const reader = await createRecordings().open(file);
  try {
    const scans: ScanRecord[] = [];
    for await (const { table, rows, ...record } of reader.scans()) {
      if (table.x_m?.length !== rows) throw new Error(`scan ${record.tick} lacks rows`);
      scans.push(record);
    }
    const ticks: number[] = [];
    for await (const { tick } of reader.ticks()) ticks.push(tick);
    let maps = 0;
    for await (const { cost } of reader.maps()) maps += Math.sign(cost.length);
    return { isComplete: reader.isComplete, scans, ticks, maps };
  } finally {
    await reader.close();
  }
}

/** Process ids of the children of a process (Linux). */
export function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return text === '' ? [] : text.split(' ').map(Number);
}
