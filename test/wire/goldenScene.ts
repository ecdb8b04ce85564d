// The golden scene: every kind of model, surface, plant and motion, and wind.
import type { Plant } from '#contract/documents/plant.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';

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

const sized: Plant = {
  understoryPlant: 1,
  id: 'golden-sized',
  name: 'Sized plant',
  seed: 10,
  generator: 'sized-plant',
  heightM: 5,
  diameterM: 0.1,
  diameterAtM: 1.3,
  crownBaseM: 1.5,
  crownWidthM: 2,
  leafAreaM2: 6,
  leafShare: 0.9,
  crown: { widestAt: 0.4, topPower: 1.5, basePower: 2 },
  stems: {
    count: 2,
    footRadiusM: 0.1,
    topShare: 0.9,
    flare: 0.2,
    bend: 0.01,
    segments: 6,
    sides: 5,
    deadBoughs: 2,
  },
  levels: [
    {
      count: 8,
      whorl: 2,
      angleDeg: [70, 30],
      lengthRatio: 0.9,
      lengthVariation: 0.1,
      sag: -0.1,
      spray: 0.5,
      bareShare: 0.05,
      slenderness: 0.012,
      bend: 0.02,
      segments: 3,
      sides: 3,
    },
  ],
  leaves: {
    lengthM: 0.1,
    widthM: 0.06,
    triangles: 4,
    angles: 'plagiophile',
    forwardDeg: 50,
    petiole: 0.2,
    material: 'leaf',
  },
  barkMaterial: 'bark',
};

const ofPlants = { seed: 11, materials: { leaf: 1, bark: 2 } };
const upright = { rotation: [0, 0, 0, 1] as [number, number, number, number], scale: 1 };

export const goldenScene: SceneRecipe = {
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
    {
      name: 'tree',
      solid: 'wood',
      sways: true,
      source: { kind: 'plant', plant: tree, ...ofPlants },
    },
    { name: 'shrub', solid: 'wood', source: { kind: 'plant', plant: shrub, ...ofPlants } },
    { name: 'sized', solid: 'wood', source: { kind: 'plant', plant: sized, ...ofPlants } },
    {
      name: 'step',
      solid: 'all',
      source: {
        kind: 'root-step',
        sizeM: [2, 3],
        heightM: 0.4,
        roots: 2,
        triangles: 200,
        seed: 7,
        material: 4,
        barkMaterial: 2,
      },
    },
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
        leafSizeM: 0.04,
        leafAngles: 'planophile',
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
  weather: {
    particles: [
      { kind: 'snow', numberPerM3Mm: 2079, sizesPerMm: 1.83, sizeFactor: 2.15, reflectance: 0.5 },
    ],
    media: [
      { kind: 'fog', visibilityKm: 0.2, lidarRatioSr: 18 },
      { kind: 'dust', extinctionPerM: 0.01, lidarRatioSr: 47 },
    ],
    plume: {
      raised: { extinctionM2PerM: 0.06, byVehicle: true, motions: [0] },
      windMPerS: [1.5, -0.5],
      firstM: 0.5,
      mixingM2PerS: 0.1,
      settlingMPerS: 0.002,
      lidarRatioSr: 47,
    },
  },
  wind: {
    speedMPerS: 8,
    towardsRad: 0.5,
    topM: 0.1,
    maxLean: 0.3,
    gusts: 0.5,
    frequencyHz: 2.1,
  },
  mirrorDepth: 2,
};
