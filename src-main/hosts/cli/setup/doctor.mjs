// `understory doctor`: what the machine has and what is missing.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bundledNode, nodeNeeded, readOrEmpty, root } from './clone.mjs';
import { buildPackages, missingPackages, testPackages } from './debianPackages.mjs';
import { isDone, npmStep, releaseStep } from './steps.mjs';

/** Says what is present, missing or too old, and what fixes it; installs nothing. */
export function doctor(args) {
  const checks = [
    ...toolChecks(),
    ...[...buildPackages, ...testPackages].map(packageCheck),
    stepCheck(npmStep, 'npm run setup'),
    stepCheck(releaseStep, 'npm run setup'),
  ];
  const machine = readMachine();
  const isReady = checks.every((check) => check.state === 'present' || check.isOptional);
  if (args.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ ready: isReady, machine, checks }, null, 2)}\n`);
  } else {
    for (const { name, state, found, fix } of checks) {
      const sign = state === 'present' ? 'ok     ' : state.padEnd(7);
      const cure = state === 'present' ? '' : `  fix: ${fix}`;
      process.stdout.write(`${sign} ${name}${found ? ` ${found}` : ''}${cure}\n`);
    }
    process.stdout.write(
      `\n${machine.cores} cores, SIMD ${machine.simd}, ${machine.freeMemoryGB} of ${machine.memoryGB} GB memory ` +
        `available, ${machine.freeDiskGB} GB disk free\n`,
    );
    process.stdout.write(isReady ? 'ready\n' : 'not ready; every command installs what it needs\n');
  }
  process.exitCode = isReady ? 0 : 3;
}

function toolChecks() {
  const own = Number(process.versions.node.split('.')[0]);
  const hasBundled = fs.existsSync(bundledNode);
  return [
    {
      name: 'Node to start with (20 or newer)',
      state: own >= 20 ? 'present' : 'too old',
      found: process.versions.node,
      fix: 'install Node 20 or newer',
    },
    {
      name: `Node to run on (${nodeNeeded} or newer)`,
      state: own >= nodeNeeded || hasBundled ? 'present' : 'missing',
      found: own >= nodeNeeded ? process.versions.node : hasBundled ? 'from npm' : '',
      fix: 'npm ci',
    },
    toolCheck('npm', 10),
    toolCheck('git', 2),
    toolCheck('g++', 12),
    toolCheck('cmake', 3),
  ];
}

function toolCheck(tool, least) {
  const { status, stdout } = spawnSync(tool, ['--version'], { encoding: 'utf8' });
  const found = /\d+(\.\d+)+/.exec(stdout ?? '')?.[0] ?? '';
  const state =
    status !== 0 ? 'missing' : Number.parseInt(found, 10) >= least ? 'present' : 'too old';
  return { name: `${tool} (${least} or newer)`, state, found, fix: `apt-get install ${tool}` };
}

function packageCheck(name) {
  const state = missingPackages([name]).length === 0 ? 'present' : 'missing';
  const isOptional = testPackages.includes(name);
  const label = isOptional ? `${name} (for the tests)` : name;
  return {
    name: label,
    state,
    found: '',
    fix: `apt-get install --no-install-recommends ${name}`,
    isOptional,
  };
}

function stepCheck(step, fix) {
  let state = 'missing';
  try {
    state = isDone(step)
      ? 'present'
      : fs.existsSync(path.join(root, step.stamp))
        ? 'too old'
        : 'missing';
  } catch {
    state = 'missing';
  }
  return { name: step.name, state, found: '', fix };
}

function readMachine() {
  const flags = readOrEmpty('/proc/cpuinfo');
  const has = (flag) => new RegExp(`^flags.*\\b${flag}\\b`, 'm').test(flags);
  const simd = has('avx512f')
    ? 'avx512'
    : has('avx2')
      ? 'avx2'
      : has('avx')
        ? 'avx'
        : has('sse4_2')
          ? 'sse4.2'
          : 'unknown';
  const available = /MemAvailable:\s+(\d+)/.exec(readOrEmpty('/proc/meminfo'));
  const gb = (bytes) => Number((bytes / 1e9).toFixed(1));
  const disk = fs.statfsSync(root);
  return {
    cores: os.availableParallelism(),
    simd,
    memoryGB: gb(os.totalmem()),
    freeMemoryGB: gb(available ? Number(available[1]) * 1024 : os.freemem()),
    freeDiskGB: gb(disk.bavail * disk.bsize),
  };
}
