// Run processes as child processes of this host, with the same Node. A run process ends with its stdin: one
// that loses its host finishes its tick, closes its recording, stops.
import { entryFileBeside } from '#hosts/entryFile.ts';
import { scanningFlags } from '#hosts/scanningFlags.ts';
import { spawnPiped } from '#workers/spawnPiped.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';
import type { RunChild } from './runProcess.ts';

/** The entry of a run process. */
export const runEntryFile = entryFileBeside(import.meta.url, 'entry');

/** Frames on stdin and stdout. */
export function spawnRunChild(environment: Record<string, string | undefined>): RunChild {
  const child = spawnPiped(process.execPath, [...scanningFlags, runEntryFile], environment);
  return {
    pid: child.pid ?? 0,
    channel: stdioChannel(child.stdout, child.stdin),
    stderr: child.stderr,
    ended: new Promise((resolve) => {
      child.on('error', (error) => resolve(`could not be started: ${error.message}`));
      child.on('close', (code, signal) =>
        resolve(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
      );
    }),
    kill: () => child.kill('SIGKILL'),
  };
}
