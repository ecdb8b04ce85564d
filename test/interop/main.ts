// `npm run interop`: other programs read what is written. With names of stages as arguments, only those whose name
// contains one of them.
import { runStages, wantedOf } from '../stages.ts';
import { interopStages } from './stages.ts';

await runStages(wantedOf(interopStages));
