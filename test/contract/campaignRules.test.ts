// Rules of a campaign beyond its schema, each at the place that breaks it.
import { expect, it } from 'vitest';
import { parseCampaign } from '#domain/scenario/documentText.ts';

const problemsOf = (text: string): string[] =>
  parseCampaign(`understoryCampaign: 1\nname: test\nscenarios: [clearing]\n${text}`).problems.map(
    ({ path, message }) => `${path}: ${message}`,
  );

it('a field varies with one axis', () => {
  const found = problemsOf(`vary:
  a: { set: scene.seed, values: [1, 2] }
  b: { set: [mission.timeoutS, scene.seed], values: [3, 4] }
`);
  expect(found).toEqual([
    "vary.b.set[1]: expected every field once, found 'scene.seed' again (line 6)",
  ]);
  expect(problemsOf('vary: { a: { set: [b, b], values: [1] } }\n')).toEqual([
    "vary.a.set[1]: expected every field once, found 'b' again (line 4)",
  ]);
});

it('names, values and seeds are there once', () => {
  expect(problemsOf('vary: { points: { set: a, values: [1, 1] } }\nseeds: [2, 2]\n')).toEqual([
    'vary.points.values[1]: expected every value once, found 1 again (line 4)',
    "measures.points: expected another name: 'points' is an axis",
    'seeds[1]: expected every entry once, found 2 again (line 5)',
  ]);
});
