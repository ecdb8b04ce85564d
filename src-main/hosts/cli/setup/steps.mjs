// The steps of the set-up and which commands need them. A step counts as done only when its stamp, written last,
// matches its inputs.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { nodeBinary, root, say } from './clone.mjs';
import {
  buildPackages,
  clusterPackages,
  formatPackages,
  installPackages,
  interopPackages,
  kernelPackages,
  missingPackages,
  mpiPackages,
  testPackages,
} from './debianPackages.mjs';
import { withLock } from './lock.mjs';
import { runTool } from './tools.mjs';

const packagesStep = (packages) => ({
  name: 'Debian packages',
  isDone: () => missingPackages(packages).length === 0,
  run: () => installPackages(missingPackages(packages)),
});

/** Also Node 24 itself, where the machine's is older. */
export const npmStep = {
  name: 'npm dependencies',
  stamp: 'node_modules/.understory-setup',
  // Why the lock alone: it repeats what package.json depends on, and scripts may change without a new install.
  inputs: () => [hashOfContent('package-lock.json')],
  // Why no `ci` where all was installed before: it installs all again, minutes for one package that is new.
  run: () =>
    runTool(
      'npm',
      [
        fs.existsSync(path.join(root, 'node_modules/.package-lock.json')) ? 'install' : 'ci',
        ...['--no-audit', '--no-fund', '--include=optional'],
      ],
      'npm',
    ),
};

/**
 * Compiles six sources as one. Why: half of the time of a single source goes into the headers that all have in common;
 * a clean build takes half as long.
 */
const unityOptions = ['-DCMAKE_UNITY_BUILD=ON', '-DCMAKE_UNITY_BUILD_BATCH_SIZE=6'];

const workerTargets = ['scanWorker', 'scanWorkerMpi'];

/** Builds of more than the worker alone depend on the tests' own sources, and have a stamp of their own. */
const nativeStep = (folder, options, targets = ['scanWorker'], name = '') => ({
  name: `native build (${folder}${name && `, ${name}`})`,
  stamp: `build/${folder}/.understory-setup${name && `-${name}`}`,
  inputs: () => [
    ...listing('native-workers'),
    ...listing('src-main/contract').filter((line) => !line.startsWith('src-main/contract/host/')),
    // The worker reports it.
    JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).version,
    ...(workerTargets.includes(targets[0]) ? [] : listing('test/native')),
  ],
  prepare: () => forgetOtherSource(path.join('build', folder)),
  run: async () => {
    const build = path.join('build', folder);
    const configure = ['-S', 'native-workers', '-B', build, '-G', 'Ninja', ...unityOptions];
    configure.push(`-DUNDERSTORY_NODE=${nodeBinary()}`, ...options);
    await runTool('cmake', configure, `native-${folder}`);
    await runTool('cmake', ['--build', build, '--target', ...targets], `native-${folder}`);
  },
});

/**
 * Removes the cache of CMake that names another source folder: the clone was copied or moved, and CMake refuses to
 * configure there. What had been built is built again.
 */
function forgetOtherSource(build) {
  const file = path.join(root, build, 'CMakeCache.txt');
  const cache = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
  const source = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(cache)?.[1];
  const own = path.join(root, 'native-workers');
  const isOwn = source !== undefined && fs.existsSync(source) && fs.realpathSync(source) === own;
  if (source === undefined || isOwn) return;
  say(`${build} was built for ${source}: building again, which takes some minutes`);
  fs.rmSync(path.join(root, build), { recursive: true });
}

