#!/usr/bin/env node
// The entry of every command: makes the clone ready (Debian packages, npm dependencies, native build,
// page build), then runs a TypeScript entry under Node 24. Dependency-free; runs on Node 20, before
// anything is installed. Safe to interrupt and to repeat: a step counts as done only when its stamp,
// written last, matches its inputs. With nothing to do it costs a few tens of milliseconds.
//
//   setup.mjs [understory's arguments]       the command line (src-main/hosts/cli/main.ts)
//   setup.mjs --for LEVEL [SCRIPT [arguments]]  another entry; LEVEL names the steps it needs (setup/steps.mjs)
import { spawn } from 'node:child_process';
import module from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { nodeBinary, root, say } from './setup/clone.mjs';
import { commandOf } from './setup/commandOf.mjs';
import { doctor } from './setup/doctor.mjs';
import { levels, makeReady } from './setup/steps.mjs';

await main(process.argv.slice(2));

async function main(args) {
  if (args[0] === 'doctor') return doctor(args.slice(1));
  const [level, script, rest] =
    args[0] === '--for' ? [args[1], args[2], args.slice(3)] : [levelOf(args), cliEntry(), args];
  if (!Object.hasOwn(levels, level)) {
    say(`there is no level '${level ?? ''}': --for takes ${Object.keys(levels).join(', ')}`);
    process.exit(2);
  }
  try {
    await makeReady(levels[level]);
  } catch (error) {
    say(error.message);
    process.exit(3);
  }
  if (script !== undefined) await runScript(path.resolve(root, script), rest);
}

function cliEntry() {
  return 'src-main/hosts/cli/main.ts';
}

function levelOf(args) {
  const { command, subcommand } = commandOf(args);
  // Without the page for a program that talks to the host itself.
  if (command === 'serve') return args.includes('--stdio') ? 'run' : 'serve';
  if (command === 'bench' && subcommand === 'kernels') return 'kernels';
  if (command === 'validate') return 'validate';
  if (args.some((arg) => /^--ranks(=|$)/.test(arg))) return 'mpi';
  return ['schema', 'help', undefined].includes(command) ? 'check' : 'run';
}

/** Under a new enough Node in this very process; otherwise in a child that gets every signal. */
async function runScript(script, args) {
  const node = nodeBinary();
  // Compiled code, kept for this process and its children: half of the time in which a command starts.
  process.env.NODE_COMPILE_CACHE ??= path.join(root, 'build/node-cache');
  if (node === process.execPath) {
    module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
    process.argv = [process.execPath, script, ...args];
    await import(pathToFileURL(script).href);
    return;
  }
  const bin = path.join(root, 'node_modules/.bin');
  const env = {
    ...process.env,
    UNDERSTORY_LAUNCHER: String(process.pid),
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}`,
  };
  const child = spawn(node, [script, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('close', (code, signal) => process.exit(code ?? 128 + os.constants.signals[signal]));
}
