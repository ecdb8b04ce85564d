// A sensor described in short sentences: from its file, at the settings in use, and from the worker's description.
import { traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { Replies } from '#contract/host/methods.ts';
import type {
  SensorDescription,
  SensorDescriptionColumns,
} from '#contract/worker/sensorDescription.ts';
import { bytesText, countText, numberText, shortCountText, withMinus } from './formats.ts';
import { degrees } from './numbers.ts';

export interface SummaryGroup {
  title: string;
  lines: string[];
}

/** The reply of sensor.show with its rays, pulses and lasers. */
export interface ShownSensor {
  shown: Shown;
  columns: SensorDescriptionColumns;
}

type Shown = Replies['sensor.show'];

/**
 * Factors from a ray's offset on the plane 1 m ahead to its position in the spot at `rangeM`: the range, and the
 * part that the window adds (PHYSICS.md, 1.6). Across and up.
 */
export function footprintScaleM(
  { beam }: { beam: Shown['recipe']['beam'] },
  rangeM: number,
): [number, number] {
  const scaleOf = (apertureM: number, divergenceRad: number): number =>
    apertureM > 0 ? rangeM + apertureM / (2 * Math.tan(divergenceRad / 2)) : rangeM;
  return [
    scaleOf(beam.apertureHorizontalM ?? 0, beam.divergenceHorizontalRad),
    scaleOf(beam.apertureVerticalM ?? 0, beam.divergenceVerticalRad),
  ];
}

/** Groups of short sentences: scan, beam, range, returns, noise, data rate, source. */
export function sensorSummary(shown: Shown): SummaryGroup[] {
  const { sensor } = shown;
  const { recalled } = sensor;
  return [
    { title: 'Scan', lines: scanLines(shown) },
    { title: 'Lasers', lines: laserLines(shown) },
    { title: 'Beam', lines: beamLines(shown) },
    { title: 'Range and intensity', lines: rangeLines(shown) },
    { title: 'Returns', lines: returnLines(shown) },
    { title: 'Noise', lines: noiseLines(shown) },
    { title: 'Data rate', lines: rateLines(shown) },
    {
      title: 'Source',
      lines: [
        sensor.source,
        ...(recalled.length > 0
          ? [`values without a document at hand: ${countText(recalled.length)}`]
          : []),
      ],
    },
  ];
}

function scanLines({ sensor, recipe, description }: Shown): string[] {
  const { scan } = recipe;
  const rate = `${numberText(scan.rateHz)} Hz${rangeOfRates(sensor.scan.rateRangeHz)}`;
  const lasers = recipe.banks.reduce((sum, { elevationsRad }) => sum + elevationsRad.length, 0);
  const pulses = `${countText(description.pulsesPerScan)} pulses`;
  const withLasers = `${countText(lasers)} ${lasers === 1 ? 'laser' : 'lasers'}`;
  const { motion, steps, pixels, lines } = traitsOf(scan);
  const moves = motion({ rate, degrees: degreesText });
  if (pixels !== null) {
    return [moves, `${degreesText(pixels.horizontalFovRad)}° wide, all pixels at one instant`];
  }
  if (lines !== null) {
    const lineRate = `${numberText(lines.perSecond)} lines/s${rangeOfRates(sensor.scan.rateRangeHz)}`;
    return [
      moves,
      `${lineRate}, head ${degreesText(lines.headRadPerSecond)}°/s`,
      `${countText(Math.ceil(lines.perScan - 1e-6))} lines of ${numberText(lines.pulsesPerLine)} pulses: steps of ${degreesText(lines.elevationStepRad)}° up, ${degreesText(lines.headStepRad)}° around`,
      `${pulses} a panorama, in ${numberText(1 / scan.rateHz)} s`,
    ];
  }
  if (steps !== null) {
    return [moves, `${withLasers}, ${countText(steps.count)} ${steps.noun}; ${pulses} a scan`];
  }
  const stepDeg = (360 * scan.rateHz) / recipe.slotsPerSecond;
  return [
    moves,
    `${withLasers}, firing every ${numberText(stepDeg)}°; ${pulses} a turn`,
    ...firingLines(recipe.slotPattern.length),
  ];

  function firingLines(slots: number): string[] {
    if (recipe.banks.length < 2) return [];
    const order = recipe.slotPattern.map((bank) => sensor.banks[bank]?.name ?? String(bank));
    return [`banks fire in the order ${order.slice(0, 8).join(', ')}${slots > 8 ? ' …' : ''}`];
  }
}

/** Lines about each laser and about the unit. */
function laserLines({ sensor, recipe }: Shown): string[] {
  const spanOf = (of: (bank: Shown['recipe']['banks'][number]) => number[] | undefined) => {
    const values = recipe.banks.flatMap((bank) => of(bank) ?? []);
    return [Math.min(...values), Math.max(...values)] as const;
  };
  const lines: string[] = [];
  const add = (
    name: string,
    span: readonly [number, number],
    scale: number,
    unit: string,
  ): void => {
    const [low, high] = span;
    if (!Number.isFinite(low) || (low === 0 && high === 0)) return;
    const text = (value: number): string => withMinus(numberText(value * scale));
    lines.push(`${name} ${text(low)} to ${text(high)} ${unit}`);
  };
  add(
    'azimuth offsets',
    spanOf((bank) => bank.azimuthOffsetsRad),
    degrees(1),
    '°',
  );
  add(
    'fire',
    spanOf((bank) => bank.firingOffsetsNs),
    1e-3,
    'µs after their slot',
  );
  add(
    'range offsets',
    spanOf((bank) => bank.rangeOffsetsM),
    1000,
    'mm',
  );
  add(
    'lever arms to the left',
    spanOf((bank) => bank.horizontalOffsetsM),
    1000,
    'mm',
  );
  add(
    'lever arms upwards',
    spanOf((bank) => bank.verticalOffsetsM),
    1000,
    'mm',
  );
  const { deadRings = [], deadShare = 0 } = recipe;
  if (deadRings.length > 0) lines.push(`dead: rings ${deadRings.join(', ')}`);
  if (deadShare > 0) lines.push(`dead: ${numberText(100 * deadShare)} % of the lasers`);
  lines.push(`serial ${recipe.serial ?? sensor.id}`);
  return lines;
}

function beamLines({ recipe, description }: Shown): string[] {
  const { beam } = recipe;
  const { rangeM, spotM, raysPerPulse } = description;
  const [wide, high] = [beam.divergenceHorizontalRad, beam.divergenceVerticalRad];
  const { rays } = beam;
  const profile =
    rays === undefined ? '' : Array.isArray(rays.profile) ? 'tabulated' : rays.profile;
  const sampling =
    rays === undefined
      ? ''
      : rays.sampling === 'random'
        ? 'random, drawn for each pulse'
        : rays.dither
          ? 'one in each equal share, drawn for each pulse'
          : 'one in each equal share';
  if (wide === 0 && high === 0) return ['no divergence', raysText(raysPerPulse)];
  return [
    `${beam.shape}, ${numberText(wide * 1000)} × ${numberText(high * 1000)} mrad, full angles`,
    ...windowLines(beam),
    `at ${numberText(rangeM)} m ${numberText(spotM.width * 1000)} × ${numberText(spotM.height * 1000)} mm`,
    rays === undefined
      ? `${raysText(raysPerPulse)}: stencil ${beam.stencil}`
      : `${raysText(raysPerPulse)}, ${profile}; ${sampling}`,
    ...rms(description, footprintScaleM(recipe, rangeM)),
  ];
}

function windowLines({
  apertureHorizontalM = 0,
  apertureVerticalM = 0,
}: Shown['recipe']['beam']): string[] {
  if (apertureHorizontalM === 0 && apertureVerticalM === 0) return [];
  const [wide, high] = [apertureHorizontalM, apertureVerticalM].map((m) => numberText(1000 * m));
  return [`at the window ${wide} × ${high} mm`];
}

function raysText(rays: number): string {
  return `${countText(rays)} ${rays === 1 ? 'ray' : 'rays'} a pulse`;
}

/** Root mean square distance from the axis, across and up. */
function rms(
  { beam, profile }: SensorDescription,
  [acrossM, upM]: readonly [number, number],
): string[] {
  const of = ({ leftSquared, upSquared }: SensorDescription['beam']): string =>
    [acrossM * Math.sqrt(leftSquared), upM * Math.sqrt(upSquared)]
      .map((metres) => numberText(1000 * metres))
      .join(' × ');
  return [`rms of the rays ${of(beam)} mm`, `rms of the beam profile ${of(profile)} mm`];
}

function rangeLines({ recipe }: Shown): string[] {
  const { minRangeM, maxRangeM, backfoldM, intensity, quantisation } = recipe;
  const isRelative = (recipe.radiometry ?? 'relative') === 'relative';
  return [
    `${numberText(minRangeM)} to ${numberText(maxRangeM)} m, ${numberText(recipe.wavelengthNm ?? 905)} nm`,
    ...(backfoldM === undefined
      ? []
      : [
          `ranges beyond ${numberText(backfoldM)} m are reported ${numberText(backfoldM)} m shorter`,
        ]),
    isRelative
      ? 'intensity: reflectance and incidence only'
      : 'intensity: lidar equation with 1/R² and air',
    ...(intensity?.scale === undefined
      ? []
      : [
          `reported as numbers to ${numberText(intensity.scale.at(-1)?.[1] ?? NaN)} of the signal times R²`,
        ]),
    ...(quantisation !== undefined && quantisation.rangeM > 0
      ? [`ranges in steps of ${numberText(quantisation.rangeM * 1000)} mm`]
      : []),
    ...(quantisation !== undefined && quantisation.azimuthRad > 0
      ? [`azimuths in steps of ${degreesText(quantisation.azimuthRad)}°`]
      : []),
  ];
}

function returnLines({ recipe: { returns } }: Shown): string[] {
  const { mode, signalCutoffM, rangeResolutionM = 0, detectionThreshold = 0 } = returns;
  const { detection, detectionFalloff = 0, gate, waveform, maxReturns } = returns;
  return [
    `mode ${mode}${mode === 'all' ? `, at most ${maxReturns ?? 3} a pulse` : ''}`,
    signalCutoffM > 0 && (returns.window || mode === 'first')
      ? `averages echoes within ${numberText(signalCutoffM)} m`
      : 'no averaging',
    ...(rangeResolutionM > 0 ? [`echoes closer than ${numberText(rangeResolutionM)} m merge`] : []),
    ...(detectionThreshold > 0
      ? [`detection threshold: ${numberText(detectionThreshold)}/m²`]
      : []),
    ...(detection === undefined
      ? []
      : [
          `detects ${numberText(100 * detection.reflectance)} % at ${numberText(detection.rangeM)} m: ${numberText(100 * detection.probability)} % of pulses`,
        ]),
    ...(detection === undefined || detectionFalloff === 0
      ? []
      : [`signals at the limit fall as 1/R^${numberText(2 + detectionFalloff)}`]),
    ...(gate === undefined
      ? []
      : [
          `range gate: all to ${numberText(gate.fullToM)} m, then ρ ≥ ${numberText(gate.reflectanceNear)}`,
          `to ρ ≥ ${numberText(gate.reflectanceFar)} at ${numberText(gate.noneBeyondM)} m, none beyond`,
        ]),
    ...(waveform === undefined
      ? []
      : [
          `waveform: bins of ${numberText(waveform.binNs)} ns, pulse ${numberText(waveform.pulseWidthNs)} ns`,
        ]),
  ];
}

function noiseLines({ recipe: { noise } }: Shown): string[] {
  if (noise === undefined) return ['none'];
  const mm = (valueM: number): string => `${numberText(valueM * 1000)} mm`;
  const parts: [number, string][] = [
    [noise.laserBiasSigmaM, `per-laser bias: σ ${mm(noise.laserBiasSigmaM)}`],
    [noise.rangeSigmaM, `range: σ ${mm(noise.rangeSigmaM)}`],
    [
      noise.incidenceSigmaM,
      `range by incidence θ: σ ${mm(noise.incidenceSigmaM)} · sin θ / cos² θ`,
    ],
    [noise.rangeSigmaPerM, `range by distance: σ ${mm(noise.rangeSigmaPerM)} per m`],
    [noise.signalSigmaM, `range by intensity I: σ ${mm(noise.signalSigmaM)} / √I`],
    [
      noise.limitSigmaM ?? 0,
      `range by signal: σ ${mm(noise.limitSigmaM ?? 0)} at the detection limit, as 1/√S`,
    ],
    [noise.pointingSigmaRad, `pointing: σ ${numberText(noise.pointingSigmaRad * 1000)} mrad`],
    [
      noise.mountPositionSigmaM ?? 0,
      `mount: σ ${mm(noise.mountPositionSigmaM ?? 0)} along each axis`,
    ],
    [
      noise.mountAngleSigmaRad ?? 0,
      `mount: σ ${numberText((noise.mountAngleSigmaRad ?? 0) * 1000)} mrad about each axis`,
    ],
    [noise.dropOutShare, `drop-out: ${numberText(noise.dropOutShare * 100)} % of the returns`],
  ];
  const present = parts.filter(([value]) => value > 0).map(([, text]) => text);
  return present.length === 0 ? ['none'] : present;
}

function rateLines({ description, raysPerSecond, bytesPerSecond }: Shown): string[] {
  return [
    `${shortCountText(description.pulsesPerSecond)} pulses/s, ${shortCountText(raysPerSecond)} rays/s`,
    `${bytesText(bytesPerSecond)}/s as recorded, one return a pulse`,
  ];
}

function rangeOfRates(range: readonly [number, number] | undefined): string {
  if (range === undefined || range[0] === range[1]) return '';
  return ` (${numberText(range[0])} to ${numberText(range[1])})`;
}

/** Without the unit. */
function degreesText(angleRad: number): string {
  return withMinus(String(Number(degrees(angleRad).toFixed(4))));
}
