// Runs the tools of the set-up, one at a time.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { root, say } from './clone.mjs';

/** Where lines stay, one of the tool's goes by this often. */
const lineEveryMs = 20_000;

/** The tool under way: it ends with the set-up. */
let currentTool = null;

/** Ends the tool under way, if any. */
export function stopTool() {
  currentTool?.kill();
}

/** Runs a tool with its output in build/setup/NAME.log; shows the end of it when the tool fails. */
export function runTool(tool, args, logName, env = {}) {
  const logFile = path.join(root, 'build/setup', `${logName}.log`);
  fs.mkdirSync(path.dirname(logFile), { recursive: true });
  const log = fs.openSync(logFile, 'a');
  const isTerminal = process.stderr.isTTY === true;
  return new Promise((resolve, reject) => {
    const child = spawn(tool, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    currentTool = child;
    let tail = '';
    const onData = (data) => {
      fs.writeSync(log, data);
      tail = (tail + data).slice(-6000);
      if (isTerminal) process.stderr.write(`\r\x1b[2K  ${lastLine(tail)}`);
    };
    const lines = isTerminal ? null : setInterval(() => say(`  ${lastLine(tail)}`), lineEveryMs);
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('error', (error) => {
      clearInterval(lines);
      reject(new Error(`${tool} could not be started: ${error.message}`));
    });
    child.on('close', (code, signal) => {
      clearInterval(lines);
      fs.closeSync(log);
      if (isTerminal) process.stderr.write('\r\x1b[2K');
      if (code === 0) return resolve();
      const how = signal ? `was ended by ${signal}` : `failed with exit code ${code}`;
      const shown = path.relative(root, logFile);
      reject(new Error(`${tail.trimEnd()}\n${tool} ${how}; the whole output is in ${shown}`));
    });
  });
}

function lastLine(text) {
  return text.trimEnd().split('\n').at(-1)?.slice(0, 100) ?? '';
}
