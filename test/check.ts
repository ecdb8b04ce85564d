// `npm run check`: format, lint with the import table, types layer by layer, unused exports.
import { checkStages } from './checkStages.ts';
import { runStages } from './stages.ts';

await runStages(checkStages);
