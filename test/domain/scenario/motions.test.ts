// Motions in a scenario: what a person may have got wrong, with its path.
import { expect, it } from 'vitest';
import { parseScenario } from '#domain/scenario/documentText.ts';

const scenario = (motions: object, instance: object = {}): string =>
  JSON.stringify({
    understory: 2,
    name: 'Motions',
    scene: {
      materials: { grey: { reflectance: 0.5 } },
      models: { box: { kind: 'box', sizeM: [1, 1, 1], material: 'grey' } },
      motions,
      instances: [{ name: 'a', model: 'box', positionM: [0, 0, 0], ...instance }],
    },
  });
const problemsOf = (text: string): string[] =>
  parseScenario(text).problems.map(({ path, message }) => `${path}: ${message}`);
const turning = { kind: 'rotating', pivotM: [0, 0, 0], rateDegPerS: 90 };
const at = (timeS: number): object => ({ timeS, positionM: [0, 0, 0] });

it('a motion that an instance names must be there', () => {
  expect(problemsOf(scenario({ turn: turning }, { motion: 'turn' }))).toEqual([]);
  expect(problemsOf(scenario({ turn: turning }, { motion: 'tum' }))).toEqual([
    expect.stringContaining(
      "scene.instances[0].motion: expected a motion of the scene (turn), found 'tum'",
    ),
  ]);
});

it('keyframes have rising times', () => {
  const keyframes = { kind: 'keyframes', keyframes: [at(0), at(1), at(1)] };
  expect(problemsOf(scenario({ go: keyframes }))).toEqual([
    expect.stringContaining(
      'scene.motions.go.keyframes[2].timeS: expected a time after 1 s, that of the keyframe before, found 1',
    ),
  ]);
  expect(problemsOf(scenario({ go: { kind: 'keyframes', keyframes: [] } }))).toHaveLength(1);
});

it('axes have a direction, paths a way, speeds are above 0', () => {
  const problems = problemsOf(
    scenario({
      axis: { ...turning, axis: [0, 0, 0] },
      slow: {
        kind: 'path',
        speedMPerS: 0,
        pointsM: [
          [0, 0, 0],
          [1, 0, 0],
        ],
      },
      still: {
        kind: 'path',
        speedMPerS: 1,
        pointsM: [
          [1, 0, 0],
          [1, 0, 0],
        ],
      },
    }),
  );
  const round = {
    kind: 'path',
    speedMPerS: 1,
    closed: true,
    pointsM: [
      [1, 0, 0],
      [2, 0, 0],
      [1, 0, 0],
    ],
  };
  expect(problemsOf(scenario({ round }))).toEqual([
    expect.stringContaining('scene.motions.round.pointsM[0]: expected another point'),
  ]);
  expect(problemsOf(scenario({ round: { ...round, closed: false } }))).toEqual([]);
  expect(problems).toEqual([
    expect.stringContaining('scene.motions.axis.axis: expected a direction, found [0, 0, 0]'),
    expect.stringContaining('scene.motions.slow.speedMPerS'),
    expect.stringContaining(
      'scene.motions.still.pointsM[1]: expected another point than the one before',
    ),
  ]);
});

it('places of a motion must be near the origin of the scene', () => {
  expect(problemsOf(scenario({ turn: { ...turning, pivotM: [2e5, 0, 0] } }))).toEqual([
    expect.stringContaining('scene.motions.turn.pivotM: expected a place within 10 km'),
  ]);
});
