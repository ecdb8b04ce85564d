// `npm run check`: format, lint with the import table, types layer by layer, unused exports. With names of stages as
// arguments, only those whose name contains one of them.
import { checkStages } from './checkStages.ts';
import { runStages, wantedOf } from './stages.ts';

await runStages(wantedOf(checkStages));
