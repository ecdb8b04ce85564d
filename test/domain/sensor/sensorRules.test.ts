// Rules between the fields of a sensor file, and what the file becomes: beams of many rays, gates,
// waveforms, mirrors, images, calibration and clocks.
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { parseSensor } from '#domain/scenario/documentText.ts';
import { compileSensor, type SensorSettings } from '#domain/sensor/compileSensor.ts';
import { minimalSensor } from '#test/support/documents.ts';

const scanLine = 'scan: { kind: spinning, rateHz: 10, slotsPerRevolution: 100 }';
const banks = 'banks:\n  - { name: column, elevationsDeg: [0, 1] }\n';
const rangeLine = 'range: { minM: 1, maxM: 100 }';
const shape = 'beam: { shape: rectangular, ';
const returnsLine = 'returns: { mode: strongest, signalCutoffM: 1';

/** The minimal sensor with texts replaced, each of which must be there. */
function spoilt(...replacements: [from: string, to: string][]): string {
  return replacements.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, minimalSensor);
}

function problemsOf(text: string): string[] {
  return parseSensor(text).problems.map(({ path, message }) => `${path}: ${message}`);
}

function recipeOf(text: string, settings: SensorSettings = {}): SensorRecipe {
  const { value, problems } = parseSensor(text);
  expect(problems).toEqual([]);
  if (value === null) throw new Error('unreachable');
  const recipe = compileSensor(value, settings).value;
  if (recipe === null) throw new Error('expected a recipe');
  return recipe;
}

function withRays(rays: string): string {
  return spoilt([shape, `${shape}stencil: rays, rays: ${rays}, `]);
}

describe('a beam of many rays', () => {
  it('takes a profile by name or as a table', () => {
    expect(recipeOf(withRays('{ count: 100 }')).beam).toEqual({
      shape: 'rectangular',
      divergenceHorizontalRad: 0.003,
      divergenceVerticalRad: 0.001,
      stencil: 'rays',
      rays: { count: 100, profile: 'uniform', sampling: 'stratified', dither: false },
    });
    const table = '[[0, 1], [0.5, 0.8], [1.2, 0]]';
    expect(recipeOf(withRays(`{ count: 9, profile: ${table} }`)).beam.rays?.profile).toEqual([
      [0, 1],
      [0.5, 0.8],
      [1.2, 0],
    ]);
  });

  const faults: [what: string, text: string, expected: string[]][] = [
    [
      'rays without their stencil',
      spoilt([shape, `${shape}rays: { count: 5 }, `]),
      ["beam.rays: expected only with stencil 'rays' (line 9)"],
    ],
    [
      'their stencil without rays',
      spoilt([shape, `${shape}stencil: rays, `]),
      ["beam.rays: expected with stencil 'rays', found nothing (line 9)"],
    ],
    [
      'no ray',
      withRays('{ count: 0 }'),
      ['beam.rays.count: expected more than 0, found 0 (line 9)'],
    ],
    [
      'dither of rays that are random anyway',
      withRays('{ count: 5, sampling: random, dither: true }'),
      [
        'beam.rays.dither: expected only with stratified sampling: random rays are new for each pulse (line 9)',
      ],
    ],
    [
      'an unknown profile',
      withRays('{ count: 5, profile: gauss }'),
      ["beam.rays.profile: expected one of 'uniform', 'gaussian', found 'gauss' (line 9)"],
    ],
    [
      'a profile that is neither word nor table',
      withRays('{ count: 5, profile: 3 }'),
      ["beam.rays.profile: expected one of 'uniform', 'gaussian' or a list, found 3 (line 9)"],
    ],
    [
      'a table that does not begin on the axis',
      withRays('{ count: 5, profile: [[0.1, 1], [1, 0]] }'),
      ['beam.rays.profile[0]: expected to begin at distance 0 (line 9)'],
    ],
    [
      'a table that does not go outwards',
      withRays('{ count: 5, profile: [[0, 1], [1, 0.5], [1, 0]] }'),
      ['beam.rays.profile[2]: expected a distance above 1, found 1 (line 9)'],
    ],
    [
      'a table without light',
      withRays('{ count: 5, profile: [[0, 0], [1, 0]] }'),
      ['beam.rays.profile: expected an irradiance above 0 (line 9)'],
    ],
    [
      'a negative irradiance',
      withRays('{ count: 5, profile: [[0, 1], [1, -1]] }'),
      ['beam.rays.profile[1][1]: expected at least 0, found -1 (line 9)'],
    ],
    [
      'a table of one point',
      withRays('{ count: 5, profile: [[0, 1]] }'),
      ['beam.rays.profile: expected a list of at least 2, found a list of 1 (line 9)'],
    ],
  ];
  it.each(faults)('refuses %s', (_, text, expected) => {
    expect(problemsOf(text)).toEqual(expected);
  });
});

