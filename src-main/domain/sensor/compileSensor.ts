// A sensor file in the units of a data sheet becomes the SI document that the worker traces.
import type { Parsed } from '#contract/problems.ts';
import type { SensorRecipe } from '#contract/recipe.ts';
import type { ReturnMode, Sensor } from '#contract/sensor.ts';
import { radians } from '#domain/maths/numbers.ts';

export interface SensorSettings {
  /** Instead of the file's own rate; within the file's rateRangeHz where it gives one. */
  rateHz?: number | undefined;
  /** Instead of the file's own mode. */
  mode?: ReturnMode | undefined;
}

/**
 * Resolves a checked sensor at the settings in use. Elevations in radians; `rings` ranks all lasers of
 * all blocks by elevation, 0 the lowest, equal elevations in the file's order. With a fixed azimuth step
 * the firing rate follows from the turning rate; with a fixed firing rate the step does.
 * Reports a rate out of range at `rateHz`, or at the file's `scan.rateHz`.
 */
export function compileSensor(sensor: Sensor, settings: SensorSettings = {}): Parsed<SensorRecipe> {
  const { scan } = sensor;
  const rateHz = settings.rateHz ?? scan.rateHz;
  const [lowestHz, highestHz] = scan.rateRangeHz ?? [0, Infinity];
  if (rateHz < lowestHz || rateHz > highestHz) {
    const range = lowestHz === highestHz ? `${lowestHz}` : `${lowestHz} to ${highestHz}`;
    const message = `expected ${range} Hz for sensor '${sensor.id}', found ${rateHz}`;
    const path = settings.rateHz === undefined ? 'scan.rateHz' : 'rateHz';
    return { value: null, problems: [{ path, code: 'custom', message }] };
  }
  const { beam, returns, range } = sensor;
  const value: SensorRecipe = {
    id: sensor.id,
    ...scanRecipe(scan, rateHz),
    blocks: rankedBlocks(sensor),
    slotPattern: slotPattern(sensor),
    minRangeM: range.minM,
    maxRangeM: range.maxM,
    beam: {
      shape: beam.shape,
      divergenceHorizontalRad: beam.divergenceHorizontalMrad / 1000,
      divergenceVerticalRad: beam.divergenceVerticalMrad / 1000,
      stencil: beam.stencil,
    },
    returns: { ...returns, mode: settings.mode ?? returns.mode },
  };
  return { value, problems: [] };
}

function scanRecipe(
  scan: Sensor['scan'],
  rateHz: number,
): Pick<SensorRecipe, 'scan' | 'slotsPerSecond'> {
  if (scan.kind === 'sweep') {
    return {
      scan: {
        kind: 'sweep',
        rateHz,
        minAzimuthRad: radians(scan.minAzimuthDeg),
        maxAzimuthRad: radians(scan.maxAzimuthDeg),
        slotsPerScan: scan.slotsPerScan,
      },
      slotsPerSecond: scan.slotsPerScan * rateHz,
    };
  }
  // The schema asks for exactly one of the two.
  const slotsPerSecond = scan.slotsPerSecond ?? (scan.slotsPerRevolution ?? 0) * rateHz;
  return { scan: { kind: 'spinning', rateHz }, slotsPerSecond };
}

function rankedBlocks(sensor: Sensor): SensorRecipe['blocks'] {
  const blocksDeg = sensor.blocks.map((block) => elevationsDeg(block.elevationsDeg));
  const lasers = blocksDeg.flatMap((elevations, block) =>
    elevations.map((elevationDeg, laser) => ({ elevationDeg, block, laser })),
  );
  lasers.sort((a, b) => a.elevationDeg - b.elevationDeg);
  const rings = blocksDeg.map((elevations) => elevations.map(() => 0));
  for (const [ring, { block, laser }] of lasers.entries()) {
    const ofBlock = rings[block];
    if (ofBlock) ofBlock[laser] = ring;
  }
  return blocksDeg.map((elevations, block) => ({
    elevationsRad: elevations.map(radians),
    rings: rings[block] ?? [],
  }));
}

/** A regular range, both ends included and met exactly, or the list itself. */
function elevationsDeg(elevations: Sensor['blocks'][number]['elevationsDeg']): number[] {
  if (Array.isArray(elevations)) return elevations;
  const { fromDeg, toDeg, count } = elevations;
  if (count === 1) return [fromDeg];
  return Array.from(
    { length: count },
    (_, laser) => (fromDeg * (count - 1 - laser) + toDeg * laser) / (count - 1),
  );
}

function slotPattern(sensor: Sensor): number[] {
  const names = sensor.blocks.map((block) => block.name);
  return (sensor.firingOrder ?? names).map((name) => names.indexOf(name));
}
