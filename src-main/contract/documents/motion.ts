// Motions of a scene: what an instance moves with. Times are those of the simulation, in seconds. An instance that moves
// is placed in the frame of its motion: with keyframes, trajectories and paths that frame moves through the world, so that a whole
// group of instances follows one motion; turning and swinging, the frame is the world, turned about a pivot.
import { z } from 'zod';
import { fileBeside } from './absoluteName.ts';
import { form } from './formWords.ts';
import { bodyFields } from './physics.ts';
import { finite, positive, vector3 } from './quantities.ts';
import { trajectoryFile } from './trajectoryFile.ts';

const keyframeSchema = z.strictObject({
  timeS: finite.describe('time of the simulation'),
  positionM: vector3.describe('of the frame in the world'),
  yawDeg: finite.default(0).describe('about z, counter-clockwise from above; applied last'),
  pitchDeg: finite.default(0).describe('about y; positive: the x axis down'),
  rollDeg: finite.default(0).describe('about x; applied first'),
});

const about = {
  pivotM: vector3.describe('a point of the axis'),
  axis: vector3
    .refine((axis) => Math.hypot(...axis) > 0, 'expected a direction, found [0, 0, 0]')
    .default([0, 0, 1])
    .describe('its direction, of any length; turns are counter-clockwise seen from its tip'),
  phaseDeg: finite.default(0).describe('at time 0'),
};

/** The motion of a frame through the world. */
export const motionSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('keyframes').describe('poses at given times'),
    interpolation: z
      .enum(['linear', 'spline'])
      .default('spline')
      .describe('between keyframes: straight and turning evenly, or along a smooth curve'),
    repeat: z
      .boolean()
      .default(false)
      .describe('from the first again after the last; false: it stays there')
      .meta(form({ label: 'Repeats' })),
    keyframes: z
      .array(keyframeSchema)
      .min(1)
      .describe('in order of time; before the first it is there'),
  }),
  z.strictObject({
    kind: z
      .literal('trajectory')
      .describe('poses of a file, straight and turning evenly in between: of the frame'),
    ...trajectoryFile,
    file: fileBeside
      .describe(
        'TUM, CSV with named columns, or KITTI, beside the scenario: before its first time it is at the first pose, after its last time at the last',
      )
      .meta(form({ hint: 'TUM, CSV or KITTI', isWide: true })),
  }),
  z.strictObject({
    kind: z.literal('path').describe('along points at a speed, heading along its way'),
    pointsM: z
      .array(vector3)
      .min(2)
      .describe('corners of the way, in order')
      .meta(form({ hint: 'one corner per line' })),
    speedMPerS: positive.describe('along the way').meta(form({ label: 'Speed' })),
    startS: finite
      .default(0)
      .describe('time at which it sets off')
      .meta(form({ label: 'Start' })),
    closed: z
      .boolean()
      .default(false)
      .describe('from the last point back to the first, and so on; false: it stays at the last')
      .meta(form({ label: 'Closed' })),
    turnM: positive
      .default(0.5)
      .describe('way before and after a corner along which it turns')
      .meta(form({ label: 'Turn within', hint: 'of a corner' })),
  }),
  z.strictObject({
    kind: z.literal('rotating').describe('about a fixed axis at a constant rate'),
    ...about,
    rateDegPerS: finite.describe('degrees a second').meta(form({ label: 'Rate' })),
  }),
  z.strictObject({
    kind: z.literal('swinging').describe('to and fro about a fixed axis, as a pendulum'),
    ...about,
    amplitudeDeg: finite.describe('to each side'),
    periodS: positive.describe('of one swing to and fro'),
  }),
  z.strictObject({
    kind: z
      .literal('baked')
      .describe('of a body that falls, rolls and collides, simulated once (scene.physics)'),
    ...bodyFields,
  }),
]);

export type MotionDocument = z.output<typeof motionSchema>;
export type BodyDocument = Extract<MotionDocument, { kind: 'baked' }>;

/** Names of the bodies of a scene, in its order: motions of kind baked that instances have. */
export function bodyNames({
  motions = {},
  instances,
}: {
  motions?: Readonly<Record<string, MotionDocument>> | undefined;
  instances: readonly { motion?: string | undefined }[];
}): string[] {
  const used = new Set(instances.map(({ motion }) => motion));
  return Object.keys(motions).filter((name) => motions[name]?.kind === 'baked' && used.has(name));
}

/** True where instances with a motion are placed in a frame that goes through the world, not in the world itself. */
export function isInOwnFrame(
  { motions }: { motions?: Readonly<Record<string, MotionDocument>> | undefined },
  name: string | undefined,
): boolean {
  const kind = name === undefined ? undefined : motions?.[name]?.kind;
  return kind === 'keyframes' || kind === 'trajectory' || kind === 'path';
}
