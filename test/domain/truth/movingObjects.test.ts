// Boxes of what moves: about all instances of a motion, in the axes of its frame.
import { expect, it } from 'vitest';
import type { MotionLaw } from '#contract/worker/motions.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { frameAt } from '#domain/shared/motion/frames.ts';
import { attitudeOf, compose, rotationFromDegrees, type Vector3 } from '#domain/shared/pose.ts';
import { objectStatesAt } from '#domain/shared/motion/objects.ts';
import { movingObjectsFrom } from '#domain/truth/movingObjects.ts';

const law: MotionLaw = {
  kind: 'path',
  pointsM: [
    [10, 0, 0],
    [10, 40, 0],
  ],
  speedMPerS: 5,
  startS: 0,
  isClosed: false,
  turnM: 1,
};

/** A body and a cabin behind its middle, placed in the frame of the motion, which heads along y. */
const parts: { id: number; model: number; atM: Vector3 }[] = [
  { id: 2, model: 0, atM: [0, 0, 0.65] },
  { id: 3, model: 1, atM: [-0.3, 0, 1.3] },
];

it('one box is about all instances of a motion, and moves with it', () => {
  const placed = parts.map(({ id, model, atM }) => {
    const inFrame = { positionM: atM, rotation: rotationFromDegrees(0, 0, 0) };
    return { id, model, ...compose(frameAt(law, 0), inFrame) };
  });
  const column = (of: (one: (typeof placed)[number]) => number): Float64Array =>
    Float64Array.from(placed, of);
  const instances = {
    instance_id: column(({ id }) => id),
    model_id: column(({ model }) => model),
    x_m: column(({ positionM }) => positionM[0]),
    y_m: column(({ positionM }) => positionM[1]),
    z_m: column(({ positionM }) => positionM[2]),
    qx: column(({ rotation }) => rotation[0]),
    qy: column(({ rotation }) => rotation[1]),
    qz: column(({ rotation }) => rotation[2]),
    qw: column(({ rotation }) => rotation[3]),
    scale: column(() => 1),
  };
  const summary = {
    models: [
      { minM: [-2.2, -0.9, -0.35], maxM: [2.2, 0.9, 0.35] },
      { minM: [-1.1, -0.8, -0.3], maxM: [1.1, 0.8, 0.3] },
    ],
  } as SceneSummary;
  const recipe = {
    classes: ['ground', 'car'],
    motions: [
      { name: 'car', law },
      { name: 'unused', law },
    ],
    instances: parts.map(({ id, model }) => ({ id, model, class: 1, motion: 0 })),
  } as unknown as SceneRecipe;
  const objects = movingObjectsFrom(summary, instances, recipe);
  expect(objects).toHaveLength(1);
  const [state] = objectStatesAt(objects, 2);
  expect(state).toMatchObject({ name: 'car', class: 'car' });
  // From z = 0.3 to 1.6; length and width are those of the body.
  for (const [axis, m] of [4.4, 1.8, 1.3].entries()) expect(state?.sizeM[axis]).toBeCloseTo(m, 9);
  for (const [axis, m] of [10, 10, 0.95].entries()) {
    expect(state?.pose.positionM[axis]).toBeCloseTo(m, 9);
  }
  expect(attitudeOf(state?.pose.rotation ?? [0, 0, 0, 1]).yawRad).toBeCloseTo(Math.PI / 2, 9);
});
