// A survey: one sensor along given poses, leg by leg: the poses of a file, tripod positions, or flight strips; with the
// sensor's place on the platform and the errors of the platform's navigation.
import { z } from 'zod';
import { form } from './formWords.ts';
import { finite, notNegative, positive, slug, vector2, vector3 } from './quantities.ts';
import { trajectoryFile } from './trajectoryFile.ts';

const mountParts = ['ahead', 'left', 'up'];

/** Pose of a sensor on what carries it. */
export const mountSchema = z.strictObject({
  positionM: vector3
    .default([0, 0, 2])
    .describe('in the vehicle frame; its origin is on the ground')
    .meta(
      form({
        label: 'Mount position',
        parts: mountParts,
        hint: 'from the vehicle centre, on the ground',
        isWide: true,
      }),
    ),
  yawDeg: finite
    .default(0)
    .describe('positive: to the left')
    .meta(form({ slider: [-180, 180] })),
  pitchDeg: finite
    .default(0)
    .describe('positive: nose down (REP-103)')
    .meta(form({ slider: [-90, 90], hint: 'positive: nose down' })),
  rollDeg: finite
    .default(0)
    .describe('positive: right side down')
    .meta(form({ slider: [-180, 180] })),
});

const noiseSchema = z.strictObject({
  position: z
    .strictObject({
      sigmaM: notNegative
        .max(1000)
        .describe('standard deviation of each coordinate')
        .meta(form({ label: 'Position error', hint: 'σ; empty: none' })),
      correlationS: positive
        .describe('time in which the error falls to 1/e')
        .meta(form({ label: 'Position correlation' })),
    })
    .optional()
    .describe('error of reported positions; left out: none'),
  attitude: z
    .strictObject({
      sigmaDeg: notNegative
        .max(45)
        .describe('standard deviation about each axis of the platform')
        .meta(form({ label: 'Attitude error', hint: 'σ; empty: none' })),
      correlationS: positive
        .describe('time in which the error falls to 1/e')
        .meta(form({ label: 'Attitude correlation' })),
    })
    .optional()
    .describe('error of reported attitudes; left out: none'),
});

const shared = {
  sensor: slug
    .optional()
    .describe('a sensor of the scenario; left out: the request names a file')
    .meta(form({ hint: 'name of a sensor of the scenario' })),
  mount: mountSchema
    .extend({
      positionM: vector3
        .default([0, 0, 0])
        .describe('lever arm: in the frame of the platform')
        .meta(
          form({
            label: 'Lever arm',
            parts: mountParts,
            hint: 'empty: of the sensor',
            isWide: true,
          }),
        ),
    })
    .optional()
    .describe(
      "the sensor's pose on the platform: lever arm and boresight. Default: that of `sensor` in `sensors`; without one, poses are the sensor's own",
    ),
  noise: noiseSchema
    .optional()
    .describe(
      'errors of the navigation: pulses leave from the true pose, points are computed from the reported one. Left out: none',
    ),
};

const above = z
  .enum(['ground', 'zero'])
  .default('ground')
  .describe('heights are above the ground below, or heights in the world')
  .meta(form({ label: 'Heights above' }));

const positionSchema = z.strictObject({
  name: slug.optional().describe('of the leg; default: position-1, position-2, …'),
  positionM: vector3.describe('of the platform; z by `above`'),
  yawDeg: finite.default(0).describe('counter-clockwise from east'),
  pitchDeg: finite.default(0).describe('positive: nose down (REP-103)'),
  rollDeg: finite.default(0).describe('positive: right side down'),
  seconds: positive.optional().describe("default: the survey's; without either, one panorama"),
  headFromDeg: finite
    .min(-360)
    .max(360)
    .optional()
    .describe("of a panorama: azimuth at which the head starts; default: the sensor's"),
  headToDeg: finite
    .min(-360)
    .max(360)
    .optional()
    .describe("azimuth at which it stops; default: the sensor's"),
  headStepDeg: positive
    .max(90)
    .optional()
    .describe("turn of the head from line to line; default: the sensor's"),
});

const stripSchema = z.strictObject({
  name: slug.optional().describe('of the leg; default: strip-1, strip-2, …'),
  fromM: vector2.describe('where the strip begins'),
  toM: vector2.describe('where it ends'),
});

const stripsSchema = z
  .strictObject({
    kind: z.literal('strips').describe('straight, level flight at constant speed'),
    ...shared,
    strips: z.array(stripSchema).min(1).optional().describe('one by one; or an area'),
    areaM: z
      .tuple([vector2, vector2])
      .optional()
      .describe('two opposite corners: strips along the longer side, every second one backwards')
      .meta(form({ label: 'Area', hint: 'two opposite corners' })),
    spacingM: positive
      .optional()
      .describe('of an area: greatest distance between two strips')
      .meta(form({ label: 'Strip spacing', hint: 'of an area' })),
    heightM: positive.describe('by `above`, the same along a strip'),
    above: z
      .enum(['ground', 'zero'])
      .default('ground')
      .describe('above the highest ground below the strip, or a height in the world')
      .meta(form({ label: 'Heights above' })),
    speedMPerS: positive.max(1000).describe('over the ground'),
  })
  .refine(({ strips, areaM }) => (strips === undefined) !== (areaM === undefined), {
    path: ['strips'],
    message: 'expected strips or areaM, one of both',
  })
  .refine(({ areaM, spacingM }) => (areaM === undefined) === (spacingM === undefined), {
    path: ['spacingM'],
    message: 'expected a spacing with areaM, and only there',
  });

/** The survey of a scenario. */
export const surveySchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('trajectory').describe('poses of a file'),
    ...shared,
    ...trajectoryFile,
  }),
  z.strictObject({
    kind: z.literal('positions').describe('places of a tripod, one after another'),
    ...shared,
    seconds: positive
      .optional()
      .describe('scan at each position; left out: one panorama, of sensors with this kind of scan')
      .meta(form({ label: 'Scan time', unit: 's', hint: 'empty: one panorama' })),
    above,
    positions: z.array(positionSchema).min(1).max(10_000).describe('in the order of their scans'),
  }),
  stripsSchema,
]);

/** A checked survey, defaults filled in. */
export type Survey = z.output<typeof surveySchema>;
/** A survey as a document has it. */
export type SurveyInput = z.input<typeof surveySchema>;
