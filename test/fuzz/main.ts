// `npm run fuzz [-- SECONDS [TARGET] [SEED]]`: ten minutes of all targets, or of one, with inputs that no run had before
// unless a seed is given. Native targets run under the sanitizers. A finding prints the command that repeats it.
import { runStages } from '../stages.ts';
import { fuzzStages, targetStage } from './stages.ts';

const [seconds = '600', ...rest] = process.argv.slice(2);
const target = rest.find((word) => !/^\d+$/.test(word));
const seed = Number(rest.find((word) => /^\d+$/.test(word)) ?? Date.now() % 1e9);
await runStages(
  target === undefined
    ? fuzzStages(Number(seconds), 'sanitize', seed)
    : [targetStage(target, Number(seconds), 'sanitize', seed)],
);
