// Physics of a scene: bodies that fall, roll and collide. It is simulated once (`understory scenario bake`), and the file
// with the poses is read whenever the scene is used.
import { z } from 'zod';
import { fileBeside } from './absoluteName.ts';
import { form } from './formWords.ts';
import { finite, fraction, notNegative, positive, vector3 } from './quantities.ts';

/** Longest simulated time: an hour. */
const maxDurationS = 3600;

const surface = {
  friction: notNegative
    .max(10)
    .default(0.6)
    .describe('coefficient of Coulomb friction; of two surfaces the mean counts'),
  restitution: fraction
    .default(0.1)
    .describe('share of the speed after an impact; of two surfaces the mean counts'),
};

/** Fields of a body: all instances with its motion are its parts. */
export const bodyFields = {
  shape: z
    .enum(['hull', 'box'])
    .default('hull')
    .describe('of each part: the convex hull of its model, or the box about it'),
  densityKgPerM3: positive.default(1000).describe('of all its parts'),
  massKg: positive
    .optional()
    .describe('of the whole body, in place of the density')
    .meta(form({ label: 'Mass', hint: 'empty: by the density' })),
  ...surface,
  velocityMPerS: vector3.default([0, 0, 0]).describe('of its centre of mass at time 0'),
  turnDegPerS: vector3
    .default([0, 0, 0])
    .describe('rate about its centre of mass at time 0: axis times degrees a second'),
};

/** Required fields of a scenario that gets its first body. */
export const newPhysics = { file: 'scene.bake.csv', durationS: 10 };

/** Shared by all bodies of a scene. */
export const physicsSchema = z.strictObject({
  file: fileBeside
    .describe('poses over time beside the scenario: `understory scenario bake` writes it')
    .meta(form({ hint: 'written by scenario bake', isWide: true, start: newPhysics.file })),
  durationS: positive
    .max(maxDurationS)
    .describe('simulated time from 0 on; bodies stay where they are then')
    .meta(form({ slider: [0, 60], start: newPhysics.durationS })),
  gravityMPerS2: finite.default(9.81).describe('downwards'),
  ...surface,
  friction: surface.friction.describe('of everything that is no body'),
  restitution: surface.restitution.describe('of everything that is no body'),
});
export type Physics = z.output<typeof physicsSchema>;
