// Run processes as Electron's utility processes. Why: a packaged app cannot run as plain Node (fuse RunAsNode).
import { utilityProcess } from 'electron';
import { fileURLToPath } from 'node:url';
import { PassThrough, type Readable } from 'node:stream';
import { portChannel } from '#contract/portChannel.ts';
import { runNodeFlags, type RunChild } from '#hosts/run/runProcess.ts';
import { utilityPort } from './ports.ts';

const runEntryFile = fileURLToPath(new URL('runEntry.js', import.meta.url));

/** Beside main.js, where the build puts it. */
export function forkRunChild(environment: Record<string, string | undefined>): RunChild {
  const child = utilityProcess.fork(runEntryFile, [], {
    serviceName: 'Understory run',
    stdio: ['ignore', 'ignore', 'pipe'],
    execArgv: runNodeFlags,
    env: definedOnly(environment),
  });
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
    kill: () => void child.kill(),
  };
}

function definedOnly(environment: Record<string, string | undefined>): Record<string, string> {
  const pairs = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}
