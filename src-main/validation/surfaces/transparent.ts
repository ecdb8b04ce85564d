// Glass, water, leaves, wet surfaces and the backs of retro-reflectors: sums over the reflections inside a pane,
// Fermat's principle, Fresnel's law of sines and tangents, a series of crossings of a film.
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { about, form, forms, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { plates, solids, type Material } from '../scenes.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

/** 32-bit directions, cosines and intensities below 1. */
const rounding = 2e-6;
const everyReturn = singleLaser({
  beam: singleRay,
  returns: { mode: 'all', maxReturns: 8, rangeResolutionM: 0.1 },
});
const fresnel = 'Fresnel 1823, laws of sines and tangents';

const [paneIndex, paneAbsorptionPerM, paneM] = [1.5, 20, 0.004];

/** Shares of the light that a pane of 45° lets through, and that it sends back. */
function paneShares(): { through: number; back: number } {
  const [incident, refracted] = [Math.PI / 4, Math.asin(Math.SQRT1_2 / paneIndex)];
  const passes = Math.exp((-paneAbsorptionPerM * paneM) / Math.cos(refracted));
  let [through, back] = [0, 0];
  for (const face of faceReflectances(incident, refracted)) {
    let inside = (1 - face) * passes;
    back += face / 2;
    // Each reflection inside sends a part out in front and one behind.
    for (let reflection = 0; reflection < 60; reflection += 1) {
      const isAtBack = reflection % 2 === 0;
      if (isAtBack) through += ((1 - face) * inside) / 2;
      else back += ((1 - face) * inside) / 2;
      inside *= face * passes;
    }
  }
  return { through, back };
}

const glass: Material = {
  reflectance: 0,
  surface: {
    kind: 'glass',
    refractiveIndex: paneIndex,
    absorptionPerM: paneAbsorptionPerM,
    thicknessM: paneM,
  },
};
const white: Material = { reflectance: 1 };

const throughGlass = forms({
  scene: plates([
    { material: glass, faceM: [5, 0, 0], yawDeg: 45, sizeM: [3, 3], isSheet: true },
    // The mirrored part leaves along −y: 9 m in all.
    { material: white, faceM: [5, -4, 0], yawDeg: -90, sizeM: [3, 3] },
    { material: white, faceM: [10, 0, 0] },
  ]),
  sensor: everyReturn,
  columns: ['intensity'],
  source: `${fresnel}; sum over 60 reflections inside the pane`,
  laws: [
    {
      name: 'glass at 45°: intensity of a wall behind it',
      statistic: ({ intensity }) => intensity[1] ?? NaN,
      expected: about(paneShares().through ** 2, rounding),
    },
    {
      name: 'glass at 45°: intensity of a wall mirrored in it',
      statistic: ({ intensity }) => intensity[0] ?? NaN,
      expected: about(paneShares().back ** 2, rounding),
    },
  ],
});

/** For both polarisations: sin²(i − r)/sin²(i + r) and tan²(i − r)/tan²(i + r). */
function faceReflectances(incidentRad: number, refractedRad: number): [number, number] {
  const [less, sum] = [incidentRad - refractedRad, incidentRad + refractedRad];
  return [(Math.sin(less) / Math.sin(sum)) ** 2, (Math.tan(less) / Math.tan(sum)) ** 2];
}

const [waterIndex, waterAbsorptionPerM, bottomReflectance] = [1.33, 0.3, 0.8];
const [sensorM, depthM] = [2, 1];

/** The path to the point at `atM` of the bottom that was hit. */
function waterPath(atM: number) {
  const crossingM = shortestCrossing(atM);
  const inWaterM = Math.hypot(depthM, atM - crossingM);
  const incident = Math.atan2(crossingM, sensorM);
  const refracted = Math.atan2(atM - crossingM, depthM);
  const [s, p] = faceReflectances(incident, refracted);
  return {
    opticalM: Math.hypot(sensorM, crossingM) + waterIndex * inWaterM,
    incident,
    refracted,
    // In and out of the face, and through the water both ways.
    comesBack: (1 - (s + p) / 2) ** 2 * Math.exp(-2 * waterAbsorptionPerM * inWaterM),
  };
}

const water: Material = {
  reflectance: 0,
  surface: {
    kind: 'water',
    refractiveIndex: waterIndex,
    absorptionPerM: waterAbsorptionPerM,
    depthM: 5,
  },
};

const throughWater = forms({
  scene: solids([
    { shape: { kind: 'plane', sizeM: [20, 20] }, material: water, positionM: [0, 0, 0] },
    {
      shape: { kind: 'box', sizeM: [20, 20, 0.1] },
      material: { reflectance: bottomReflectance },
      positionM: [0, 0, -depthM - 0.05],
    },
  ]),
  sensor: everyReturn,
  columns: ['range_m', 'intensity', 'amplitude', 'hit_x_m'],
  poses: [{ positionM: [0, 0, sensorM], rotation: rotationFromDegrees(0, 45, 0) }],
  laws: [
    {
      name: 'water: range to the bottom, along the optical path',
      statistic: ({ range_m: [measured = NaN], hit_x_m: [atM = NaN] }) => ({
        measured,
        expected: waterPath(atM).opticalM,
      }),
      tolerance: 1e-5,
      unit: 'm',
      source: 'Fermat 1662: the quickest path to the point that was hit',
    },
    {
      name: 'water: intensity of the bottom',
      statistic: ({ intensity: [measured = NaN], hit_x_m: [atM = NaN] }) => {
        const { refracted, comesBack } = waterPath(atM);
        return { measured, expected: bottomReflectance * Math.cos(refracted) * comesBack };
      },
      tolerance: 1e-5,
      source: `${fresnel}, out and back; Bouguer 1729`,
    },
    {
      name: 'water: amplitude of the bottom',
      statistic: ({ amplitude: [measured = NaN], hit_x_m: [atM = NaN] }) => {
        const { incident, comesBack } = waterPath(atM);
        const radiance = (bottomReflectance / waterIndex ** 2) * comesBack;
        return { measured, expected: radiance * anglePerArea(incident) };
      },
      tolerance: 1e-6,
      unit: '1/m²',
      source:
        'invariance of radiance/n² (Straubel 1902): the lit area of the bottom, by differences',
    },
  ],
});

/** Where the quickest path from the sensor to a point of the bottom crosses the face: by golden sections. */
function shortestCrossing(atM: number): number {
  const length = (x: number): number =>
    Math.hypot(sensorM, x) + waterIndex * Math.hypot(depthM, atM - x);
  const golden = (Math.sqrt(5) - 1) / 2;
  let [from, to] = [0, atM];
  for (let step = 0; step < 80; step += 1) {
    const [a, b] = [to - golden * (to - from), from + golden * (to - from)];
    if (length(a) < length(b)) to = b;
    else from = a;
  }
  return (from + to) / 2;
}

/** Solid angle of a thin beam from the sensor over the area that it lights on the bottom, 1/m²: (sin θ dθ)/(x dx). */
function anglePerArea(incidentRad: number): number {
  const atM = (rad: number): number =>
    sensorM * Math.tan(rad) + depthM * Math.tan(Math.asin(Math.sin(rad) / waterIndex));
  const step = 1e-5;
  const slope = (atM(incidentRad + step) - atM(incidentRad - step)) / (2 * step);
  return Math.sin(incidentRad) / (atM(incidentRad) * slope);
}

const leafReflectance = 0.45;

const leaf = forms({
  scene: plates([
    {
      material: { reflectance: leafReflectance, transmittance: 0.4 },
      faceM: [5, 0, 0],
      sizeM: [2, 2],
      isSheet: true,
    },
    { material: white, faceM: [10, 0, 0] },
  ]),
  sensor: everyReturn,
  columns: ['intensity'],
  source: 'Lambertian transmission: nothing goes straight through, source and receiver in front',
  laws: [
    { name: 'leaf: intensity', statistic: 'intensity', expected: leafReflectance, tolerance: 1e-6 },
    { name: 'leaf: returns, a wall behind it', statistic: 'rows', expected: 1 },
  ],
});

/** A sheet that is met head-on. */
function headOn(
  name: string,
  expected: number,
  source: string,
  material: Material,
  isBack = false,
): Measurement {
  return form({
    scene: plates([{ material, faceM: [5, 0, 0], sizeM: [2, 2], isSheet: true, isBack }]),
    sensor: singleLaser({ beam: singleRay }),

    name,
    statistic: 'intensity',
    expected: about(expected, 1e-6),
    source,
  });
}

/** 1/n² of the diffuse light in the film leaves, the rest meets the surface again. */
function underFilm(reflectance: number): number {
  const leaves = 1 / 1.33 ** 2;
  let [wet, inside] = [0, reflectance];
  for (let crossing = 0; crossing < 200; crossing += 1) {
    wet += leaves * inside;
    inside *= (1 - leaves) * reflectance;
  }
  return wet;
}

const angstrom = 'Ångström 1925, as a series of crossings of the film';
const sign: Material = {
  reflectance: 0.4,
  surface: { kind: 'retroreflector', gain: 100, halfWidthDeg: 20 },
};

export const transparent = formsPiece({
  name: 'transparent',
  ours: 'Glass: a pane of 45° before a wall, another wall beside it. Water: a level face 1 m above its bottom, met at 45°. A leaf before a wall, a wet plate, a retro-reflector from behind. One ray each.',
  rows: [
    throughGlass,
    throughWater,
    leaf,
    headOn('wet surface, half of it under a film', 0.5 * 0.3 + 0.5 * underFilm(0.3), angstrom, {
      reflectance: 0.3,
      wetness: 0.5,
    }),
    headOn('wet surface, all of it under a film', underFilm(0.5), angstrom, {
      reflectance: 0.5,
      wetness: 1,
    }),
    headOn('retro-reflector from behind', 0.4, 'Lambert 1760: the back is diffuse', sign, true),
  ],
});
