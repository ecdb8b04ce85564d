// Killed, what launched `understory serve` (setup.mjs, npm) left a web host that listened endlessly.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { mainFile } from '#test/support/commandLine.ts';
import { httpGet } from '#test/hosts/web/httpGet.ts';
import { temporaryFolder } from '#test/support/folder.ts';

/** As setup.mjs launches a command under another Node. */
const launcher = `
const env = { ...process.env, UNDERSTORY_LAUNCHER: String(process.pid) };
const args = process.argv.slice(1);
const child = require('node:child_process').spawn(process.execPath, args, { stdio: 'inherit', env });
console.log(child.pid);
`;

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'a web host ends when its launcher gets %s',
  async (signal) => {
    const args = ['-e', launcher, mainFile, 'serve', '--data', temporaryFolder()];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    await expect.poll(() => lines.length).toBe(2);
    const [pid, address] = [Number(lines[0]), lines[1] ?? ''];
    onTestFinished(() => {
      if (isAlive(pid)) process.kill(pid, 'SIGKILL');
    });
    expect((await httpGet(Number(new URL(address).port), '/')).status).toBe(200);
    child.kill(signal);
    await once(child, 'exit');
    await expect.poll(() => isAlive(pid)).toBe(false);
  },
);

function isAlive(pid: number): boolean {
  try {
    const [, state] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state !== 'Z';
  } catch {
    return false;
  }
}
