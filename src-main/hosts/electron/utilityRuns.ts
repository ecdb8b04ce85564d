// Run processes as Electron's utility processes. Why: a packaged app cannot run as plain Node (fuse RunAsNode).
import { utilityProcess } from 'electron';
import { fileURLToPath } from 'node:url';
import type { RunChild } from '#hosts/runProcess/runProcess.ts';
import { scanningFlags } from '#hosts/scanningFlags.ts';
import { utilityRunChild } from './utilityRunChild.ts';

const runEntryFile = fileURLToPath(new URL('runEntry.js', import.meta.url));

/** Beside main.js, where the build puts it. */
export function forkRunChild(environment: Record<string, string | undefined>): RunChild {
  return utilityRunChild(
    utilityProcess.fork(runEntryFile, [], {
      serviceName: 'Understory run',
      stdio: ['ignore', 'ignore', 'pipe'],
      execArgv: scanningFlags,
      env: definedOnly(environment),
    }),
  );
}

function definedOnly(environment: Record<string, string | undefined>): Record<string, string> {
  const pairs = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return Object.fromEntries(pairs) as Record<string, string>;
}
