// Golden recipes: documents that together have every field of the contract, read by both languages. Sensors, one of
// each kind of scan; a scene with every kind of model, surface and plant.
import type { Plant } from '#contract/documents/plant.ts';
import type { SceneRecipe, SensorRecipe } from '#contract/worker/recipe.ts';

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

const leaves = {
  perTwig: 3,
  lengthM: 0.08,
  widthM: 0.05,
  triangles: 8,
  bendDeg: 20,
  material: 'leaf',
};
const bends = { curveDeg: 10, curveVariationDeg: 20, segments: 4, sides: 3 };

const grass: Plant = {
  understoryPlant: 1,
  id: 'golden-grass',
  name: 'Grass',
  seed: 7,
  generator: 'grass-patch',
  blades: 20,
  patchRadiusM: 0.2,
  heightM: [0.2, 0.5],
  widthM: [0.004, 0.008],
  leanDeg: [0, 30],
  bendDeg: [10, 60],
  segments: 4,
  foldDeg: 20,
  material: 'leaf',
};

const tree: Plant = {
  understoryPlant: 1,
  id: 'golden-tree',
  name: 'Tree',
  seed: 8,
  generator: 'tree',
  heightM: 4,
  crownBaseM: 1,
  crownShape: 'tapered',
  trunk: { radiusM: 0.1, flare: 0.5, ...bends },
  ratioPower: 1.2,
  attractionUp: 0.5,
  levels: [
    {
      branches: 5,
      lengthRatio: 0.4,
      lengthVariation: 0.1,
      downAngleDeg: 60,
      downAngleVariationDeg: -10,
      rotateDeg: 137.5,
      rotateVariationDeg: 15,
      ...bends,
    },
  ],
  leaves,
  barkMaterial: 'bark',
};

const shrub: Plant = {
  understoryPlant: 1,
  id: 'golden-shrub',
  name: 'Shrub',
  seed: 9,
  generator: 'shrub',
  heightM: 1.5,
  crownRadiusM: 0.7,
  crownBaseM: 0.2,
  trunk: { radiusM: 0.04, heightM: 0.9 },
  stems: 6,
  stemRadiusM: 0.01,
  twigsPerStem: 3,
  twigLengthM: 0.2,
  shellShare: 0.4,
  leaves: {
    ...leaves,
    angles: 'planophile',
    areaDensity: [
      [0.2, 0],
      [1.5, 0],
    ],
  },
  barkMaterial: 'bark',
};

const ofPlants = { seed: 11, materials: { leaf: 1, bark: 2 } };
const upright = { rotation: [0, 0, 0, 1] as [number, number, number, number], scale: 1 };

const scene: SceneRecipe = {
  seed: 5,
  materials: [
    { name: 'soil', reflectance: 0.3, colourRgb: [0.4, 0.3, 0.2] },
    {
      name: 'leaf',
      reflectance: [
        [600, 0.1],
        [900, 0.5],
      ],
      surface: { kind: 'lambertian' },
      transmittance: [
        [600, 0.05],
        [900, 0.4],
      ],
      gapFraction: 0.1,
      wetness: 0.2,
      colourRgb: [0.2, 0.6, 0.2],
    },
    {
      name: 'bark',
      reflectance: 0.4,
      surface: { kind: 'oren-nayar', roughnessRad: 0.5 },
      colourRgb: [0.3, 0.2, 0.1],
    },
    {
      name: 'mirror',
      reflectance: 1,
      surface: {
        kind: 'mirror',
        specularReflectance: [
          [800, 0.9],
          [1600, 0.97],
        ],
      },
      colourRgb: [0.8, 0.8, 0.9],
    },
    {
      name: 'sign',
      reflectance: 0.6,
      surface: { kind: 'retroreflector', gain: 300, halfWidthRad: 0.4 },
      colourRgb: [1, 1, 0],
    },
    {
      name: 'pane',
      reflectance: 0.01,
      surface: { kind: 'glass', refractiveIndex: 1.52, absorptionPerM: 3, thicknessM: 0.006 },
      colourRgb: [0.7, 0.8, 0.8],
    },
    {
      name: 'pond',
      reflectance: 0.02,
      surface: {
        kind: 'water',
        refractiveIndex: 1.33,
        absorptionPerM: [
          [532, 0.05],
          [905, 7],
        ],
        depthM: 2,
      },
      colourRgb: [0.2, 0.3, 0.5],
    },
  ],
  classes: ['ground', 'wall', 'plant'],
  models: [
    {
      name: 'ground',
      solid: 'none',
      source: {
        kind: 'height-field',
        columns: 2,
        rows: 3,
        originM: [-10, -10],
        stepM: [20, 10],
        material: 0,
      },
    },
    { name: 'box', solid: 'all', source: { kind: 'box', sizeM: [1, 2, 3], material: 3 } },
    {
      name: 'sphere',
      solid: 'all',
      source: { kind: 'sphere', radiusM: 0.5, rings: 6, material: 4 },
    },
    {
      name: 'cylinder',
      solid: 'all',
      source: {
        kind: 'cylinder',
        radiusM: 0.2,
        heightM: 2,
        sides: 12,
        caps: true,
        material: 2,
      },
    },
    {
      name: 'plane',
      solid: 'none',
      source: { kind: 'plane', sizeM: [4, 4], divisions: 2, material: 0 },
    },
    { name: 'grass', solid: 'none', source: { kind: 'plant', plant: grass, ...ofPlants } },
    { name: 'tree', solid: 'wood', source: { kind: 'plant', plant: tree, ...ofPlants } },
    { name: 'shrub', solid: 'wood', source: { kind: 'plant', plant: shrub, ...ofPlants } },
    {
      name: 'mesh',
      solid: 'all',
      source: {
        kind: 'mesh',
        file: '/models/post.obj',
        format: 'obj',
        unitM: 0.001,
        upAxis: 'y',
        material: 2,
        materials: { paint: 4 },
        textures: true,
        alphaThreshold: 0.25,
      },
    },
  ],
  instances: [
    {
      id: 1,
      name: 'ground',
      class: 0,
      model: 0,
      positionM: [0, 0, 0],
      onGround: false,
      ...upright,
    },
    {
      id: 2,
      name: 'box',
      class: 1,
      model: 1,
      positionM: [3, 0, 0],
      onGround: true,
      ...upright,
      motion: 0,
    },
  ],
  motions: [
    {
      name: 'gate',
      law: {
        kind: 'rotating',
        pivotM: [1, 2, 0],
        axis: [0, 0, 1],
        phaseRad: 0.25,
        rateRadPerS: 1.5,
      },
    },
  ],
  scatters: [
    {
      firstId: 10,
      name: 'grass',
      class: 2,
      model: 5,
      count: 4,
      pattern: 'poisson-disk',
      minSpacingM: 0.5,
      areaM: [
        [-5, -5],
        [5, -5],
        [0, 5],
      ],
      yawRad: [0, 6.28],
      scale: [0.8, 1.2],
      tiltRad: [0, 0.1],
      keepClear: [{ centreM: [0, 0], radiusM: 1 }],
    },
  ],
  ground: 0,
  atmosphere: {
    visibilityKm: 10,
    visibilityLaw: 'kim',
    rainMmPerH: 5,
    extinctionPerM: 0.001,
  },
  mirrorDepth: 2,
};

export const goldenSensors = { spinning, sweep, mirror, panorama, image };
export const goldenScene = scene;

/** The text of golden/recipes.json. */
export function goldenRecipes(): string {
  return `${JSON.stringify({ sensors: goldenSensors, scene }, null, 2)}\n`;
}
