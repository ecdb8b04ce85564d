// When and where a sensor's pulses go: turning head, sweep, rotating mirror, panorama or the pixels of an image. In
// the units of a data sheet, and as recipes in SI units; PHYSICS.md, 1.4 to 1.7. In TypeScript this file alone handles
// the kinds of scan, of C++ core/sensor/scanLayout.cpp: all others take what a kind means from traitsOf().
import { z } from 'zod';
import { form } from './formWords.ts';
import { count, finite, positive } from './quantities.ts';

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
type PanoramaPattern = z.output<typeof panorama>;

/** How a sensor scans. */
export const scanPatternSchema = z.discriminatedUnion('kind', [
  spinning,
  sweep,
  mirror,
  panorama,
  image,
]);
export type ScanPattern = z.output<typeof scanPatternSchema>;

const rateHz = z.number().min(1e-6).max(maxSlotsPerSecond);
const slots = z.int().min(1);
const turnRad = z.number().min(-100);
const partOfScan = z.number().positive().max(1).exactOptional().describe('left out: 1');

/** A kind of scan by the name that the native reader has for its fields. */
export const scanRecipeObjects = {
  spinning: z.strictObject({
    kind: z.literal('spinning'),
    rateHz,
    direction: z
      .enum(turnDirections)
      .exactOptional()
      .describe('seen from above; left out: counter-clockwise'),
  }),
  sweep: z.strictObject({
    kind: z.literal('sweep'),
    rateHz,
    minAzimuthRad: turnRad,
    maxAzimuthRad: turnRad,
    slotsPerScan: slots,
    activeShare: partOfScan,
  }),
  mirrorScan: z.strictObject({
    kind: z.literal('mirror'),
    rateHz,
    minAngleRad: turnRad,
    maxAngleRad: turnRad,
    slotsPerScan: slots,
    activeShare: partOfScan,
  }),
  panorama: z.strictObject({
    kind: z.literal('panorama'),
    rateHz: rateHz.describe('panoramas per second'),
    pulseRateHz: z.number().min(1e-3).max(maxSlotsPerSecond),
    linesPerSecond: rateHz,
    activeShare: z.number().positive().max(1),
    minElevationRad: turnRad,
    maxElevationRad: turnRad,
    fromRad: turnRad,
    toRad: turnRad,
    firstSlot: z
      .int()
      .nonnegative()
      .exactOptional()
      .describe('number of the first slot, where earlier ones belong to other scans; left out: 0'),
  }),
  image: z.strictObject({
    kind: z.literal('image'),
    rateHz,
    columns: slots,
    rows: slots,
    horizontalFovRad: z.number().min(1e-9).lt(Math.PI),
  }),
} as const;

/** A scan as the worker takes it. */
export const scanRecipeSchema = z.discriminatedUnion('kind', [
  scanRecipeObjects.spinning,
  scanRecipeObjects.sweep,
  scanRecipeObjects.mirrorScan,
  scanRecipeObjects.panorama,
  scanRecipeObjects.image,
]);
export type ScanRecipe = z.output<typeof scanRecipeSchema>;

/** Slots per second that follow from a scan; null: the sensor's own. */
export function slotsPerSecondOf(scan: ScanRecipe): number | null {
  switch (scan.kind) {
    case 'spinning':
      return null;
    case 'panorama':
      return scan.pulseRateHz * scan.activeShare;
    case 'image':
      return scan.columns * scan.rateHz;
    case 'sweep':
    case 'mirror':
      return scan.slotsPerScan * scan.rateHz;
  }
}

/** The pixels of an image. */
export interface Pixels {
  columns: number;
  rows: number;
  /** Full angle between the outer edges. */
  horizontalFovRad: number;
}

/** The lines of a scan that a head draws while it turns. */
export interface Lines {
  perSecond: number;
  perScan: number;
  /** A mean: lines need not hold a whole number. */
  pulsesPerLine: number;
  elevationRad: [minRad: number, maxRad: number];
  elevationStepRad: number;
  headStepRad: number;
  headRadPerSecond: number;
}

