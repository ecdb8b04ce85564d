// Stages that continuous integration runs besides `npm test`: the static checks, the native tests with sanitizers, and
// what needs builds of its own (`*.ci.test.ts`): mutants and packages.
import { checkStages } from './checkStages.ts';
import { fuzzStages } from './fuzz/stages.ts';
import { sanitizers } from './native/sanitizers.ts';
import { nativeStage } from './native/stages.ts';
import { suite, type Stage } from './stages.ts';

/** On one core each, two at a time. */
const singleThreaded: Stage[] = [
  ...checkStages,
  ...fuzzStages(60, 'sanitize'),
  nativeStage(
    'native (address and undefined-behaviour sanitizers)',
    'sanitize/nativeTests',
    sanitizers,
  ),
  nativeStage('native threads (thread sanitizer)', 'threads/threadTests'),
  nativeStage('native (vector clones for AVX2)', 'release/nativeTestsAvx2'),
  nativeStage('native (vector clones for SSE2)', 'release/nativeTestsSse2'),
  nativeStage('native mutants', 'release/mutantTests'),
].map((stage) => ({ ...stage, isSingleThreaded: true }));

export const ciStages: Stage[] = [
  ...singleThreaded,
  suite('mutants, packages, import table', ['.ci.test.ts']),
];