const pageStep = {
  name: 'page build',
  stamp: 'dist/renderer/.understory-setup',
  inputs: () => [
    ...listing('src-renderer'),
    // The manual shows them.
    ...listing('assets/pictures'),
    ...listing('src-main/contract'),
    ...listing('src-main/domain/shared'),
    hashOfContent('vite.config.ts'),
    hashOfContent('package-lock.json'),
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
/** The worker as it is used. */
export const releaseStep = nativeStep('release', releaseOptions);
const kernelsStep = nativeStep('release', releaseOptions, ['microBenchmarks'], 'kernels');
const mutantsStep = nativeStep('release', releaseOptions, ['scanWorkerMutants'], 'mutants');
const mutantTestsStep = nativeStep(
  'release',
  releaseOptions,
  ['mutantTests', 'scanWorkerMutants'],
  'mutant tests',
);
/** The native tests with the vector clones of other processors. */
const laneTestsStep = nativeStep(
  'release',
  releaseOptions,
  ['nativeTestsAvx2', 'nativeTestsSse2'],
  'tests of vector clones',
);
/** The worker over MPI ranks. */
const mpiStep = nativeStep('release', releaseOptions, ['scanWorkerMpi'], 'mpi');
/** Where MPI is installed: the tests use it there. */
const possibleMpiStep = {
  ...mpiStep,
  isDone: () => missingPackages(mpiPackages).length > 0 || isDone(mpiStep),
};
/**
 * The native tests of what is shipped, with the vector clones that a sanitizer cannot have, and all else of the release
 * build. Why in one call: the linker of one target and the last source of another leave a core idle.
 */
const releaseTestsStep = nativeStep(
  'release',
  releaseOptions,
  ['nativeTests', 'fuzz', 'scanWorker', 'microBenchmarks'],
  'tests',
);

const sanitizeStep = (folder, checks, targets) =>
  nativeStep(folder, [...releaseOptions, `-DUNDERSTORY_SANITIZE=${checks}`], targets);

/** Steps that continuous integration adds to `npm test`. */
const ciSteps = [
  packagesStep([...buildPackages, ...testPackages]),
  npmStep,
  sanitizeStep('sanitize', 'ON', ['nativeTests', 'fuzz']),
  nativeStep('threads', ['-DUNDERSTORY_THREAD_SANITIZE=ON'], ['threadTests']),
  releaseStep,
  laneTestsStep,
  mutantTestsStep,
  mutantsStep,
  pageStep,
];

/** The steps of each kind of command, in order. */
export const levels = {
  none: [],
  check: [npmStep],
  lint: [packagesStep(formatPackages), npmStep],
  run: [packagesStep(buildPackages), npmStep, releaseStep],
  kernels: [packagesStep([...buildPackages, ...kernelPackages]), npmStep, kernelsStep],
  validate: [packagesStep(buildPackages), npmStep, releaseStep, mutantsStep],
  serve: [packagesStep(buildPackages), npmStep, releaseStep, pageStep],
  desktop: [packagesStep(buildPackages), npmStep, releaseStep, pageStep, desktopStep],
  test: [
    packagesStep([...buildPackages, ...testPackages]),
    npmStep,
    // The two after it find their targets built.
    releaseTestsStep,
    releaseStep,
    kernelsStep,
    possibleMpiStep,
    pageStep,
  ],
  mpi: [packagesStep([...buildPackages, ...mpiPackages]), npmStep, releaseStep, mpiStep],
  cluster: [packagesStep([...buildPackages, ...clusterPackages]), npmStep, releaseStep, mpiStep],
  interop: [packagesStep([...buildPackages, ...interopPackages]), npmStep, releaseStep],
  ci: ciSteps,
  long: [
    ...ciSteps,
    kernelsStep,
    sanitizeStep('sanitize-all', 'ALL', ['nativeTests', 'mutantTests', 'fuzz']),
  ],
};

/** Runs the steps that are not done yet, one process at a time for the whole clone. */
export async function makeReady(steps) {
  if (!steps.every(isDone)) await withLock(() => runSteps(steps));
}

/** Runs the steps that are not done yet, in order. */
export async function runSteps(steps) {
  // Why first: a build of another source folder is removed as a whole, with what other steps had built there.
  for (const step of steps) if (!isDone(step)) step.prepare?.();
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
}

export function isDone(step) {
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