describe('what becomes of a signal', () => {
  it('takes a gate, a waveform and a threshold', () => {
    const gate = '{ fullToM: 50, noneBeyondM: 120, reflectanceNear: 0.1, reflectanceFar: 0.8 }';
    const { returns } = recipeOf(
      spoilt([
        returnsLine,
        `${returnsLine}, detectionThreshold: 1e-6, gate: ${gate}, waveform: { binNs: 1, pulseWidthNs: 5 }`,
      ]),
    );
    expect(returns).toMatchObject({
      detectionThreshold: 1e-6,
      gate: { fullToM: 50, noneBeyondM: 120, reflectanceNear: 0.1, reflectanceFar: 0.8 },
      waveform: { binNs: 1, pulseWidthNs: 5 },
    });
  });

  const faults: [what: string, returns: string, expected: string[]][] = [
    [
      'a gate that closes before it opens',
      'gate: { fullToM: 50, noneBeyondM: 50, reflectanceNear: 0.1, reflectanceFar: 0.8 }',
      ['returns.gate.noneBeyondM: expected more than fullToM (line 10)'],
    ],
    [
      'a gate beyond white',
      'gate: { fullToM: 50, noneBeyondM: 120, reflectanceNear: 0.1, reflectanceFar: 80 }',
      ['returns.gate.reflectanceFar: expected at most 1, found 80 (line 10)'],
    ],
    [
      'a gate that asks for less the farther it is',
      'gate: { fullToM: 50, noneBeyondM: 120, reflectanceNear: 0.8, reflectanceFar: 0.1 }',
      [
        'returns.gate.reflectanceFar: expected at least reflectanceNear: what is farther away must reflect no less (line 10)',
      ],
    ],
    [
      'a resolution beside a waveform, which has its own',
      'rangeResolutionM: 1, waveform: { binNs: 1, pulseWidthNs: 5 }',
      [
        'returns.rangeResolutionM: expected only without a waveform, whose pulse width separates echoes (line 10)',
      ],
    ],
    [
      'bins far shorter than the pulse',
      'waveform: { binNs: 0.001, pulseWidthNs: 5 }',
      ['returns.waveform.binNs: expected at least a thousandth of pulseWidthNs (line 10)'],
    ],
    [
      'bins and pulses that the worker would refuse',
      'waveform: { binNs: 1e-9, pulseWidthNs: 1e-9 }',
      [
        'returns.waveform.binNs: expected at least 0.000001, found 1e-9 (line 10)',
        'returns.waveform.pulseWidthNs: expected at least 0.000001, found 1e-9 (line 10)',
      ],
    ],
    [
      'a second limit nearer than the first',
      'detection: { reflectance: 0.1, rangeM: 90, far: { reflectance: 0.8, rangeM: 90 } }',
      ['returns.detection.far.rangeM: expected more than rangeM (90), found 90 (line 10)'],
    ],
    [
      'a second limit beyond 1/R²',
      'detection: { reflectance: 0.1, rangeM: 50, far: { reflectance: 0.3, rangeM: 100 } }',
      ['returns.detection.far.reflectance: expected at least 0.4, by 1/R², found 0.3 (line 10)'],
    ],
    [
      'more returns than are kept',
      'maxReturns: 17',
      ['returns.maxReturns: expected at most 16, found 17 (line 10)'],
    ],
  ];
  it.each(faults)('refuses %s', (_, more, expected) => {
    expect(problemsOf(spoilt([returnsLine, `${returnsLine}, ${more}`]))).toEqual(expected);
  });

  it('makes one power of two limits', () => {
    const limits = (far: string): SensorRecipe['returns'] =>
      recipeOf(
        spoilt([
          returnsLine,
          `${returnsLine}, detection: { reflectance: 0.1, rangeM: 50, far: ${far} }`,
        ]),
      ).returns;
    const { detection, detectionFalloff } = limits('{ reflectance: 0.8, rangeM: 120 }');
    expect(detection).toEqual({
      reflectance: 0.1,
      rangeM: 50,
      probability: 0.5,
      falseAlarmsPerPulse: 1e-6,
    });
    // 0.1/50² = 0.8/120² · (50/120)^p.
    expect((0.8 / 120 ** 2) * (50 / 120) ** (detectionFalloff ?? NaN)).toBeCloseTo(0.1 / 2500, 12);
    // By 1/R² alone there is none.
    expect(limits('{ reflectance: 0.4, rangeM: 100 }')).not.toHaveProperty('detectionFalloff');
  });

  const mapped: [what: string, intensity: string, expected: string[]][] = [
    [
      'a scale whose signals fall',
      'scale: [[2, 100], [1, 255]]',
      ['intensity.scale: expected rising signals (line 11)'],
    ],
    [
      'a scale whose numbers do not rise',
      'scale: [[1, 100], [2, 100]]',
      ['intensity.scale: expected rising numbers (line 11)'],
    ],
    [
      'a scale that reports 0 of a signal',
      'scale: [[1, 0]]',
      ['intensity.scale: expected rising numbers (line 11)'],
    ],
  ];
  it.each(mapped)('refuses %s', (_, intensity, expected) => {
    expect(problemsOf(`${minimalSensor}intensity: { ${intensity} }\n`)).toEqual(expected);
  });

  it('refuses noise at a detection limit that is not there', () => {
    expect(problemsOf(`${minimalSensor}noise: { limitSigmaM: 0.1 }\n`)).toEqual([
      'noise.limitSigmaM: expected 0 without returns.detection, found 0.1 (line 11)',
    ]);
  });

  it('takes noise, steps and folding in SI units', () => {
    const recipe = recipeOf(
      `${spoilt([rangeLine, 'range: { minM: 1, maxM: 100, backfoldM: 50 }'])}radiometry: radar-equation
wavelengthNm: 1550
noise: { laserBiasSigmaM: 0.025, pointingSigmaMrad: 0.5, dropOutShare: 0.01 }
quantisation: { rangeM: 0.002, azimuthDeg: 0.09 }
`,
    );
    expect(recipe).toMatchObject({
      backfoldM: 50,
      wavelengthNm: 1550,
      radiometry: 'radar-equation',
      noise: { laserBiasSigmaM: 0.025, rangeSigmaM: 0, pointingSigmaRad: 0.0005 },
    });
    expect(recipe.noise?.dropOutShare).toBe(0.01);
    expect(recipe.quantisation?.rangeM).toBe(0.002);
    expect(recipe.quantisation?.azimuthRad).toBeCloseTo((0.09 * Math.PI) / 180, 15);
  });

  it('refuses to fold where nothing is seen', () => {
    expect(
      problemsOf(spoilt([rangeLine, 'range: { minM: 1, maxM: 100, backfoldM: 100 }'])),
    ).toEqual(['range.backfoldM: expected less than maxM (100), found 100 (line 8)']);
  });

  it('has nothing of it by default', () => {
    const recipe = recipeOf(minimalSensor);
    expect(Object.values(recipe.noise ?? {})).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(recipe.quantisation).toEqual({ rangeM: 0, azimuthRad: 0 });
    expect(recipe).toMatchObject({ radiometry: 'relative', wavelengthNm: 905, stream: 0 });
    for (const left of ['backfoldM', 'rays']) expect(recipe).not.toHaveProperty(left);
    expect(recipe.intensity).not.toHaveProperty('scale');
    expect(recipe.returns).not.toHaveProperty('gate');
    expect(recipe.returns).not.toHaveProperty('waveform');
  });
});

