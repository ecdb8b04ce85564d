// Every change of every field of the scenario in a recording and a bundle, through every method that reads it.
import { expect, it, vi } from 'vitest';
import { changedAt, changes, pathsOf } from './changedFields.ts';
import { foreignScenarios, realRun } from './foreignScenarios.ts';

vi.setConfig({ testTimeout: 3_600_000 });

it('a host answers without an internal error, and a refusal leaves nothing', async () => {
  const real = await realRun();
  const host = await foreignScenarios(real);
  try {
    for (const path of pathsOf(real.compiled)) {
      for (const [kind, change] of Object.entries(changes)) {
        const changed = changedAt(real.compiled, path, change);
        for (const { codes, left } of [
          await host.asRecording(changed, true),
          await host.asBundle(changed, true),
        ]) {
          const text = `${path.join('.')} ${kind}`;
          expect(
            codes.filter((code) => code.includes('internal')),
            text,
          ).toEqual([]);
          expect(left, text).toEqual([]);
        }
      }
    }
  } finally {
    await host.dispose();
  }
});
