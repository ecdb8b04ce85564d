// `npm test`: everything that must hold before a change lands, within 15 minutes on two cores.
// With names of stages as arguments, only those whose name contains one of them.
import { checkStages } from './checkStages.ts';
import { fuzzStages } from './fuzz/stages.ts';
import { sanitizers } from './native/sanitizers.ts';
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

const stages: Stage[] = [
  ...checkStages,
  suite('unit', unitFolders),
  native('native (release build, with its vector clones)', 'release/nativeTests'),
  native('native (address and undefined-behaviour sanitizers)', 'sanitize/nativeTests', sanitizers),
  native('native mutants', 'release/mutantTests'),
  native(
    'native mutants (address and undefined-behaviour sanitizers)',
    'sanitize/mutantTests',
    sanitizers,
  ),
  native('native threads (thread sanitizer)', 'threads/threadTests'),
  ...fuzzStages(60),
  {
    name: 'native micro-benchmarks, once each',
    command: 'build/release/microBenchmarks',
    args: ['--benchmark_min_time=0.001'],
  },
  suite('wire', ['wire']),
  suite('workers', ['workers']),
  suite('physics', ['physics']),
  suite('hosts', ['hosts', 'repro', 'versions']),
  suite('product', ['product'], ['--no-file-parallelism']),
  nodeTool('browser', 'test/e2e/all.ts', ['--short'], 'vitest'),
];

const wanted = process.argv.slice(2);
await runStages(
  stages.filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part))),
);

function native(name: string, program: string, env: Record<string, string> = {}): Stage {
  return { name, command: `build/${program}`, args: [], env, counts: 'doctest' };
}

function suite(name: string, folders: string[], options: string[] = []): Stage {
  const paths = folders.map((folder) => `test/${folder}/`);
  return nodeTool(name, vitest, ['run', ...options, ...paths], 'vitest');
}
