// Numbers that are finite but overflow what is computed with them: a pose at 1e30 m ended the worker six
// times by an assertion of Embree, 1e15 seconds gave an empty file and exit code 0.
import { expect, it } from 'vitest';
import { requests } from '#contract/host/methods.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { parseScenario } from '#domain/scenario/documentText.ts';

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
  const { problems } = parseScenario(`
understory: 1
name: absurd
scene:
  materials: { grey: { reflectance: 0.5 } }
  models: { ball: { kind: sphere, radiusM: 1.0e+300, material: grey } }
`);
  expect(problems.map(({ path }) => path)).toEqual(['scene.models.ball.radiusM']);
});