describe('a mirror', () => {
  const angles = (from: number, to: number): string =>
    `scan: { kind: mirror, rateHz: 12.5, minAngleDeg: ${from}, maxAngleDeg: ${to}, slotsPerScan: 5 }`;

  it('turns between two angles, its emitters being lasers', () => {
    const recipe = recipeOf(spoilt([scanLine, angles(-50, 60)]));
    expect(recipe.scan).toMatchObject({ kind: 'mirror', rateHz: 12.5, slotsPerScan: 5 });
    if (recipe.scan.kind !== 'mirror') throw new Error('unreachable');
    expect(recipe.scan.minAngleRad).toBeCloseTo((-50 * Math.PI) / 180, 15);
    expect(recipe.scan.maxAngleRad).toBeCloseTo((60 * Math.PI) / 180, 15);
    expect(recipe.slotsPerSecond).toBe(62.5);
    expect(recipe.banks[0]?.rings).toEqual([0, 1]);
  });

  it('refuses angles in reverse order, and beyond half a turn', () => {
    expect(problemsOf(spoilt([scanLine, angles(50, -50)]))).toEqual([
      'scan.minAngleDeg: expected at most maxAngleDeg (-50), found 50 (line 5)',
    ]);
    expect(problemsOf(spoilt([scanLine, angles(-181, 50)]))).toEqual([
      'scan.minAngleDeg: expected at least -180, found -181 (line 5)',
    ]);
  });
});

