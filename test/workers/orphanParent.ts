// A process to be killed by supervision.test.ts: it keeps a worker busy and prints the worker's pid.
import { compileScenario, openWorker, scanBytes, standingAt } from './realWorker.ts';

const field = await compileScenario();
const { worker } = await openWorker(field);
const sensor = field.compiled.sensors[0]?.recipe;
if (sensor === undefined) throw new Error('the field has no sensor');
await scanBytes(worker, {
  sensor,
  toNs: 600e9,
  columns: ['range_m'],
  trajectory: standingAt(0, 0, 1.5),
  onChunk: (chunk) => {
    if (chunk === 0) console.log(worker.pid);
  },
});
