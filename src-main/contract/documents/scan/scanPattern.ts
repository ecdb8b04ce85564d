// When and where a sensor's pulses go, in the units of a data sheet: turning head, sweep, rotating mirror, panorama or the
// pixels of an image (PHYSICS.md, 1.4 to 1.7). In TypeScript the files of this folder alone handle the kinds of scan, of C++
// core/sensor/scanLayout.cpp: all others take what a kind means from traitsOf().
import { z } from 'zod';
import { form } from '../formWords.ts';
import { count, finite, positive } from '../quantities.ts';

/** Times are whole nanoseconds: slots that come faster could not be distinguished. */
export const maxSlotsPerSecond = 1e9;

export const turnDirections = ['counter-clockwise', 'clockwise'] as const;

const rateRange = z
  .tuple([positive, positive])
  .refine(([from, to]) => from <= to, 'expected [lowest, highest]')
  .optional()
  .describe('rates the sensor can be set to')
  .meta(form({ parts: ['from', 'to'] }));

/** A rate of at most `maxHz`, and the range it can be set in. */
const rates = (maxHz: number, meaning: string) => ({
  rateHz: positive.max(maxHz).describe(meaning),
  rateRangeHz: rateRange,
});

const activeShare = positive
  .max(1)
  .default(1)
  .describe(
    "part of a scan's time in which the mirror sweeps its field of view: pulses are fired then",
  );

const spinning = z
  .strictObject({
    kind: z.literal('spinning').describe('turns without end, azimuth 0 at t = 0'),
    direction: z
      .enum(turnDirections)
      .default('counter-clockwise')
      .describe('of the turn, seen from above'),
    ...rates(1000, 'revolutions per second'),
    slotsPerSecond: positive
      .optional()
      .describe('fixed firing rate; azimuth follows from the rate'),
    firingCycleUs: positive
      .optional()
      .describe('fixed firing rate, as the time from one slot to the next'),
    slotsPerRevolution: count.optional().describe('fixed azimuth step; firing rate follows'),
  })
  .refine(
    ({ slotsPerSecond, firingCycleUs, slotsPerRevolution }) =>
      [slotsPerSecond, firingCycleUs, slotsPerRevolution].filter((given) => given !== undefined)
        .length === 1,
    'expected either slotsPerSecond, firingCycleUs or slotsPerRevolution',
  );

const sweep = z
  .strictObject({
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
    activeShare,
  })
  .superRefine(({ minAzimuthDeg, maxAzimuthDeg }, context) =>
    checkOrder(context, 'Azimuth', minAzimuthDeg, maxAzimuthDeg),
  );

const mirror = z
  .strictObject({
    kind: z
      .literal('mirror')
      .describe(
        'emitters look at a mirror that turns: a line LIDAR (Gschwandtner 2011, section 3)',
      ),
    ...rates(10000, 'scans per second'),
    minAngleDeg: finite.min(-180).max(180).describe("least angle of the mirror's turn, 0 is ahead"),
    maxAngleDeg: finite.min(-180).max(180).describe('greatest angle'),
    slotsPerScan: count.describe('angles per scan, both ends included'),
    activeShare,
  })
  .superRefine(({ minAngleDeg, maxAngleDeg }, context) =>
    checkOrder(context, 'Angle', minAngleDeg, maxAngleDeg),
  );

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

const elevation = finite.min(-90).max(90);

