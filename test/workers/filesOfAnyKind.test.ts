// The worker opens logs, models and meshes by their names: what is no regular file, and a terabyte of nothing, are refused
// at once, and it works on.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { toWire } from '#contract/errors.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { makeTerabyte, oddKinds } from '#test/repro/oddFiles.ts';
import { startWorker } from '#test/support/worker.ts';
import { compileScenario } from './realWorker.ts';

const goldenLog = new URL('../recordings/log/golden.log', import.meta.url).pathname;
const limits = { memoryLimitBytes: 4e9 };

/** Calls that open `odd`, as a log, a model or a mesh. */
function callsWith(worker: ScanWorker, odd: string, empty: SceneRecipe): Promise<unknown>[] {
  const log = { log: odd, ...limits };
  const model = { model: odd, ...limits };
  const meshes = (['obj', 'ply', 'stl', 'learned'] as const).map((format) => {
    const units = { unitM: 1, upAxis: 'z', material: 0, materials: {} } as const;
    const source = { kind: 'mesh' as const, file: odd, format, ...units };
    const models = [{ name: 'm', solid: 'none' as const, source }];
    return { recipe: { ...empty, models }, ...limits };
  });
  const learning = { logs: [odd], out: `${odd}.ply`, seed: 1, ...limits };
  const parameters = learnPresets['browning-2012'];
  return [
    worker.call('learn.model', { ...learning, model: 'voxel', parameters }, {}),
    worker.call('learn.evaluate', { ...model, log: goldenLog, seed: 1, maxPoints: 0 }, {}),
    worker.call('log.compare', { logs: [odd, goldenLog], ...limits }, {}),
    worker.call('log.cloud', { ...log, maxPoints: 10 }, {}),
    worker.call('learn.elements', { ...model, maxElements: 9, maxTriangles: 9, maxPoints: 9 }, {}),
    ...meshes.map((request) =>
      worker.call('scene.build', request, { heights: new Float32Array() }),
    ),
  ];
}

it('refuses files that are no logs, models or meshes', async () => {
  const folder = temporaryFolder();
  const { recipe } = (await compileScenario('box')).compiled;
  const empty = { ...recipe, instances: [], scatters: [], ground: -1 };
  const worker = await startWorker();
  for (const [kind, make] of [...oddKinds, ['a terabyte', makeTerabyte] as const]) {
    const odd = join(folder, kind);
    await make(odd);
    const outcomes = await Promise.allSettled(callsWith(worker, odd, empty));
    for (const [index, outcome] of outcomes.entries()) {
      const { code, message } = toWire(outcome.status === 'rejected' ? outcome.reason : 'none');
      const about = `${kind}, call ${index}: ${message}`;
      if (kind === 'a terabyte') {
        expect(code, about).toMatch(/^(bad-input|corrupt|scene-too-large)$/);
      } else {
        expect(code, about).toBe('bad-input');
        expect(message, about).toContain(`expected a regular file, found ${kind}`);
      }
    }
  }
});
