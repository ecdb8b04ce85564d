// What a sensor is, in words: from its file, at the settings in use, and from what the worker describes.
import type { Replies } from './methods.ts';
import type { SensorDescription, SensorDescriptionColumns } from '../worker/sensorDescription.ts';

export interface FactGroup {
  title: string;
  lines: string[];
}

/** A sensor as it was shown, with its rays, pulses and lasers. */
export interface ShownSensor {
  shown: Shown;
  columns: SensorDescriptionColumns;
}

type Shown = Replies['sensor.show'];

/** Groups of short sentences, in the order in which a reader wants them. */
export function sensorFacts(shown: Shown): FactGroup[] {
  const { sensor } = shown;
  const { recalled } = sensor;
  return [
    { title: 'Scan', lines: scanLines(shown) },
    { title: 'Beam', lines: beamLines(shown) },
    { title: 'Range and light', lines: rangeLines(shown) },
    { title: 'Returns', lines: returnLines(shown) },
    { title: 'Noise', lines: noiseLines(shown) },
    { title: 'Data rate', lines: rateLines(shown) },
    {
      title: 'Source',
      lines: [
        sensor.source,
        ...(recalled.length > 0
          ? [`not read in a document at hand: ${countText(recalled.length)} values`]
          : []),
      ],
    },
  ];
}

function scanLines({ sensor, recipe, description }: Shown): string[] {
  const { scan } = recipe;
  const rate = `${number(scan.rateHz)} Hz${rangeOfRates(sensor.scan.rateRangeHz)}`;
  const lasers = recipe.blocks.reduce((sum, { elevationsRad }) => sum + elevationsRad.length, 0);
  const pulses = `${countText(description.pulsesPerScan)} pulses`;
  const withLasers = `${countText(lasers)} ${lasers === 1 ? 'laser' : 'lasers'}`;
  switch (scan.kind) {
    case 'spinning': {
      const stepDeg = (360 * scan.rateHz) / recipe.slotsPerSecond;
      return [
        `turns counter-clockwise at ${rate}`,
        `${withLasers}, firing every ${number(stepDeg)}°; ${pulses} a turn`,
        ...firingLines(recipe.slotPattern.length),
      ];
    }
    case 'sweep':
      return [
        `sweeps ${degreesText(scan.minAzimuthRad)} to ${degreesText(scan.maxAzimuthRad)}° at ${rate}`,
        `${withLasers}, ${countText(scan.slotsPerScan)} azimuths; ${pulses} a scan`,
      ];
    case 'mirror':
      return [
        `mirror turns ${degreesText(scan.minAngleRad)} to ${degreesText(scan.maxAngleRad)}° at ${rate}`,
        `${withLasers}, ${countText(scan.slotsPerScan)} angles; ${pulses} a scan`,
      ];
    case 'image':
      return [
        `image of ${scan.columns} × ${scan.rows} pixels at ${rate}`,
        `${degreesText(scan.horizontalFovRad)}° wide, all pixels at one instant`,
      ];
  }

  function firingLines(slots: number): string[] {
    if (recipe.blocks.length < 2) return [];
    const order = recipe.slotPattern.map((block) => sensor.blocks[block]?.name ?? String(block));
    return [`fires by blocks: ${order.slice(0, 8).join(', ')}${slots > 8 ? ' …' : ''}`];
  }
}

function beamLines({ recipe, description }: Shown): string[] {
  const { beam } = recipe;
  const { rangeM, spotM, raysPerPulse } = description;
  const [wide, high] = [beam.divergenceHorizontalRad, beam.divergenceVerticalRad];
  const { rays } = beam;
  const profile =
    rays === undefined ? '' : Array.isArray(rays.profile) ? 'tabulated' : rays.profile;
  const drawn =
    rays === undefined
      ? ''
      : rays.sampling === 'random'
        ? 'random, drawn for each pulse'
        : rays.dither
          ? 'one in each equal share, drawn for each pulse'
          : 'one in each equal share';
  if (wide === 0 && high === 0) return ['no divergence', raysText(raysPerPulse)];
  return [
    `${beam.shape}, ${number(wide * 1000)} × ${number(high * 1000)} mrad, full angles`,
    `at ${number(rangeM)} m ${number(spotM.width * 1000)} × ${number(spotM.height * 1000)} mm`,
    rays === undefined
      ? `${raysText(raysPerPulse)}: stencil ${beam.stencil}`
      : `${raysText(raysPerPulse)}, ${profile}; ${drawn}`,
    ...rms(description),
  ];
}

function raysText(rays: number): string {
  return `${countText(rays)} ${rays === 1 ? 'ray' : 'rays'} a pulse`;
}

/** Root mean square distance from the axis, across and up. */
function rms({ beam, profile, rangeM }: SensorDescription): string[] {
  const of = ({ leftSquared, upSquared }: SensorDescription['beam']): string =>
    [leftSquared, upSquared].map((square) => number(1000 * rangeM * Math.sqrt(square))).join(' × ');
  return [`rms of the rays ${of(beam)} mm`, `rms of the spot ${of(profile)} mm`];
}

