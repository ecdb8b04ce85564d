// `npm run dev`: the page with hot reload.
//   npm run dev                      starts a host of its own (understory serve)
//   npm run dev -- --data DIR        the same on another data folder
//   npm run dev -- --host ADDRESS    connects to a running host: the address that `understory serve` printed
//   --port N                         default: any free port
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openDevServer } from './devServer.ts';

const projectFolder = fileURLToPath(new URL('../../../', import.meta.url));
const { values } = parseArgs({
  options: { host: { type: 'string' }, data: { type: 'string' }, port: { type: 'string' } },
});

const child = values.host === undefined ? startHost(values.data) : null;
const hostAddress = values.host ?? (await addressOf(child));
const server = await openDevServer({ projectFolder, hostAddress, port: Number(values.port ?? 0) });
process.stdout.write(`${server.address}\n`);
process.stderr.write('edit src-renderer and the page follows; Ctrl+C ends it\n');
child?.on('close', (code) => void end(code ?? 1));
process.once('SIGINT', () => void end(0));
process.once('SIGTERM', () => void end(0));

function startHost(data: string | undefined): ChildProcess {
  const entry = fileURLToPath(new URL('../cli/main.ts', import.meta.url));
  const args = [entry, 'serve', '--port', '0', ...(data === undefined ? [] : ['--data', data])];
  return spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The first line that the host prints. */
async function addressOf(host: ChildProcess | null): Promise<string> {
  if (host?.stdout == null) throw new Error('the host has no output');
  const lines = createInterface(host.stdout);
  const ended = once(host, 'close').then(([code]) => process.exit(Number(code ?? 1)));
  const line = once(lines, 'line').then(([text]) => String(text));
  return Promise.race([line, ended]);
}

async function end(code: number): Promise<void> {
  child?.removeAllListeners('close');
  child?.kill('SIGINT');
  await server.close();
  process.exit(code);
}
