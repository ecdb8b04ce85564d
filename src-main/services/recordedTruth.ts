// Whether a recording has the ground truth that something needs.
import type { CompiledScenario } from '#contract/host/run.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { recordsTruth } from '#contract/documents/scenario.ts';

/**
 * For what needs ground truth. @param need such as 'the labels of semantickitti need'
 * @throws 'bad-input' where the run was recorded without
 */
export function expectTruth({ scenario }: Pick<CompiledScenario, 'scenario'>, need: string): void {
  if (recordsTruth(scenario)) return;
  const message = `the run was recorded without ground truth, which ${need}`;
  throw new UnderstoryError('bad-input', message, {
    problems: [{ path: 'recording.truth', code: 'custom', message }],
  });
}
