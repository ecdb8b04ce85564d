// `npm run test:long`: the tests that `npm test` leaves out because they take long: `*.long.test.ts`, native tests,
// mutants and ten minutes of fuzzing with every check of the sanitizers, and the page in a browser, whole. With names of
// stages as arguments, only those.
import { fuzzStages } from './fuzz/stages.ts';
import { nativeStage } from './native/stages.ts';
import { sanitizers } from './native/sanitizers.ts';
import { nodeTool, runStages, suite, wantedOf } from './stages.ts';

await runStages(
  wantedOf([
    suite('long', ['.long.test.ts']),
    nativeStage('native (every check of the sanitizers)', 'sanitize-all/nativeTests', sanitizers),
    nativeStage(
      'native mutants (every check of the sanitizers)',
      'sanitize-all/mutantTests',
      sanitizers,
    ),
    ...fuzzStages(600, 1, 'sanitize-all'),
    nodeTool('browser', 'test/e2e/all.ts', [], 'vitest'),
  ]),
);
