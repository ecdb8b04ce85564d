// Advice about runs that did not end well, and none about the others.
import { expect, it } from 'vitest';
import { adviceFor } from '#renderer/logic/runs/runErrorHelp.ts';

it('says what to do, and what is kept', () => {
  expect(adviceFor('failed', false)).toMatch(/^Fix the error above/);
  expect(adviceFor('failed', false)).not.toContain('recording');
  expect(adviceFor('interrupted', true)).toMatch(/Start it again.*can be played/);
  expect(
    (['finished', 'cancelled', 'running'] as const).map((state) => adviceFor(state, true)),
  ).toEqual([null, null, null]);
});
