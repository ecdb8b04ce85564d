// `npm run check`: format, lint with the import table, types layer by layer, unused exports. With names of stages as
// arguments, only those whose name contains one of them.
import { checkStages } from './checkStages.ts';
import { runStages } from './stages.ts';

const wanted = process.argv.slice(2);
await runStages(
  checkStages.filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  ),
);
