// A scan of a document as a recipe, at one of its rates.
import { imageScan, type Pixels, type ScanRecipe } from './scanRecipe.ts';
import { headSpeedDeg, type ScanPattern } from './scanPattern.ts';

/** A scan document at a rate, in SI units. */
export interface CompiledScan {
  scan: ScanRecipe;
  slotsPerSecond: number;
  /** The field that says how many slots there are. */
  slotsPath: string;
  /** Where the kind needs no lasers; null: those of the document's banks, or a single one. */
  pixels: Pixels | null;
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
  {
    slotsPerSecond,
    firingCycleUs,
    slotsPerRevolution = 0,
  }: Extract<ScanPattern, { kind: 'spinning' }>,
  atHz: number,
): Pick<CompiledScan, 'slotsPerSecond' | 'slotsPath'> {
  if (slotsPerSecond !== undefined) return { slotsPerSecond, slotsPath: 'scan.slotsPerSecond' };
  if (firingCycleUs !== undefined) {
    return { slotsPerSecond: 1e6 / firingCycleUs, slotsPath: 'scan.firingCycleUs' };
  }
  return { slotsPerSecond: slotsPerRevolution * atHz, slotsPath: 'scan.slotsPerRevolution' };
}

function radians(angleDeg: number): number {
  return (angleDeg * Math.PI) / 180;
}
