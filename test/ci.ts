// `npm run test:ci`: what .ci/run runs after `npm test`. With names of stages as arguments, only those whose name
// contains one of them.
import { ciStages } from './ciStages.ts';
import { runStages, wantedOf } from './stages.ts';

await runStages(wantedOf(ciStages));
