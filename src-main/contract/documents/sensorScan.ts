// When and where a sensor's pulses go: turning head, sweep, rotating mirror or the pixels of an image. In
// the units of a data sheet; PHYSICS.md, 1.4 to 1.7.
import { z } from 'zod';
import { count, finite, positive, slug } from './quantities.ts';

const elevationRange = z.strictObject({
  fromDeg: finite.min(-90).max(90).describe('elevation of the first laser'),
  toDeg: finite.min(-90).max(90).describe('of the last; the others in equal steps between'),
  count: count.max(4096).describe('number of lasers, both ends included'),
});

/** Lasers that fire together. */
export const laserBlockSchema = z.strictObject({
  name: slug.describe('what firingOrder calls it'),
  elevationsDeg: z
    .union([elevationRange, z.array(finite.min(-90).max(90)).min(1).max(4096)])
    .describe(
      'elevation of each laser: a regular range, or a list; with a mirror: of the emitters',
    ),
  azimuthOffsetsDeg: z
    .array(finite.min(-180).max(180))
    .optional()
    .describe('calibration: what is added to the azimuth of each laser, counter-clockwise'),
  firingOffsetsUs: z
    .array(finite.min(0).max(1e6))
    .optional()
    .describe('firing table: how long after its slot each laser fires'),
});

const rateRange = z
  .tuple([positive, positive])
  .refine(([from, to]) => from <= to, 'expected [lowest, highest]')
  .optional()
  .describe('rates the sensor can be set to');

/** A rate of at most `maxHz`, and the range it can be set in. */
const rates = (maxHz: number, meaning: string) => ({
  rateHz: positive.max(maxHz).describe(meaning),
  rateRangeHz: rateRange,
});

const spinning = z
  .strictObject({
    kind: z
      .literal('spinning')
      .describe('turns without end, counter-clockwise, azimuth 0 at t = 0'),
    ...rates(1000, 'revolutions per second'),
    slotsPerSecond: positive
      .optional()
      .describe('fixed firing rate; azimuth follows from the rate'),
    slotsPerRevolution: count.optional().describe('fixed azimuth step; firing rate follows'),
  })
  .refine(
    (scan) => (scan.slotsPerSecond === undefined) !== (scan.slotsPerRevolution === undefined),
    'expected either slotsPerSecond or slotsPerRevolution',
  );

const sweep = z.strictObject({
  kind: z
    .literal('sweep')
    .describe('less than a turn: from the least to the greatest azimuth, again and again'),
  ...rates(10000, 'scans per second'),
  minAzimuthDeg: finite
    .min(-360)
    .max(360)
    .describe('where each scan begins; 0 is ahead, left is positive'),
  maxAzimuthDeg: finite.min(-360).max(360).describe('where it ends'),
  slotsPerScan: count.describe('azimuths per scan, both ends included'),
});

const mirror = z.strictObject({
  kind: z
    .literal('mirror')
    .describe('emitters look at a mirror that turns: a line LIDAR (Gschwandtner 2011, section 3)'),
  ...rates(10000, 'scans per second'),
  minAngleDeg: finite.min(-180).max(180).describe("least angle of the mirror's turn, 0 is ahead"),
  maxAngleDeg: finite.min(-180).max(180).describe('greatest angle'),
  slotsPerScan: count.describe('angles per scan, both ends included'),
});

const image = z.strictObject({
  kind: z
    .literal('image')
    .describe('all pixels of a pinhole image at one instant: time-of-flight and depth cameras'),
  ...rates(10000, 'images per second'),
  columns: count.max(8192).describe('pixels across, from left to right'),
  rows: count.max(4096).describe('pixels from bottom to top: the rings'),
  horizontalFovDeg: positive
    .max(170)
    .describe('full angle between the outer edges; pixels are square'),
});

/** How a sensor scans. */
export const scanPatternSchema = z.discriminatedUnion('kind', [spinning, sweep, mirror, image]);
export type ScanPattern = z.output<typeof scanPatternSchema>;
