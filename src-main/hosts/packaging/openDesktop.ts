// `npm start`: the desktop app's window. Where Electron is not available, or there is no screen, the same app in
// a browser: it reports this, and prints the address.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const rest = process.argv.slice(2);

const obstacle = hasScreen()
  ? null
  : 'there is no screen here (neither DISPLAY nor WAYLAND_DISPLAY)';
const electron = obstacle === null ? electronBinary() : null;
if (electron !== null) {
  await run(electron, [root, ...rest]);
} else {
  const reason = obstacle ?? "Electron's binary is not here and could not be fetched";
  say(`No window: ${reason}. The same app in a browser:`);
  await run(process.execPath, [fileURLToPath(new URL('../cli/main.ts', import.meta.url)), 'serve']);
}

function hasScreen(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY']) || Boolean(process.env['WAYLAND_DISPLAY']);
}

/** Fetches it at the first time: the npm package does. ELECTRON_OVERRIDE_DIST_PATH names another. */
function electronBinary(): string | null {
  try {
    return createRequire(import.meta.url)('electron') as string;
  } catch (error) {
    say((error as Error).message);
    return null;
  }
}

/** Ends with the child, and passes signals on to it. */
async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: 'inherit', cwd: process.cwd() });
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.on('SIGTERM', pass);
  // Why not passed on: a terminal gives Ctrl+C to the child as well.
  process.on('SIGINT', () => undefined);
  process.exitCode = await new Promise<number>((resolve) => {
    child.on('error', (error) => {
      say(`${command} could not be started: ${error.message}`);
      resolve(1);
    });
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
