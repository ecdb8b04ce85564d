// `npm test`: everything that must hold before a change lands, within 15 minutes on two cores.
// With names of stages as arguments, only those whose name contains one of them.
import { checkStages } from './checkStages.ts';
import { nodeTool, runStages, type Stage } from './stages.ts';

const vitest = 'node_modules/vitest/vitest.mjs';
const unitFolders = [
  'domain',
  'services',
  'catalogue',
  'recordings',
  'renderer',
  'assets',
  'checks',
  'validation',
];

// Why no leak check: TBB and Embree keep pools until the process ends.
const sanitizers = { ASAN_OPTIONS: 'detect_leaks=0', UBSAN_OPTIONS: 'halt_on_error=1' };

const stages: Stage[] = [
  ...checkStages,
  suite('unit', unitFolders),
  {
    name: 'native (address and undefined-behaviour sanitizers)',
    command: 'build/sanitize/nativeTests',
    args: [],
    env: sanitizers,
    counts: 'doctest',
  },
  {
    name: 'native micro-benchmarks, once each',
    command: 'build/sanitize/microBenchmarks',
    args: ['--benchmark_min_time=0.001'],
    env: sanitizers,
  },
  suite('wire', ['wire']),
  suite('workers', ['workers']),
  suite('physics', ['physics']),
  suite('hosts', ['hosts', 'repro']),
  suite('product', ['product'], ['--no-file-parallelism']),
  nodeTool('browser', 'test/e2e/all.ts', ['--short'], 'vitest'),
];

const wanted = process.argv.slice(2);
await runStages(
  stages.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part))),
);

function suite(name: string, folders: string[], options: string[] = []): Stage {
  const paths = folders.map((folder) => `test/${folder}/`);
  return nodeTool(name, vitest, ['run', ...options, ...paths], 'vitest');
}
