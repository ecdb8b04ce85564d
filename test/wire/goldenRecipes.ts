// Golden recipes: documents that together have every field of the contract, read by both languages. Sensors, one of
// each kind of scan; goldenScene.ts has the scene.
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { goldenScene } from './goldenScene.ts';

const spinning: SensorRecipe = {
  id: 'golden-spinning',
  stream: 3,
  serial: 'golden-7',
  scan: { kind: 'spinning', rateHz: 10, direction: 'clockwise' },
  slotsPerSecond: 9000,
  clock: { phaseNs: 1500, offsetNs: -250, driftPpm: 12.5 },
  banks: [
    {
      elevationsRad: [-0.1, 0.05],
      rings: [0, 2],
      azimuthOffsetsRad: [0.001, -0.002],
      firingOffsetsNs: [0, 1200],
      rangeOffsetsM: [0.01, -0.02],
      horizontalOffsetsM: [0.026, -0.026],
      verticalOffsetsM: [0.2, 0.21],
    },
    { elevationsRad: [0], rings: [1] },
  ],
  slotPattern: [0, 1, 0],
  deadRings: [1],
  deadShare: 0.05,
  minRangeM: 0.5,
  maxRangeM: 120,
  backfoldM: 150,
  wavelengthNm: 1550,
  beam: {
    shape: 'circular',
    divergenceHorizontalRad: 0.002,
    divergenceVerticalRad: 0.002,
    apertureHorizontalM: 0.01,
    apertureVerticalM: 0.005,
    overlapM: [0.5, 1],
    stencil: 'rays',
    rays: { count: 16, profile: 'gaussian', sampling: 'stratified', dither: true },
  },
  radiometry: 'radar-equation',
  returns: {
    mode: 'all',
    signalCutoffM: 0.3,
    window: false,
    rangeResolutionM: 0.4,
    maxReturns: 5,
    detectionThreshold: 0.001,
    detection: { reflectance: 0.1, rangeM: 60, probability: 0.9, falseAlarmsPerPulse: 0.00001 },
    detectionFalloff: 0.5,
    gate: { fullToM: 20, noneBeyondM: 110, reflectanceNear: 0.02, reflectanceFar: 0.4 },
  },
  intensity: {
    scale: [
      [1, 2],
      [50, 4],
    ],
    noiseSigma: 0.01,
    noiseShare: 0.02,
    saturation: 4,
    step: 0.001,
  },
  noise: {
    laserBiasSigmaM: 0.01,
    rangeSigmaM: 0.02,
    incidenceSigmaM: 0.001,
    rangeSigmaPerM: 0.0001,
    signalSigmaM: 0.003,
    limitSigmaM: 0.05,
    pointingSigmaRad: 0.0005,
    dropOutShare: 0.01,
    mountPositionSigmaM: 0.002,
    mountAngleSigmaRad: 0.001,
  },
  quantisation: { rangeM: 0.002, azimuthRad: 0.0001 },
};

const small = {
  slotPattern: [0],
  minRangeM: 0,
  maxRangeM: 30,
  beam: {
    shape: 'rectangular',
    divergenceHorizontalRad: 0.01,
    divergenceVerticalRad: 0.005,
    stencil: 'moment',
  },
  returns: { mode: 'strongest', signalCutoffM: 0, window: true },
} satisfies Partial<SensorRecipe>;

const sweep: SensorRecipe = {
  ...small,
  id: 'golden-sweep',
  scan: {
    kind: 'sweep',
    rateHz: 75,
    minAzimuthRad: -1.5,
    maxAzimuthRad: 1.5,
    slotsPerScan: 181,
    activeShare: 0.5,
  },
  slotsPerSecond: 13575,
  banks: [{ elevationsRad: [0], rings: [0] }],
  returns: {
    mode: 'strongest-and-last',
    signalCutoffM: 0.1,
    window: true,
    waveform: { binNs: 1, pulseWidthNs: 4 },
  },
};

const mirror: SensorRecipe = {
  ...small,
  id: 'golden-mirror',
  scan: {
    kind: 'mirror',
    rateHz: 50,
    minAngleRad: -0.8,
    maxAngleRad: 0.8,
    slotsPerScan: 91,
    activeShare: 0.25,
  },
  slotsPerSecond: 4550,
  banks: [{ elevationsRad: [-0.01, 0.01], rings: [0, 1] }],
};

const panorama: SensorRecipe = {
  ...small,
  id: 'golden-panorama',
  scan: {
    kind: 'panorama',
    rateHz: 0.5,
    pulseRateHz: 12000,
    linesPerSecond: 7,
    activeShare: 0.4,
    minElevationRad: -0.7,
    maxElevationRad: 1,
    fromRad: 3,
    toRad: -2,
    firstSlot: 640,
  },
  slotsPerSecond: 4800,
  banks: [{ elevationsRad: [0], rings: [0] }],
};

const image: SensorRecipe = {
  ...small,
  id: 'golden-image',
  scan: { kind: 'image', rateHz: 20, columns: 8, rows: 2, horizontalFovRad: 1.2 },
  slotsPerSecond: 160,
  banks: [{ elevationsRad: [-0.1, 0.1], rings: [0, 1] }],
  beam: {
    ...small.beam,
    stencil: 'rays',
    rays: {
      count: 4,
      profile: [
        [0, 1],
        [1, 0],
      ],
      sampling: 'random',
      dither: false,
    },
  },
};

export const goldenSensors = { spinning, sweep, mirror, panorama, image };

/** The text of golden/recipes.json. */
export function goldenRecipes(): string {
  return `${JSON.stringify({ sensors: goldenSensors, scene: goldenScene }, null, 2)}\n`;
}
