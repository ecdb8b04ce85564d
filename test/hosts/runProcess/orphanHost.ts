// A host to be killed by failures.test.ts: it drives, recorded in the folder given, and prints a line
// after some ticks.
import { compileClearing, execute, orderFor } from './realRun.ts';

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('expected a folder');
const clearing = await compileClearing();
await execute(orderFor(clearing, folder), clearing.heights, {
  onRunEvent: (event) => {
    if (event.kind === 'tick' && event.tick.tick === 5) console.log('driving');
  },
});
