// The compiled scenario in a row of documents, checked as one from elsewhere: a row may have been changed by hand.
import { UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { firstProblem, storedScenario } from '#contract/host/storedScenario.ts';

/** @param json null: there is no row. @throws UnderstoryError 'corrupt' */
export function compiledOfRow(json: string | null): CompiledScenario {
  const { value, problems } = storedScenario(dataOf(json), 'catalogue');
  if (value !== null) return value;
  const message = `a scenario of the catalogue is damaged: ${firstProblem(problems)}`;
  throw new UnderstoryError('corrupt', message);
}

function dataOf(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null');
  } catch {
    return null;
  }
}