/** The properties of a kind of scan, for readers independent of the kinds. */
export interface ScanTraits {
  /** The name of one scan: a turn, a sweep, an image. */
  noun: string;
  /** How it moves, with rates and angles as `text` has written them. */
  motion: (text: { rate: string; degrees: (angleRad: number) => string }) => string;
  /** Least and greatest azimuth in the sensor's frame; of a mirror those of its angle, of a turn ±π. */
  spanRad: [fromRad: number, toRad: number];
  isWholeTurn: boolean;
  /** Counter-clockwise: 1, clockwise: −1, seen from above. */
  turn: 1 | -1;
  /** The part of the time of a scan in which its steps are. */
  activeShare: number;
  /** The steps of the pulses of one scan; null where scans need not hold a whole number of them. */
  steps: { count: number; noun: string } | null;
  /** All pulses of one scan leave at one instant, one for each pixel; null: one slot after another. */
  pixels: Pixels | null;
  /** Pulses have elevations of their own, along lines; a measurement is one scan. Null: those of their lasers. */
  lines: Lines | null;
}

/** The traits of a recipe's scan. */
export function traitsOf(scan: ScanRecipe): ScanTraits {
  switch (scan.kind) {
    case 'spinning':
      return {
        noun: 'revolution',
        motion: ({ rate }) => `turns ${scan.direction ?? 'counter-clockwise'} at ${rate}`,
        spanRad: [-Math.PI, Math.PI],
        isWholeTurn: true,
        turn: scan.direction === 'clockwise' ? -1 : 1,
        activeShare: 1,
        steps: null,
        pixels: null,
        lines: null,
      };
    case 'sweep':
      return stepped('sweep', 'sweeps', [scan.minAzimuthRad, scan.maxAzimuthRad], scan, {
        count: scan.slotsPerScan,
        noun: 'azimuths',
      });
    case 'mirror':
      return stepped('scan', 'mirror turns', [scan.minAngleRad, scan.maxAngleRad], scan, {
        count: scan.slotsPerScan,
        noun: 'angles',
      });
    case 'image': {
      const { columns, rows, horizontalFovRad } = scan;
      return {
        noun: 'image',
        motion: ({ rate }) => `image of ${columns} × ${rows} pixels at ${rate}`,
        spanRad: [-horizontalFovRad / 2, horizontalFovRad / 2],
        isWholeTurn: false,
        turn: -1,
        activeShare: 1,
        steps: null,
        pixels: { columns, rows, horizontalFovRad },
        lines: null,
      };
    }
    case 'panorama': {
      const { fromRad, toRad } = scan;
      return {
        noun: 'panorama',
        motion: ({ degrees }) =>
          `lines from ${degrees(scan.minElevationRad)} to ${degrees(scan.maxElevationRad)}° while the head turns ${degrees(fromRad)} to ${degrees(toRad)}°`,
        spanRad: [Math.min(fromRad, toRad), Math.max(fromRad, toRad)],
        isWholeTurn: Math.abs(toRad - fromRad) > 2 * Math.PI - 1e-9,
        turn: toRad < fromRad ? -1 : 1,
        activeShare: 1,
        steps: null,
        pixels: null,
        lines: linesOf(scan),
      };
    }
  }
}

function linesOf(scan: z.output<typeof scanRecipeObjects.panorama>): Lines {
  const { rateHz, pulseRateHz, linesPerSecond, activeShare } = scan;
  const { minElevationRad, maxElevationRad, fromRad, toRad } = scan;
  const pulsesPerLine = (pulseRateHz * activeShare) / linesPerSecond;
  const headRadPerSecond = Math.abs(toRad - fromRad) * rateHz;
  return {
    perSecond: linesPerSecond,
    perScan: linesPerSecond / rateHz,
    pulsesPerLine,
    elevationRad: [minElevationRad, maxElevationRad],
    elevationStepRad: (maxElevationRad - minElevationRad) / pulsesPerLine,
    headStepRad: headRadPerSecond / linesPerSecond,
    headRadPerSecond,
  };
}

/** A scan document at a rate, in SI units. */
export interface CompiledScan {
  scan: ScanRecipe;
  slotsPerSecond: number;
  /** The field that says how many slots there are. */
  slotsPath: string;
  /** Where the kind needs no lasers; null: those of the document's banks, or a single one. */
  pixels: Pixels | null;
}

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

