// Advice about a run that did not end as it should have.
import type { RunState } from '#contract/host/run.ts';

/** A sentence or two; null: it ended well, was stopped by the user, or is still running. */
export function adviceFor(state: RunState, hasRecording: boolean): string | null {
  const recording = hasRecording
    ? ' The recording up to then can be played, queried and exported.'
    : '';
  switch (state) {
    case 'failed':
      return `Fix the error above and start again. The same seed gives the same run.${recording}`;
    case 'interrupted':
      return `The scenario is valid. Start it again: the same seed gives the same bytes.${recording}`;
    default:
      return null;
  }
}
