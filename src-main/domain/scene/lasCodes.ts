// Codes of classes in LAS files, as a scenario states them.
import type { CompiledScenario } from '#contract/host/run.ts';

/** By the names of classes; those without a code are left out. */
export function lasCodesOf({ scenario }: CompiledScenario): Record<string, number> {
  const stated = Object.entries(scenario.scene.classes ?? {});
  return Object.fromEntries(
    stated.flatMap(([name, { lasCode }]) => (lasCode === undefined ? [] : [[name, lasCode]])),
  );
}