describe('an image', () => {
  const image = 'scan: { kind: image, rateHz: 25, columns: 4, rows: 3, horizontalFovDeg: 90 }';

  it('has square pixels, the rows as lasers from below, its columns as slots', () => {
    const recipe = recipeOf(spoilt([scanLine, image], [banks, '']));
    // A pixel of a 90° image 4 wide is tan 45° / 2 = 0.5 on the plane 1 m ahead.
    expect(recipe.banks).toHaveLength(1);
    const elevations = recipe.banks[0]?.elevationsRad ?? [];
    for (const [row, expected] of [-Math.atan(0.5), 0, Math.atan(0.5)].entries()) {
      expect(elevations[row]).toBeCloseTo(expected, 15);
    }
    expect(recipe.banks[0]?.rings).toEqual([0, 1, 2]);
    expect(recipe.slotPattern).toEqual([0]);
    expect(recipe.slotsPerSecond).toBe(100);
    expect(recipe.scan).toMatchObject({ kind: 'image', columns: 4, rows: 3 });
  });

  it('has no banks; everything else has', () => {
    expect(problemsOf(spoilt([scanLine, image]))).toEqual([
      'banks: expected no banks: an image has pixels, found 1 (line 6)',
    ]);
    expect(problemsOf(spoilt([banks, '']))).toEqual(['banks: expected at least one bank, found 0']);
  });
});

describe('calibration', () => {
  const ofLasers = (more: string): string =>
    spoilt(['elevationsDeg: [0, 1]', `elevationsDeg: [0, 1], ${more}`]);

  it('gives azimuths and times of each laser in SI units', () => {
    const recipe = recipeOf(ofLasers('azimuthOffsetsDeg: [-90, 45], firingOffsetsUs: [0, 2.304]'));
    const [bank] = recipe.banks;
    expect(bank?.azimuthOffsetsRad?.[0]).toBeCloseTo(-Math.PI / 2, 15);
    expect(bank?.azimuthOffsetsRad?.[1]).toBeCloseTo(Math.PI / 4, 15);
    expect(bank?.firingOffsetsNs).toEqual([0, 2304]);
  });

  it.each(['azimuthOffsetsDeg', 'firingOffsetsUs'])('needs %s for every laser', (key) => {
    expect(problemsOf(ofLasers(`${key}: [0, 1, 2]`))).toEqual([
      `banks[0].${key}: expected one number for each of the 2 lasers, found 3 (line 7)`,
    ]);
  });

  it('counts the lasers of a regular range', () => {
    const range = '{ fromDeg: 0, toDeg: 1, count: 4 }';
    const text = spoilt(['[0, 1]', `${range}, azimuthOffsetsDeg: [0, 1]`]);
    expect(problemsOf(text)).toEqual([
      'banks[0].azimuthOffsetsDeg: expected one number for each of the 4 lasers, found 2 (line 7)',
    ]);
  });

  it('refuses times before the slot', () => {
    expect(problemsOf(ofLasers('firingOffsetsUs: [0, -1]'))).toEqual([
      'banks[0].firingOffsetsUs[1]: expected at least 0, found -1 (line 7)',
    ]);
  });
});

describe('a place on a rig', () => {
  it('has a number, and a clock in nanoseconds', () => {
    const clock = { phaseMs: 12.5, offsetMs: -3.25, driftPpm: 20 };
    expect(recipeOf(minimalSensor, { stream: 3, clock })).toMatchObject({
      stream: 3,
      clock: { phaseNs: 12_500_000, offsetNs: -3_250_000, driftPpm: 20 },
    });
  });
});
