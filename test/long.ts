// `npm run test:long`: the tests that `npm test` leaves out because they take long: `*.long.test.ts`, ten minutes of
// fuzzing, and the page in a browser, whole. With names of stages as arguments, only those.
import { fuzzStages } from './fuzz/stages.ts';
import { nodeTool, runStages, suite, wantedOf } from './stages.ts';

await runStages(
  wantedOf([
    suite('long', ['.long.test.ts']),
    ...fuzzStages(600),
    nodeTool('browser', 'test/e2e/all.ts', [], 'vitest'),
  ]),
);
