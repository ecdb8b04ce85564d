// `npm test`: what must hold before a change lands, 20 minutes on two cores; `npm run test:long` (long.ts) has
// the tests that take longer. With names of stages as arguments, only those whose name contains one of them.
import { checkStages } from './checkStages.ts';
import { fuzzStages } from './fuzz/stages.ts';
import { sanitizers } from './native/sanitizers.ts';
import { nodeTool, runStages, suite, wantedOf, type Stage } from './stages.ts';

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
  shortSuite('unit', unitFolders),
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
  shortSuite('wire', ['wire']),
  shortSuite('workers', ['workers']),
  shortSuite('physics', ['physics']),
  shortSuite('hosts', ['hosts', 'repro', 'versions']),
  shortSuite('product', ['product'], ['--no-file-parallelism']),
  nodeTool('browser', 'test/e2e/all.ts', ['--short'], 'vitest'),
];

await runStages(wantedOf(stages));

function native(name: string, program: string, env: Record<string, string> = {}): Stage {
  return { name, command: `build/${program}`, args: [], env, counts: 'doctest' };
}

function shortSuite(name: string, folders: string[], options: string[] = []): Stage {
  const paths = folders.map((folder) => `test/${folder}/`);
  return suite(name, ['--exclude', '**/*.long.test.ts', ...options, ...paths]);
}
