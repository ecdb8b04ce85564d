// A process to be killed by supervision.test.ts: it keeps a worker busy and prints the worker's pid.
import { realLauncher } from '#test/support/worker.ts';
import { compileScenario, scanBytes, standingAt, onlySensor } from './realWorker.ts';

const field = await compileScenario();
const worker = await realLauncher().open({ isa: null, threads: null });
const request = { recipe: field.compiled.recipe, memoryLimitBytes: 2e9 };
await worker.call('scene.build', request, { heights: field.heights });
await scanBytes(worker, {
  sensor: onlySensor(field),
  toNs: 600e9,
  columns: ['range_m'],
  trajectory: standingAt(0, 0, 1.5),
  onChunk: (chunk) => {
    if (chunk === 0) console.log(worker.pid);
  },
});
