// A sensor file in the units of a data sheet becomes the SI document that the worker traces.
import type { Parsed } from '#contract/documents/problems.ts';
import type {
  BeamRecipe,
  LaserBankRecipe,
  NoiseRecipe,
  SensorRecipe,
} from '#contract/worker/sensorRecipe.ts';
import type { Sensor } from '#contract/documents/sensor.ts';
import {
  detectionFalloff,
  hasSeveralReturns,
  separatesEchoes,
  separationMessage,
  type ReturnMode,
} from '#contract/documents/sensorReturns.ts';
import { tableValues, type laserTables } from '#contract/documents/sensorBanks.ts';
import { compileScan } from '#contract/documents/scan/compileScan.ts';
import {
  hasBanks,
  maxSlotsPerSecond,
  ownRateHz,
  scanLimitProblem,
} from '#contract/documents/scan/scanPattern.ts';
import { type Pixels } from '#contract/documents/scan/scanRecipe.ts';
import { orderedElevationsDeg, rankedRings } from './lasers.ts';
import { radians } from '#domain/shared/numbers.ts';

export interface SensorSettings {
  /** Instead of the file's own rate; within the file's rateRangeHz where it gives one. */
  rateHz?: number | undefined;
  /** Instead of the file's own mode. */
  mode?: ReturnMode | undefined;
  /** Serial number of the unit, in place of the file's own. */
  serial?: string | undefined;
  /** Number of the sensor on its rig, from 0. */
  stream?: number | undefined;
  clock?: { phaseMs: number; offsetMs: number; driftPpm: number } | undefined;
}

/**
 * Resolves a checked sensor at the settings in use. Elevations in radians; `rings` ranks all lasers of
 * all banks by elevation, 0 the lowest, equal elevations in the file's order. With a fixed azimuth step
 * the firing rate follows from the turning rate; with a fixed firing rate the step does.
 * Reports what the scan cannot do at `rateHz`, or at a field of the file's `scan`, more than one slot a nanosecond, and a mode
 * of several returns, at `mode`, for a sensor that does not separate echoes.
 */
export function compileSensor(sensor: Sensor, settings: SensorSettings = {}): Parsed<SensorRecipe> {
  const { scan } = sensor;
  const limit = scanLimitProblem(sensor, settings.rateHz);
  if (limit !== null) {
    const path = limit.isRate && settings.rateHz !== undefined ? 'rateHz' : `scan.${limit.field}`;
    return { value: null, problems: [{ path, code: 'custom', message: limit.message }] };
  }
  const rateHz = settings.rateHz ?? ownRateHz(scan);
  const { slotsPath, pixels, ...scanned } = compileScan(scan, rateHz);
  if (scanned.slotsPerSecond > maxSlotsPerSecond) {
    const message = `expected at most ${maxSlotsPerSecond} slots per second, one a nanosecond, found ${scanned.slotsPerSecond} at ${rateHz} Hz`;
    return { value: null, problems: [{ path: slotsPath, code: 'custom', message }] };
  }
  const { returns, range, noise, intensity, quantisation } = sensor;
  if (hasSeveralReturns(settings.mode ?? returns.mode) && !separatesEchoes(returns)) {
    const message = `${settings.mode ?? returns.mode} needs returns.rangeResolutionM of sensor '${sensor.id}': ${separationMessage}`;
    return { value: null, problems: [{ path: 'mode', code: 'custom', message }] };
  }
  const serial = settings.serial ?? sensor.serial;
  const { phaseMs, offsetMs, driftPpm } = settings.clock ?? {
    phaseMs: 0,
    offsetMs: 0,
    driftPpm: 0,
  };
  const value: SensorRecipe = {
    id: sensor.id,
    ...(serial !== undefined && { serial }),
    stream: settings.stream ?? 0,
    ...scanned,
    clock: { phaseNs: Math.round(phaseMs * 1e6), offsetNs: Math.round(offsetMs * 1e6), driftPpm },
    ...(hasBanks(scan.kind)
      ? { banks: laserBanks(sensor), slotPattern: slotPattern(sensor) }
      : { banks: [pixels === null ? singleLaser : pixelRows(pixels)], slotPattern: [0] }),
    ...deadRecipe(sensor.deadLasers),
    minRangeM: range.minM,
    maxRangeM: range.maxM,
    ...(range.backfoldM !== undefined && { backfoldM: range.backfoldM }),
    wavelengthNm: sensor.wavelengthNm,
    beam: beamRecipe(sensor.beam),
    radiometry: sensor.radiometry,
    returns: returnsRecipe(returns, settings.mode),
    noise: noiseRecipe(noise),
    intensity: {
      ...(intensity.scale && { scale: intensity.scale }),
      noiseSigma: intensity.noiseSigma,
      noiseShare: intensity.noiseShare,
      ...(intensity.saturation !== undefined && { saturation: intensity.saturation }),
      step: intensity.step,
    },
    quantisation: { rangeM: quantisation.rangeM, azimuthRad: radians(quantisation.azimuthDeg) },
  };
  return { value, problems: [] };
}

