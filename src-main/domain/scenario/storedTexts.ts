// Texts that recordings, bundles and catalogues store: parsed and checked (contract/host/storedScenario.ts).
// Guarantees: the text that was asked for last is not checked again; the result is shared and must not be changed.
import type { Parsed } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { recordingHead } from '#contract/host/recordingHead.ts';
import { storedOutline, storedScenario, type FoundIn } from '#contract/host/storedScenario.ts';
import { scenarioText } from './scenarioText.ts';

export const storedTexts = {
  /** A compiled scenario. */
  compiled: rememberingLast((json: string, foundIn: FoundIn) =>
    fromJson(json, (data) => storedScenario(data, foundIn)),
  ),
  /** The same of a catalogue without instances and scatters: few need them, and they may be hundreds of thousands. */
  outline: rememberingLast((json: string) => fromJson(json, storedOutline)),
  /** The scenario of a catalogue's compiled one, as a document and as YAML. */
  scenarioOf(json: string): Parsed<{ document: Scenario; text: string }> {
    const compiled = storedTexts.compiled(json, 'catalogue');
    if (compiled.value === null) return compiled;
    const { scenario } = compiled.value;
    return { value: { document: scenario, text: scenarioText(scenario) }, problems: [] };
  },
  /** The document in the head of a recording. */
  recordingHead: rememberingLast((json: string) => fromJson(json, recordingHead)),
};

/** Why the last alone: a run is opened again and again while it is looked at, and may hold 100,000 objects. */
function rememberingLast<Rest extends string[], T>(
  work: (json: string, ...rest: Rest) => Parsed<T>,
): (json: string, ...rest: Rest) => Parsed<T> {
  let last: { asked: readonly string[]; parsed: Parsed<T> } | null = null;
  return (json, ...rest) => {
    const asked = [json, ...rest];
    if (last === null || asked.some((text, index) => text !== last?.asked[index])) {
      last = null;
      const parsed = work(json, ...rest);
      if (parsed.value !== null) last = { asked, parsed };
      return parsed;
    }
    return last.parsed;
  };
}

function fromJson<T>(json: string, read: (data: unknown) => Parsed<T>): Parsed<T> {
  try {
    return read(JSON.parse(json));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const message = 'expected JSON, found other text';
    return { value: null, problems: [{ path: '(document)', code: 'syntax', message }] };
  }
}
