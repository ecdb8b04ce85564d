// Numbers that are finite but overflow what is computed with them: a pose at 1e30 m ended the worker six
// times by an assertion of Embree, 1e15 seconds gave an empty file and exit code 0.
import { expect, it } from 'vitest';
import { requests } from '#contract/host/methods.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';
import { scenario } from '#test/support/documents.ts';

it('are refused in a request, each at its path', () => {
  const { problems } = parseWith(requests['scan.start'], {
    scenario: 'box',
    sensor: 'vlp-16',
    pose: { positionM: [1e30, 0, 2], yawDeg: 0 },
    seconds: 1e15,
  });
  expect(problems.map(({ path }) => path).sort()).toEqual(['pose.positionM[0]', 'seconds']);
});

it('are refused in a scenario', () => {
  const { problems } = parseScenario(
    scenario({ models: { ball: { kind: 'sphere', radiusM: 1e300, material: 'grey' } } }),
  );
  expect(problems.map(({ path }) => path)).toEqual(['scene.models.ball.radiusM']);
});

it('are refused where a shape would have no area: it was built without a triangle, and without a word', () => {
  const { problems } = parseScenario(
    scenario({
      models: {
        ball: { kind: 'sphere', radiusM: 1e-300, material: 'grey' },
        post: { kind: 'cylinder', radiusM: 0.1, heightM: 1e-30, material: 'grey' },
        crate: { kind: 'box', sizeM: [1, 1e-40, 1], material: 'grey' },
        thin: { kind: 'box', sizeM: [1, 1e-6, 1], material: 'grey' },
      },
    }),
  );
  expect(problems.map(({ path, message }) => [path, message])).toEqual([
    ['scene.models.ball.radiusM', expect.stringContaining('1e-300')],
    ['scene.models.post.heightM', expect.stringContaining('1e-30')],
    ['scene.models.crate.sizeM[1]', expect.stringContaining('1e-40')],
  ]);
});
