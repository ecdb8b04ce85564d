// A utility process as a run process (RunChild): its port, its stderr, its end. Free of Electron itself, so that a
// forked Node process can replace it in tests.
import type { UtilityProcess } from 'electron';
import { PassThrough, type Readable } from 'node:stream';
import { portChannel } from '#contract/wire/portChannel.ts';
import type { RunChild } from '#hosts/runProcess/runProcess.ts';
import { utilityPort } from './ports.ts';

/** Wraps a process that has just been forked. */
export function utilityRunChild(child: UtilityProcess): RunChild {
  return {
    // Why a getter: the process has its number only once it has been spawned.
    get pid() {
      return child.pid ?? 0;
    },
    channel: portChannel(utilityPort(child)),
    stderr: (child.stderr as Readable | null) ?? new PassThrough(),
    ended: new Promise((resolve) => {
      child.on('exit', (code) => resolve(`ended with exit code ${code}`));
    }),
    kill() {
      // Why not child.kill(): that is SIGTERM, which a run process takes as "stop after this tick".
      if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
    },
  };
}
