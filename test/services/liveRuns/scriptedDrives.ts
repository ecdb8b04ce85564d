// Drives on a real catalogue, real locks and real folders.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { createRunLocks } from '#catalogue/runLocks.ts';
import type { Columns } from '#contract/columns.ts';
import type { Replies } from '#contract/host/methods.ts';
import { createNodeClock } from '#hosts/node/nodeClock.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { createNodeTimer } from '#hosts/node/nodeTimer.ts';
import { createNodeRunFolders } from '#hosts/node/nodeRunFolders.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { createDocuments } from '#services/documents/documents.ts';
import { driveHandlers } from '#services/liveRuns/driveHandlers.ts';
import { createEvents } from '#services/events.ts';
import type { Machine } from '#services/ports/system.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { scriptedProcesses, type Script } from '#test/services/scriptedRun.ts';
import { silentLog } from '#test/support/log.ts';

/** A host's drives; only their run processes follow a script. */
export function openDrives(script: Script, machine: Partial<Machine> = {}) {
  const dataFolder = temporaryFolder();
  const catalogue = openCatalogue(join(dataFolder, 'catalogue.sqlite'));
  onTestFinished(() => catalogue.dispose());
  const processes = scriptedProcesses(script);
  const states: string[] = [];
  const events = createEvents((error) => {
    throw error;
  });
  events.subscribe(({ body }) => states.push(body.state));
  let number = 0;
  const ports = {
    catalogue,
    processes,
    recordings: createRecordings(),
    locks: createRunLocks(),
    folders: createNodeRunFolders({ dataFolder }),
    clock: createNodeClock(),
    timer: createNodeTimer(),
    events,
    log: silentLog,
    documents: createDocuments({ files: createNodeFiles({ assetsFolder }) }),
    machine: { ...createNodeMachine(), ...machine },
    version: '0.0.0',
    newId: () => `0199a0c1-0000-7000-8000-${String((number += 1)).padStart(12, '0')}`,
  };
  return { ...ports, ...driveHandlers(ports), ports, states };
}

export type Drives = ReturnType<typeof openDrives>;

export const clearing = { scenario: 'clearing', isPipelined: true };

export function contextOf(
  chunk: (body: unknown, columns: Columns) => Promise<void> = () => Promise.resolve(),
) {
  return { signal: new AbortController().signal, progress: () => undefined, chunk };
}

export async function startRun({ handlers }: Drives): Promise<string> {
  return (await handlers['drive.start'](clearing, contextOf())).reply.runId;
}

export async function watch(
  { handlers }: Drives,
  runId: string,
  chunk?: (body: unknown, columns: Columns) => Promise<void>,
  maxPoints = 1000,
): Promise<Replies['drive.watch']> {
  return (await handlers['drive.watch']({ runId, maxPoints }, contextOf(chunk))).reply;
}
