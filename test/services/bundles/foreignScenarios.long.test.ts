// Changes of every field of the scenario in a recording and a bundle, through every method that reads it: each change that
// gives another scenario, and for each field one that is refused.
import { expect, it, vi } from 'vitest';
import { storedScenario } from '#contract/host/storedScenario.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import { changedAt, changes, pathsOf } from './changedFields.ts';
import { foreignScenarios, realRun } from './foreignScenarios.ts';

vi.setConfig({ testTimeout: 3_600_000 });

it('a host answers without an internal error, and a refusal leaves nothing', async () => {
  const real = await realRun();
  const host = await foreignScenarios(real);
  for (const [text, changed] of tried(real.compiled)) {
    for (const { codes, left } of [
      await host.asRecording(changed, true),
      await host.asBundle(changed, true),
    ]) {
      expect(
        codes.filter((code) => code.includes('internal')),
        text,
      ).toEqual([]);
      expect(left, text).toEqual([]);
    }
  }
});

/**
 * Changed scenarios by what was changed. Why not all: a refusal is that of one function, which foreignScenarios.test.ts
 * gives every change; an accepted one is known to the host by its value only.
 */
function tried(compiled: unknown): Map<string, unknown> {
  const chosen = new Map<string, unknown>();
  const accepted = new Set<string>();
  const kinds = Object.entries(changes);
  for (const [index, path] of pathsOf(compiled).entries()) {
    let isRefused = false;
    for (const at of kinds.keys()) {
      // Another kind first for each field.
      const [kind, change] = kinds[(index + at) % kinds.length] ?? ['', () => null];
      const changed = changedAt(compiled, path, change);
      const { value } = storedScenario(changed, 'recording');
      const result = value === null ? null : canonicalJson(value);
      if (result === null ? isRefused : accepted.has(result)) continue;
      if (result === null) isRefused = true;
      else accepted.add(result);
      chosen.set(`${path.join('.')} ${kind}`, changed);
    }
  }
  return chosen;
}
