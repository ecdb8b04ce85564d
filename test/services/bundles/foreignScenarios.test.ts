// Every field of the scenario in a recording or a bundle may be anything: it is refused or taken, without an internal
// error, and a refusal leaves nothing.
import { expect, it, vi } from 'vitest';
import { storedOutline, storedScenario } from '#contract/host/storedScenario.ts';
import { changedAt, changes, pathsOf } from './changedFields.ts';
import { foreignScenarios, realRun } from './foreignScenarios.ts';

vi.setConfig({ testTimeout: 600_000 });

const kinds = Object.entries(changes);

it('every change of every field is refused with its path, or gives a scenario that is accepted again', async () => {
  const { compiled } = await realRun();
  for (const path of pathsOf(compiled)) {
    for (const [kind, change] of kinds) {
      const changed = changedAt(compiled, path, change);
      storedOutline(changed);
      for (const foundIn of ['catalogue', 'recording', 'bundle'] as const) {
        const { value, problems } = storedScenario(changed, foundIn);
        const text = `${path.join('.')} ${kind} ${foundIn}`;
        if (value === null) expect(problems[0]?.message, text).toMatch(/^expected [^\p{Cc}]*$/u);
        else expect(storedScenario(value, foundIn).problems, text).toEqual([]);
      }
    }
  }
});

it('a host answers without an internal error, and a refusal leaves nothing', async () => {
  const real = await realRun();
  const host = await foreignScenarios(real);
  // Why so few: all of them are the wide variant, foreignScenarios.long.test.ts.
  const some = pathsOf(real.compiled).filter((_, index) => index % 13 === 0);
  for (const [index, path] of some.entries()) {
    const [kind = '', change = () => null] = kinds[index % kinds.length] ?? [];
    const changed = changedAt(real.compiled, path, change);
    const text = `${path.join('.')} ${kind}`;
    for (const { codes, left } of [
      await host.asRecording(changed, index === 0),
      await host.asBundle(changed, index === 1),
    ]) {
      expect(
        codes.filter((code) => code.includes('internal')),
        text,
      ).toEqual([]);
      expect(left, text).toEqual([]);
    }
  }
});
