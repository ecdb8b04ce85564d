// `npm run test:long`: all that `npm test` leaves out: `*.long.test.ts`, the page in a browser, whole, what continuous
// integration adds (ciStages.ts), and native tests, mutants and ten minutes of fuzzing with every check of the
// sanitizers. With names of stages as arguments, only those whose name contains one of them.
import { ciStages } from './ciStages.ts';
import { fuzzStages } from './fuzz/stages.ts';
import { nativeStage } from './native/stages.ts';
import { sanitizers } from './native/sanitizers.ts';
import { nodeTool, runStages, suite, wantedOf } from './stages.ts';

await runStages(
  wantedOf([
    ...ciStages,
    suite('long', ['.long.test.ts']),
    nativeStage('native (every check of the sanitizers)', 'sanitize-all/nativeTests', sanitizers),
    nativeStage(
      'native mutants (every check of the sanitizers)',
      'sanitize-all/mutantTests',
      sanitizers,
    ),
    ...fuzzStages(600, 'sanitize-all'),
    nodeTool('browser', 'test/e2e/all.ts', [], 'vitest'),
  ]),
);
