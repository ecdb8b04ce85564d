// Stages that continuous integration runs besides `npm test`: the static checks, and the native tests with sanitizers.
import { checkStages } from './checkStages.ts';
import { fuzzStages } from './fuzz/stages.ts';
import { sanitizers } from './native/sanitizers.ts';
import { nativeStage } from './native/stages.ts';
import type { Stage } from './stages.ts';

/** On one core each, two at a time. */
export const ciStages: Stage[] = [
  ...checkStages,
  ...fuzzStages(60, 'sanitize'),
  nativeStage(
    'native (address and undefined-behaviour sanitizers)',
    'sanitize/nativeTests',
    sanitizers,
  ),
  nativeStage('native threads (thread sanitizer)', 'threads/threadTests'),
].map((stage) => ({ ...stage, isSingleThreaded: true }));
