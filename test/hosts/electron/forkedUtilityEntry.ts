// Gives a forked Node process the port that a utility process has, and executes the real entry of run processes.
import type { ParentPort } from 'electron';

const parentPort = {
  postMessage: (message: unknown) => void process.send?.(message),
  on: (_name: 'message', listener: (event: { data: unknown }) => void) =>
    void process.on('message', (data) => listener({ data })),
};
// A utility process ends with its main process.
process.on('disconnect', () => process.exit());
process.parentPort = parentPort as unknown as ParentPort;
await import('#hosts/electron/runEntry.ts');