function rangeLines({ recipe }: Shown): string[] {
  const { minRangeM, maxRangeM, backfoldM, quantisation } = recipe;
  const isRelative = (recipe.radiometry ?? 'relative') === 'relative';
  return [
    `${number(minRangeM)} to ${number(maxRangeM)} m, ${number(recipe.wavelengthNm ?? 905)} nm`,
    ...(backfoldM === undefined
      ? []
      : [`beyond ${number(backfoldM)} m reported less ${number(backfoldM)} m`]),
    isRelative
      ? 'intensity: reflectance and incidence alone'
      : 'intensity: radar equation, with 1/R² and air',
    ...(quantisation !== undefined && quantisation.rangeM > 0
      ? [`ranges in steps of ${number(quantisation.rangeM * 1000)} mm`]
      : []),
    ...(quantisation !== undefined && quantisation.azimuthRad > 0
      ? [`azimuths in steps of ${degreesText(quantisation.azimuthRad)}°`]
      : []),
  ];
}

function returnLines({ recipe: { returns } }: Shown): string[] {
  const { mode, signalCutoffM, rangeResolutionM = 0, detectionThreshold = 0 } = returns;
  const { gate, waveform, maxReturns } = returns;
  return [
    `mode ${mode}${mode === 'all' ? `, at most ${maxReturns ?? 3}` : ''}`,
    signalCutoffM > 0 && (returns.window || mode === 'first')
      ? `averages what lies within ${number(signalCutoffM)} m`
      : 'no averaging',
    ...(rangeResolutionM > 0 ? [`echoes nearer than ${number(rangeResolutionM)} m merge`] : []),
    ...(detectionThreshold > 0 ? [`weakest echo: ${number(detectionThreshold)}`] : []),
    ...(gate === undefined
      ? []
      : [
          `all to ${number(gate.fullToM)} m, then from ρ ${number(gate.reflectanceNear)} up;`,
          `at ${number(gate.noneBeyondM)} m from ρ ${number(gate.reflectanceFar)}, beyond none`,
        ]),
    ...(waveform === undefined
      ? []
      : [
          `waveform: bins of ${number(waveform.binNs)} ns, pulse ${number(waveform.pulseWidthNs)} ns`,
        ]),
  ];
}

function noiseLines({ recipe: { noise } }: Shown): string[] {
  if (noise === undefined) return ['none'];
  const mm = (valueM: number): string => `${number(valueM * 1000)} mm`;
  const parts: [number, string][] = [
    [noise.laserBiasSigmaM, `of a laser, constant: σ ${mm(noise.laserBiasSigmaM)}`],
    [noise.rangeSigmaM, `of a range: σ ${mm(noise.rangeSigmaM)}`],
    [noise.incidenceSigmaM, `by incidence θ: σ ${mm(noise.incidenceSigmaM)} · sin θ / cos² θ`],
    [noise.rangeSigmaPerM, `by range: σ ${mm(noise.rangeSigmaPerM)} a metre`],
    [noise.signalSigmaM, `by intensity I: σ ${mm(noise.signalSigmaM)} / root of I`],
    [noise.pointingSigmaRad, `of the axis: σ ${number(noise.pointingSigmaRad * 1000)} mrad`],
    [noise.dropOutShare, `lost: ${number(noise.dropOutShare * 100)} % of the returns`],
  ];
  const present = parts.filter(([value]) => value > 0).map(([, text]) => text);
  return present.length === 0 ? ['none'] : present;
}

function rateLines({ description, raysPerSecond, bytesPerSecond }: Shown): string[] {
  return [
    `${shortCount(description.pulsesPerSecond)} pulses/s, ${shortCount(raysPerSecond)} rays/s`,
    `${bytesText(bytesPerSecond)}/s as recorded, one return a pulse`,
  ];
}

function rangeOfRates(range: readonly [number, number] | undefined): string {
  if (range === undefined || range[0] === range[1]) return '';
  return ` (${number(range[0])} to ${number(range[1])})`;
}

/** Four significant digits at most, no noise. */
export function number(value: number): string {
  if (value !== 0 && Math.abs(value) < 1e-3) return value.toExponential(2).replace(/\.?0+e/, 'e');
  return String(Number(value.toPrecision(4)));
}

/** Without the unit. */
function degreesText(angleRad: number): string {
  return String(Number(degrees(angleRad).toFixed(4)));
}

function degrees(angleRad: number): number {
  return (angleRad * 180) / Math.PI;
}

/** '1,234,567'. */
function countText(count: number): string {
  return Math.round(count).toLocaleString('en');
}

/** '12.3 M', '4.5 k'. */
function shortCount(count: number): string {
  const [divisor, unit] = count >= 1e9 ? [1e9, ' G'] : count >= 1e6 ? [1e6, ' M'] : [1e3, ' k'];
  if (count < 1e3) return String(Math.round(count));
  return `${(count / divisor).toFixed(divisor === 1e3 ? 1 : 2)}${unit}`;
}

/** '1.2 GB'; decimal, as disks are sold. */
function bytesText(bytes: number): string {
  const [divisor, unit] = bytes >= 1e9 ? [1e9, 'GB'] : bytes >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB'];
  return `${(bytes / divisor).toFixed(divisor === 1e9 ? 2 : 1)} ${unit}`;
}
