// Work in a process of its own: closing an interrupted recording reads and inflates the whole file, checking a catalogue
// reads all of it at once. Either may take minutes and must not hold up the host.
import { throwIfCancelled } from '#contract/errors.ts';
import { createPeer } from '#contract/wire/rpc.ts';
import type { CatalogueReport } from '#services/ports/catalogue.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import { checkCatalogueMethod, recoverMethod } from './runCalls.ts';
import type { StartRunChild } from './runProcess.ts';

/** The method `recover` of the port Recordings. What is not closed when `stop` ends it can be closed later. */
export function recoverApart(startChild: StartRunChild, stop: AbortSignal): Recordings['recover'] {
  return (file) => callApart(startChild, recoverMethod, { file }, stop);
}

/** A check of a catalogue's file. @throws UnderstoryError 'locked' where another process has it to itself, 'io' */
export function checkCatalogueApart(
  startChild: StartRunChild,
): (file: string, isQuick: boolean, signal: AbortSignal) => Promise<CatalogueReport> {
  return (file, isQuick, signal) =>
    callApart(startChild, checkCatalogueMethod, { file, isQuick }, signal);
}

/** A process that dies ends the call with 'run-lost', `stop` ends it with 'cancelled'. */
async function callApart<T>(
  startChild: StartRunChild,
  method: string,
  request: object,
  stop: AbortSignal,
): Promise<T> {
  throwIfCancelled(stop);
  const child = startChild({ ...process.env });
  // Its stderr is discarded: its failure is the call's.
  child.stderr.resume();
  const kill = (): void => child.kill();
  stop.addEventListener('abort', kill, { once: true });
  const peer = createPeer(child.channel, { lostCode: 'run-lost' });
  try {
    const { body } = await peer.call(method, request);
    return body as T;
  } catch (error) {
    throwIfCancelled(stop);
    throw error;
  } finally {
    stop.removeEventListener('abort', kill);
    peer.close();
    await child.ended;
  }
}
