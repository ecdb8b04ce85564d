// A scenario as a text again: a scenario in a catalogue has no text.
import { stringify } from 'yaml';
import type { Scenario } from '#contract/documents/scenario.ts';

/** YAML that parseScenario reads back to the same scenario. */
export function scenarioText(scenario: Scenario): string {
  return stringify(scenario, { lineWidth: 100, flowCollectionPadding: false });
}