const panorama = z
  .strictObject({
    kind: z
      .literal('panorama')
      .describe('a tripod: a mirror draws lines from below upwards while the head turns; no banks'),
    pulseRateHz: positive
      .max(1e9)
      .describe('pulses per second while the mirror sweeps its field of view'),
    pulseRatesHz: z
      .array(positive)
      .min(1)
      .max(100)
      .optional()
      .describe('pulse rates that the sensor can be set to'),
    minElevationDeg: elevation.describe('elevation at which each line begins'),
    maxElevationDeg: elevation.describe('elevation at which it ends'),
    activeShare: positive
      .max(1)
      .default(1)
      .describe("part of a line's time in which the mirror sweeps its field of view"),
    rateHz: positive.max(10000).optional().describe('lines per second; or elevationStepDeg'),
    elevationStepDeg: positive
      .max(90)
      .optional()
      .describe('from one pulse of a line to the next, in place of rateHz'),
    rateRangeHz: rateRange.describe('lines per second that the sensor can be set to'),
    headFromDeg: finite
      .min(-360)
      .max(360)
      .default(0)
      .describe('azimuth at which the head starts; 0 is ahead, left is positive'),
    headToDeg: finite
      .min(-360)
      .max(360)
      .default(360)
      .describe('azimuth at which it stops; less than headFromDeg: it turns clockwise'),
    headDegPerSecond: positive.max(3600).optional().describe('speed of the head; or headStepDeg'),
    headStepDeg: positive
      .max(90)
      .optional()
      .describe('turn of the head from one line to the next, in place of headDegPerSecond'),
    maxHeadDegPerSecond: positive.optional().describe('greatest speed of the head'),
  })
  .superRefine(({ rateHz, elevationStepDeg, headDegPerSecond, headStepDeg, ...scan }, context) => {
    const report = (field: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [field], message });
    if ((rateHz === undefined) === (elevationStepDeg === undefined)) {
      report('rateHz', 'expected either rateHz or elevationStepDeg');
    }
    if ((headDegPerSecond === undefined) === (headStepDeg === undefined)) {
      report('headDegPerSecond', 'expected either headDegPerSecond or headStepDeg');
    }
    const { minElevationDeg, maxElevationDeg, pulseRateHz, pulseRatesHz = [pulseRateHz] } = scan;
    if (minElevationDeg >= maxElevationDeg) {
      const message = `expected less than maxElevationDeg (${maxElevationDeg}), found ${minElevationDeg}`;
      report('minElevationDeg', message);
    }
    if (!pulseRatesHz.includes(pulseRateHz)) {
      const message = `expected one of ${pulseRatesHz.join(', ')}, found ${pulseRateHz}`;
      report('pulseRateHz', message);
    }
  });
export type PanoramaPattern = z.output<typeof panorama>;

/** How a sensor scans. */
export const scanPatternSchema = z.discriminatedUnion('kind', [
  spinning,
  sweep,
  mirror,
  panorama,
  image,
]);
export type ScanPattern = z.output<typeof scanPatternSchema>;

/** A rate of its own: revolutions, scans, images or lines per second. */
export function ownRateHz(scan: ScanPattern): number {
  return scan.kind === 'panorama' ? linesPerSecond(scan) : scan.rateHz;
}

/** The field that says what `ownRateHz` is. */
function rateField(scan: ScanPattern): string {
  return scan.kind === 'panorama' && scan.rateHz === undefined ? 'elevationStepDeg' : 'rateHz';
}

/** Most lines of a panorama: core/sensor/panorama.h counts the pulses of each. */
const maxLines = 1e6;

/**
 * A limit of the device that a rate exceeds, at a field of the scan; null: none.
 * @param givenHz a rate in place of its own: `isRate` says that it is what cannot be
 */
