// Scans in SI units, as the worker takes them, and what each kind means to readers that are independent of the kinds.
import { z } from 'zod';
import { maxSlotsPerSecond, turnDirections } from './scanPattern.ts';

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

/** Time of one scan, with the end before the first pulse of the next one. */
export function oneScanNs({ rateHz }: ScanRecipe): number {
  // Why a thousandth: whole nanoseconds may be rounded to just below.
  return Math.floor(1e9 / rateHz + 1e-3);
}

/** The scan with other numbers for its slots; those of kinds that do not end are counted from time 0. */
export function withFirstSlot(scan: ScanRecipe, firstSlot: number): ScanRecipe {
  return scan.kind === 'panorama' ? { ...scan, firstSlot } : scan;
}

/** The scan of a camera. */
export function imageScan(pixels: Pixels, rateHz: number): ScanRecipe {
  return { kind: 'image', rateHz, ...pixels };
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
