// A scenario as a text again: what stands in a catalogue has no text of its own any more.
import { stringify } from 'yaml';
import type { Scenario } from '#contract/documents/scenario.ts';

/** YAML that parseScenario reads back to the same scenario. */
export function scenarioText(scenario: Scenario): string {
  return stringify(scenario, { lineWidth: 100, flowCollectionPadding: false });
}
