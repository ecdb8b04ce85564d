// A forked Node process in place of Electron's utility process: the real entry, ports and run child of
// src-main/hosts/electron, over Node's own message channel.
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { UtilityProcess } from 'electron';
import { utilityRunChild } from '#hosts/electron/utilityRunChild.ts';
import type { RunChild } from '#hosts/runProcess/runProcess.ts';
import { scanningFlags } from '#hosts/scanningFlags.ts';

const entryFile = fileURLToPath(new URL('forkedUtilityEntry.ts', import.meta.url));

/** As forkRunChild of utilityRuns.ts. */
export function forkedRunChild(environment: Record<string, string | undefined>): RunChild {
  const child = fork(entryFile, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    execArgv: scanningFlags,
    env: environment,
  });
  const utility = {
    pid: child.pid,
    stderr: child.stderr,
    postMessage: (message: unknown) => void (child.connected && child.send(message as object)),
    on: (name: string, listener: (value: unknown) => void) => void child.on(name, listener),
    kill: () => child.kill('SIGTERM'),
  };
  return utilityRunChild(utility as unknown as UtilityProcess);
}
