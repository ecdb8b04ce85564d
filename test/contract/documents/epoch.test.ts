// The epoch of a recording: what people write, and what the schema refuses.
import { expect, it } from 'vitest';
import { parseWith } from '#contract/documents/problems.ts';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { epochOf } from '#contract/documents/epoch.ts';

it.each([
  ['1970-01-01T00:00:01Z', 1, 0],
  ['2026-11-22T12:00:00.250+01:00', Date.UTC(2026, 10, 22, 11) / 1000, 250_000_000],
  ['1700000000.5', 1_700_000_000, 500_000_000],
  [1_700_000_000, 1_700_000_000, 0],
  [1_700_000_000.123_456, 1_700_000_000, 123_456_000],
  [0, 0, 0],
])('%s', (epoch, sec, nanosec) => {
  expect(epochOf(epoch)).toEqual({ sec, nanosec });
});

function problemsOf(epoch: unknown): string[] {
  const { problems } = parseWith(scenarioSchema, {
    understory: 2,
    name: 'a',
    scene: { materials: {} },
    recording: { epoch },
  });
  return problems.map(({ path, message }) => `${path}: ${message}`);
}

it('takes a time with a zone or seconds, as a ROS time can hold them', () => {
  for (const good of ['2026-11-22T12:00:00Z', '1700000000', 0, 1.5]) {
    expect(problemsOf(good)).toEqual([]);
  }
  const bad = ['2026-11-22', '2026-11-22T12:00:00', '2040-01-01T00:00:00Z', '1960-01-01T00:00:00Z'];
  for (const epoch of [...bad, 'noon', -1, 3e9, true, '2026-13-41T12:00:00Z']) {
    const [problem] = problemsOf(epoch);
    expect(problem, String(epoch)).toMatch(/^recording\.epoch: .*expected/);
  }
});