function headSpeedDeg({ headDegPerSecond, headStepDeg = 0 }: PanoramaPattern, atHz: number) {
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

/** Time of one scan, with the end before the first pulse of the next one. */
export function oneScanNs({ rateHz }: ScanRecipe): number {
  // Why a thousandth: whole nanoseconds may be rounded to just below.
  return Math.floor(1e9 / rateHz + 1e-3);
}

/** The scan with other numbers for its slots; those of kinds that do not end are counted from time 0. */
export function withFirstSlot(scan: ScanRecipe, firstSlot: number): ScanRecipe {
  return scan.kind === 'panorama' ? { ...scan, firstSlot } : scan;
}

/** Compiles a scan; with a fixed azimuth step the firing rate follows from the turning rate. */
export function compileScan(scan: ScanPattern, atHz: number): CompiledScan {
  switch (scan.kind) {
    case 'spinning':
      return {
        scan: {
          kind: 'spinning',
          rateHz: atHz,
          ...(scan.direction === 'clockwise' && { direction: scan.direction }),
        },
        ...slotsOfTurn(scan, atHz),
        pixels: null,
      };
    case 'sweep':
    case 'mirror': {
      const { slotsPerScan } = scan;
      // Why left out: recipes without it are what they were.
      const active = scan.activeShare < 1 ? { activeShare: scan.activeShare } : {};
      return {
        scan:
          scan.kind === 'sweep'
            ? {
                kind: 'sweep',
                rateHz: atHz,
                minAzimuthRad: radians(scan.minAzimuthDeg),
                maxAzimuthRad: radians(scan.maxAzimuthDeg),
                slotsPerScan,
                ...active,
              }
            : {
                kind: 'mirror',
                rateHz: atHz,
                minAngleRad: radians(scan.minAngleDeg),
                maxAngleRad: radians(scan.maxAngleDeg),
                slotsPerScan,
                ...active,
              },
        slotsPerSecond: slotsPerScan * atHz,
        slotsPath: 'scan.slotsPerScan',
        pixels: null,
      };
    }
    case 'panorama': {
      const { pulseRateHz, activeShare, headFromDeg, headToDeg } = scan;
      const [fromRad, toRad] = [radians(headFromDeg), radians(headToDeg)];
      return {
        scan: {
          kind: 'panorama',
          rateHz: headSpeedDeg(scan, atHz) / Math.abs(headToDeg - headFromDeg),
          pulseRateHz,
          linesPerSecond: atHz,
          activeShare,
          minElevationRad: radians(scan.minElevationDeg),
          maxElevationRad: radians(scan.maxElevationDeg),
          fromRad,
          toRad,
        },
        slotsPerSecond: pulseRateHz * activeShare,
        slotsPath: 'scan.pulseRateHz',
        pixels: null,
      };
    }
    case 'image': {
      const { columns, rows, horizontalFovDeg } = scan;
      const pixels = { columns, rows, horizontalFovRad: radians(horizontalFovDeg) };
      return {
        scan: imageScan(pixels, atHz),
        slotsPerSecond: columns * atHz,
        slotsPath: 'scan.columns',
        pixels,
      };
    }
  }
}

/** The schema asks for exactly one of the three. */
function slotsOfTurn(
  { slotsPerSecond, firingCycleUs, slotsPerRevolution = 0 }: z.output<typeof spinning>,
  atHz: number,
): Pick<CompiledScan, 'slotsPerSecond' | 'slotsPath'> {
  if (slotsPerSecond !== undefined) return { slotsPerSecond, slotsPath: 'scan.slotsPerSecond' };
  if (firingCycleUs !== undefined) {
    return { slotsPerSecond: 1e6 / firingCycleUs, slotsPath: 'scan.firingCycleUs' };
  }
  return { slotsPerSecond: slotsPerRevolution * atHz, slotsPath: 'scan.slotsPerRevolution' };
}

/** The scan of a camera. */
export function imageScan(pixels: Pixels, rateHz: number): ScanRecipe {
  return { kind: 'image', rateHz, ...pixels };
}

/** Pixels need no lasers, a panorama has one behind its mirror; everything else needs some. */
export function hasBanks(kind: ScanPattern['kind']): boolean {
  return kind !== 'image' && kind !== 'panorama';
}

/** Channels are lasers, not rows of pixels. */
export function hasLasers(kind: ScanPattern['kind']): boolean {
  return kind !== 'image';
}

function stepped(
  noun: string,
  verb: string,
  spanRad: [number, number],
  { activeShare = 1 }: { activeShare?: number },
  steps: NonNullable<ScanTraits['steps']>,
): ScanTraits {
  const [from, to] = spanRad;
  return {
    noun,
    motion: ({ rate, degrees }) => `${verb} ${degrees(from)} to ${degrees(to)}° at ${rate}`,
    spanRad,
    isWholeTurn: false,
    turn: 1,
    activeShare,
    steps,
    pixels: null,
    lines: null,
  };
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

function radians(angleDeg: number): number {
  return (angleDeg * Math.PI) / 180;
}