function beamRecipe(beam: Sensor['beam']): BeamRecipe {
  return {
    shape: beam.shape,
    divergenceHorizontalRad: beam.divergenceHorizontalMrad / 1000,
    divergenceVerticalRad: beam.divergenceVerticalMrad / 1000,
    ...(beam.apertureHorizontalM > 0 && { apertureHorizontalM: beam.apertureHorizontalM }),
    ...(beam.apertureVerticalM > 0 && { apertureVerticalM: beam.apertureVerticalM }),
    ...(beam.overlapM && { overlapM: beam.overlapM }),
    stencil: beam.stencil,
    ...(beam.rays && { rays: beam.rays }),
  };
}

function deadRecipe(
  deadLasers: Sensor['deadLasers'],
): Pick<SensorRecipe, 'deadRings' | 'deadShare'> {
  if (typeof deadLasers === 'number') return deadLasers > 0 ? { deadShare: deadLasers } : {};
  return deadLasers.length > 0 ? { deadRings: deadLasers } : {};
}

function noiseRecipe({
  pointingSigmaMrad,
  mountPositionSigmaM,
  mountAngleSigmaMrad,
  limitSigmaM,
  ...sigmas
}: Sensor['noise']): NoiseRecipe {
  return {
    ...sigmas,
    ...(limitSigmaM > 0 && { limitSigmaM }),
    pointingSigmaRad: pointingSigmaMrad / 1000,
    ...(mountPositionSigmaM > 0 && { mountPositionSigmaM }),
    ...(mountAngleSigmaMrad > 0 && { mountAngleSigmaRad: mountAngleSigmaMrad / 1000 }),
  };
}

function returnsRecipe(
  { gate, waveform, detection, ...returns }: Sensor['returns'],
  mode: ReturnMode | undefined,
): SensorRecipe['returns'] {
  return {
    ...returns,
    mode: mode ?? returns.mode,
    ...(detection && detectionRecipe(detection)),
    ...(gate && { gate }),
    ...(waveform && { waveform }),
  };
}

function detectionRecipe({
  far,
  ...detection
}: NonNullable<Sensor['returns']['detection']>): Pick<
  SensorRecipe['returns'],
  'detection' | 'detectionFalloff'
> {
  const falloff = detectionFalloff({ ...detection, far });
  return { detection, ...(falloff > 0 && { detectionFalloff: falloff }) };
}

function laserBanks(sensor: Sensor): LaserBankRecipe[] {
  const banksDeg = sensor.banks.map((bank) => orderedElevationsDeg(bank.elevationsDeg));
  const rings = rankedRings(banksDeg);
  return sensor.banks.map((document, bank) => {
    const valuesOf = (key: (typeof laserTables)[number]): number[] | undefined =>
      document[key] && tableValues(document[key]);
    const azimuthOffsetsRad = valuesOf('azimuthOffsetsDeg')?.map(radians);
    const firingOffsetsNs = valuesOf('firingOffsetsUs')?.map((us) => Math.round(us * 1000));
    const rangeOffsetsM = valuesOf('rangeOffsetsM');
    const horizontalOffsetsM = valuesOf('horizontalOffsetsM');
    const verticalOffsetsM = valuesOf('verticalOffsetsM');
    return {
      elevationsRad: (banksDeg[bank] ?? []).map(radians),
      rings: rings[bank] ?? [],
      ...(azimuthOffsetsRad && { azimuthOffsetsRad }),
      ...(firingOffsetsNs && { firingOffsetsNs }),
      ...(rangeOffsetsM && { rangeOffsetsM }),
      ...(horizontalOffsetsM && { horizontalOffsetsM }),
      ...(verticalOffsetsM && { verticalOffsetsM }),
    };
  });
}

/** Elevations are the mirror's. */
const singleLaser: LaserBankRecipe = { elevationsRad: [0], rings: [0] };

/** The rows of an image as lasers, the lowest first; elevations are those of the middle column. */
function pixelRows({ columns, rows, horizontalFovRad }: Pixels): LaserBankRecipe {
  const pixel = (2 * Math.tan(horizontalFovRad / 2)) / columns;
  return {
    elevationsRad: Array.from({ length: rows }, (_, row) =>
      Math.atan((row - (rows - 1) / 2) * pixel),
    ),
    rings: Array.from({ length: rows }, (_, row) => row),
  };
}

function slotPattern(sensor: Sensor): number[] {
  const names = sensor.banks.map((bank) => bank.name);
  return (sensor.firingOrder ?? names).map((name) => names.indexOf(name));
}
