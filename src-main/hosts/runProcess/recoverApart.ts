// Closing an interrupted recording in a process of its own: it reads and inflates the whole file, which may take
// minutes and must not hold up the host.
import { throwIfCancelled } from '#contract/errors.ts';
import { createPeer } from '#contract/wire/rpc.ts';
import type { Recordings } from '#services/ports/recordings.ts';
import { recoverMethod } from './runCalls.ts';
import type { StartRunChild } from './runProcess.ts';

/**
 * The method `recover` of the port Recordings. A process that dies ends the call with 'run-lost', `stop` ends it with
 * 'cancelled': what is not closed then can be closed later.
 */
export function recoverApart(startChild: StartRunChild, stop: AbortSignal): Recordings['recover'] {
  return async (file) => {
    throwIfCancelled(stop);
    const child = startChild({ ...process.env });
    // Its stderr is discarded: its failure is the call's.
    child.stderr.resume();
    const kill = (): void => child.kill();
    stop.addEventListener('abort', kill, { once: true });
    const peer = createPeer(child.channel, { lostCode: 'run-lost' });
    try {
      const { body } = await peer.call(recoverMethod, { file });
      return body as Awaited<ReturnType<Recordings['recover']>>;
    } catch (error) {
      throwIfCancelled(stop);
      throw error;
    } finally {
      stop.removeEventListener('abort', kill);
      peer.close();
      await child.ended;
    }
  };
}
