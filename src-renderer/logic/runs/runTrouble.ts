// What can be done about a run that did not end as it should have.
import type { RunState } from '#contract/host/run.ts';

/** A sentence or two; null: it ended well, was was stopped by the user, or is still running. */
export function adviceFor(state: RunState, hasRecording: boolean): string | null {
  const kept = hasRecording
    ? ' What was recorded until then is kept: it can be played, questioned and exported.'
    : '';
  switch (state) {
    case 'failed':
      return `Fix the error above, then start the scenario again; with the same seed it takes the same course.${kept}`;
    case 'interrupted':
      return `Nothing is wrong with the scenario: start it again, and with the same seed it gives the same bytes.${kept}`;
    default:
      return null;
  }
}
