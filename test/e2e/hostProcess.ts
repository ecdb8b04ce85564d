// A real host in a process of its own, for what can only be done to a process: to be killed, to have no room left.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const entryFile = fileURLToPath(new URL('hostProcessEntry.ts', import.meta.url));

export interface HostProcess {
  address: string;
  /** Without a chance to clean up; resolves when it is gone. */
  kill(): Promise<void>;
  /** As by Ctrl+C. */
  end(): Promise<void>;
}

/** With `maxBlocks` no file of its grows beyond as many KiB, as on a full disk. */
export async function startHostProcess(
  dataFolder: string,
  pageFolder: string,
  maxBlocks: number | 'unlimited' = 'unlimited',
  port = 0,
): Promise<HostProcess> {
  const script = `ulimit -f ${maxBlocks} && exec "$0" "$@"`;
  const args = ['-c', script, process.execPath, entryFile, dataFolder, pageFolder, String(port)];
  const child = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await closed;
  };
  const [address] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { address, kill: () => end('SIGKILL'), end: () => end('SIGTERM') };
}
