// Motion of instances between host and worker: laws in the recipe, which domain/shared/motion evaluates, and the displacements
// that each scan brings along.
import { z } from 'zod';
import { bodyViews } from '../documents/vehicleBody.ts';
import { number, positive, quaternion, vector3 } from './recipeNumbers.ts';

/** About an axis through a fixed point. */
const about = {
  pivotM: vector3,
  axis: vector3.describe('of length 1; turns are right-handed about it'),
  phaseRad: number,
};

const keyframesLawSchema = z.strictObject({
  kind: z.literal('keyframes'),
  isSmooth: z.boolean().describe('false: straight and turning evenly between keyframes'),
  repeats: z.boolean().describe('the last keyframe is followed by the first, at the same time'),
  keyframes: z
    .array(z.strictObject({ timeS: number, positionM: vector3, rotation: quaternion }))
    .min(1)
    .describe('times rise'),
});

const pathLawSchema = z.strictObject({
  kind: z.literal('path'),
  pointsM: z.array(vector3).min(2),
  speedMPerS: positive,
  startS: number,
  isClosed: z.boolean(),
  turnM: positive.describe('way before and after a corner along which it turns'),
});

const rotatingLawSchema = z.strictObject({
  kind: z.literal('rotating'),
  ...about,
  rateRadPerS: number,
});

const swingingLawSchema = z.strictObject({
  kind: z.literal('swinging'),
  ...about,
  amplitudeRad: number,
  periodS: positive,
});

const vehicleLawSchema = z.strictObject({
  kind: z.literal('vehicle').describe('that of the vehicle which carries the sensor of a scan'),
  positionM: vector3.describe('of the vehicle where the scene has it'),
  rotation: quaternion.describe('likewise: worldFromVehicle'),
  view: z.enum(bodyViews).describe('it is there in scans of sensors that have this view of it'),
});

/** A frame over time, in metres relative to the origin of the scene. */
const motionLawSchema = z.discriminatedUnion('kind', [
  keyframesLawSchema,
  pathLawSchema,
  rotatingLawSchema,
  swingingLawSchema,
  vehicleLawSchema,
]);
export type MotionLaw = z.output<typeof motionLawSchema>;

/** A motion of a scene by its name. */
export const motionRecipeSchema = z.strictObject({ name: z.string(), law: motionLawSchema });
export type MotionRecipe = z.output<typeof motionRecipeSchema>;

/** Steps of time at which the worker is told where moving instances are, and the windows that it traces them in. */
export const motionStepNs = 2_000_000;
export const motionWindowNs = 100_000_000;

/**
 * Beside a trajectory, for scenes with motions. `motion_centre_m`: for each motion a point, in the scene as it was built,
 * about which it turns; three numbers. `motion_steps`: where that point is and the turn about it, as poses of seven
 * numbers (x, y, z, qx, qy, qz, qw), motion by motion, step by step: from the beginning of the window that holds the
 * interval's first time to the end of a later one. Windows begin at multiples of motionWindowNs. Left out: everything is
 * where the scene has it.
 */
export const motionColumns = { motion_centre_m: 'f64', motion_steps: 'f64' } as const;

/** Whether something may move in a scene. */
export function hasMotions({ motions = [] }: { motions?: readonly MotionRecipe[] }): boolean {
  return motions.length > 0;
}