export function scanLimitProblem(
  { id, scan }: { id: string; scan: ScanPattern },
  givenHz: number | undefined,
): { field: string; isRate: boolean; message: string } | null {
  const atHz = givenHz ?? ownRateHz(scan);
  const atRate = (message: string) => ({ field: rateField(scan), isRate: true, message });
  const [lowestHz, highestHz] = scan.rateRangeHz ?? [0, Infinity];
  if (isBelow(atHz, lowestHz) || isBelow(highestHz, atHz)) {
    const range = lowestHz === highestHz ? `${lowestHz}` : `${lowestHz} to ${highestHz}`;
    return atRate(`expected ${range} Hz for sensor '${id}', found ${numberOf(atHz)}`);
  }
  if (scan.kind !== 'panorama') return null;
  const { headFromDeg, headToDeg, pulseRateHz, activeShare, maxHeadDegPerSecond } = scan;
  const turnDeg = Math.abs(headToDeg - headFromDeg);
  const at = (field: string, message: string) => ({ field, isRate: false, message });
  if (turnDeg === 0 || turnDeg > 360) {
    const message = `expected another azimuth, 360° at most from headFromDeg (${headFromDeg}), found ${headToDeg}`;
    return at('headToDeg', message);
  }
  if (isBelow(pulseRateHz * activeShare, atHz)) {
    return atRate(
      `expected a pulse a line, ${numberOf(pulseRateHz * activeShare)} lines per second at most, found ${numberOf(atHz)}`,
    );
  }
  const headField = scan.headStepDeg === undefined ? 'headDegPerSecond' : 'headStepDeg';
  const headDegPerSecond = headSpeedDeg(scan, atHz);
  if (maxHeadDegPerSecond !== undefined && isBelow(maxHeadDegPerSecond, headDegPerSecond)) {
    const message = `expected at most maxHeadDegPerSecond (${maxHeadDegPerSecond}), found a head that turns ${numberOf(headDegPerSecond)}° per second`;
    return at(headField, message);
  }
  const lines = (atHz * turnDeg) / headDegPerSecond;
  if (lines <= maxLines) return null;
  return at(headField, `expected at most ${maxLines} lines, found ${numberOf(lines)}`);
}

/** Beyond rounding. */
function isBelow(value: number, limit: number): boolean {
  return value < limit * (1 - 1e-9);
}

function numberOf(value: number): number {
  return Number(value.toPrecision(6));
}

/** Reference: f = PRF Δe / (field / κ). */
function linesPerSecond(scan: PanoramaPattern): number {
  const { rateHz, elevationStepDeg = 0, minElevationDeg, maxElevationDeg } = scan;
  if (rateHz !== undefined) return rateHz;
  const fieldDeg = maxElevationDeg - minElevationDeg;
  return (scan.pulseRateHz * elevationStepDeg * scan.activeShare) / fieldDeg;
}

/** Degrees that the head turns in a second. */
export function headSpeedDeg({ headDegPerSecond, headStepDeg = 0 }: PanoramaPattern, atHz: number) {
  return headDegPerSecond ?? atHz * headStepDeg;
}

/** The head of one scan of a survey, in place of the sensor's own. */
export interface HeadSettings {
  headFromDeg?: number | undefined;
  headToDeg?: number | undefined;
  headStepDeg?: number | undefined;
}

/** The scan with another turn of its head; null: it has no head that starts and stops. */
export function withHead(scan: ScanPattern, head: HeadSettings): ScanPattern | null {
  if (scan.kind !== 'panorama') return null;
  const { headFromDeg = scan.headFromDeg, headToDeg = scan.headToDeg, headStepDeg } = head;
  const step = headStepDeg === undefined ? {} : { headStepDeg, headDegPerSecond: undefined };
  return { ...scan, headFromDeg, headToDeg, ...step };
}

/** Pixels need no lasers, a panorama has one behind its mirror; everything else needs some. */
export function hasBanks(kind: ScanPattern['kind']): boolean {
  return kind !== 'image' && kind !== 'panorama';
}

/** Channels are lasers, not rows of pixels. */
export function hasLasers(kind: ScanPattern['kind']): boolean {
  return kind !== 'image';
}

function checkOrder(
  context: z.core.$RefinementCtx,
  name: 'Azimuth' | 'Angle',
  from: number,
  to: number,
): void {
  if (from <= to) return;
  const message = `expected at most max${name}Deg (${to}), found ${from}`;
  context.addIssue({ code: 'custom', path: [`min${name}Deg`], message });
}
