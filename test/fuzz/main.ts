// `npm run fuzz [-- SECONDS [SEED]]`: ten minutes under the sanitizers, with inputs that no run had before, unless a
// seed is given. A failure prints the seed of its input.
import { runStages } from '../stages.ts';
import { fuzzStages } from './stages.ts';

const [seconds = '600', seed = String(Date.now() % 1e9)] = process.argv.slice(2);
await runStages(fuzzStages(Number(seconds), 'sanitize', Number(seed)));
