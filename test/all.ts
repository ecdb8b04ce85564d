// `npm test`: the tests that must pass before a change lands. `npm run check` has the static checks, `npm run test:ci`
// (ci.ts) these and the sanitizers, `npm run test:long` (long.ts) all that this command leaves out. With names of
// stages as arguments, only those whose name contains one of them.
import { pageEnvironment, shortForm } from './e2e/shortForm.ts';
import { fuzzStages } from './fuzz/stages.ts';
import { nativeStage } from './native/stages.ts';
import { runStages, suite, wantedOf, type Stage } from './stages.ts';

/** On one core each, two at a time: the longest first. */
const native: Stage[] = [
  nativeStage('native (release build, with its vector clones)', 'release/nativeTests'),
  ...fuzzStages(60, 'release'),
  {
    name: 'native micro-benchmarks, once each',
    command: 'build/release/microBenchmarks',
    args: ['--benchmark_min_time=0.001'],
  },
].map((stage) => ({ ...stage, isSingleThreaded: true }));

const stages: Stage[] = [
  ...native,
  // Why several files to a process: two fifths of their time were new processes that read the same modules.
  shortSuite(
    'unit (functions, page, checks)',
    ['domain', 'contract', 'renderer', 'assets', 'checks'],
    ['--no-isolate'],
  ),
  shortSuite('unit (services, catalogue, files, recordings)', [
    'services',
    'catalogue',
    'files',
    'recordings',
    'validation',
  ]),
  shortSuite('wire', ['wire']),
  shortSuite('physics', ['physics']),
  {
    // Why one pool, and more of them than cores: tests that start processes wait for them more than they compute.
    ...shortSuite(
      'processes (workers, hosts, product, browser)',
      ['workers', 'hosts', 'repro', 'versions', 'product', 'faults'],
      ['--maxWorkers=4', ...shortForm],
    ),
    env: pageEnvironment,
  },
];

await runStages(wantedOf(stages));

function shortSuite(name: string, folders: string[], options: string[] = []): Stage {
  const paths = folders.map((folder) => `test/${folder}/`);
  return suite(name, ['--exclude', '**/*.{long,ci}.test.ts', ...options, ...paths]);
}
