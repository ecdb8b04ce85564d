// The Planners port: sockets of this machine, TCP or Unix, with the frames of PROTOCOL.md.
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import { parsePlannerAddress, type PlannerAddress } from '#contract/host/planner.ts';
import type { Planners } from '#services/ports/planners.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';

/** For a planner that is started at the same time as the drive. */
const patienceMs = 10_000;
const retryMs = 100;

/** @param options.patienceMs for tests that cannot wait */
export function createNodePlanners(options: { patienceMs?: number } = {}): Planners {
  return {
    async connect(address, signal, onBroken) {
      const target = parsePlannerAddress(address);
      if (target === null) {
        throw new UnderstoryError('bad-input', `'${address}' is no address of a planner`);
      }
      const untilMs = performance.now() + (options.patienceMs ?? patienceMs);
      for (;;) {
        try {
          const socket = await connected(target, signal);
          const channel = stdioChannel(socket, socket, onBroken);
          // Why: a planner that does not close its side must not keep this process alive.
          channel.onClose(() => socket.destroySoon());
          return channel;
        } catch (error) {
          throwIfCancelled(signal);
          if (performance.now() >= untilMs) {
            const reason = error instanceof Error ? error.message : String(error);
            throw new UnderstoryError('io', `no planner listens at ${address}: ${reason}`);
          }
          await pause(retryMs);
        }
      }
    },
  };
}

function connected(target: PlannerAddress, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(target);
    const stop = (): void => void socket.destroy(new Error('cancelled'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      signal.removeEventListener('abort', stop);
      socket.off('error', reject);
      // Why: a step waits for its answer, and frames are written whole.
      socket.setNoDelay(true);
      resolve(socket);
    });
    socket.once('close', () => signal.removeEventListener('abort', stop));
  });
}
