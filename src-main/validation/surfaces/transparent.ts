// Glass, water, leaves, wet surfaces and the backs of retro-reflectors: sums over the reflections inside a pane,
// Fermat's principle, Fresnel's law of sines and tangents, a series of crossings of a film.
import type { SceneInput } from '#contract/documents/scenario.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire, fireFrom, type Plate } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

type Material = NonNullable<SceneInput['materials']>[string];

/** 32-bit directions, cosines and intensities below 1. */
const rounding = 2e-6;
const everyReturn = { mode: 'all' as const, maxReturns: 8, rangeResolutionM: 0.1 };
const fresnel = 'Fresnel 1823, laws of sines and tangents';

export const transparent: Piece = {
  name: 'transparent',
  async run(bench) {
    const forms = [
      ...(await glassForms(bench)),
      ...(await waterForms(bench)),
      ...(await leafForms(bench)),
      await wetForm(bench),
      await backForm(bench),
    ];
    return formsPart(
      'Glass: a pane of 45° before a wall, another wall beside it. Water: a level face 1 m above its bottom, met at 45°. A leaf before a wall, a wet plate, a retro-reflector from behind. One ray each.',
      forms,
    );
  },
};

const [paneIndex, paneAbsorptionPerM, paneM] = [1.5, 20, 0.004];

async function glassForms(bench: ValidationBench): Promise<ClosedForm[]> {
  const glass: Material = {
    reflectance: 0,
    surface: {
      kind: 'glass',
      refractiveIndex: paneIndex,
      absorptionPerM: paneAbsorptionPerM,
      thicknessM: paneM,
    },
  };
  await buildPlates(bench, { glass, white: { reflectance: 1 } }, [
    { material: 'glass', faceM: [5, 0, 0], yawDeg: 45, sizeM: [3, 3], isSheet: true },
    // The mirrored part leaves along −y: 9 m in all.
    { material: 'white', faceM: [5, -4, 0], yawDeg: -90, sizeM: [3, 3] },
    { material: 'white', faceM: [10, 0, 0] },
  ]);
  const { intensity } = await fire(bench, singleLaser({ beam: singleRay, returns: everyReturn }), [
    'intensity',
  ]);
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
  const source = `${fresnel}; sum over 60 reflections inside the pane`;
  return [
    closedForm('glass at 45°: intensity of a wall behind it', {
      measured: intensity[1] ?? NaN,
      expected: through ** 2,
      tolerance: rounding,
      source,
    }),
    closedForm('glass at 45°: intensity of a wall mirrored in it', {
      measured: intensity[0] ?? NaN,
      expected: back ** 2,
      tolerance: rounding,
      source,
    }),
  ];
}

/** For both polarisations: sin²(i − r)/sin²(i + r) and tan²(i − r)/tan²(i + r). */
function faceReflectances(incidentRad: number, refractedRad: number): [number, number] {
  const [less, sum] = [incidentRad - refractedRad, incidentRad + refractedRad];
  return [(Math.sin(less) / Math.sin(sum)) ** 2, (Math.tan(less) / Math.tan(sum)) ** 2];
}

const [waterIndex, waterAbsorptionPerM, bottomReflectance] = [1.33, 0.3, 0.8];
const [sensorM, depthM] = [2, 1];

async function waterForms(bench: ValidationBench): Promise<ClosedForm[]> {
  const surface = {
    kind: 'water' as const,
    refractiveIndex: waterIndex,
    absorptionPerM: waterAbsorptionPerM,
    depthM: 5,
  };
  await bench.build(
    await bench.scene(
      {
        materials: {
          water: { reflectance: 0, surface },
          sand: { reflectance: bottomReflectance },
        },
        models: {
          face: { kind: 'plane', sizeM: [20, 20], material: 'water' },
          bottom: { kind: 'box', sizeM: [20, 20, 0.1], material: 'sand' },
        },
        instances: [
          { name: 'face', model: 'face', positionM: [0, 0, 0], onGround: false },
          { name: 'bottom', model: 'bottom', positionM: [0, 0, -depthM - 0.05], onGround: false },
        ],
      },
      1,
    ),
  );
  const columns = await fireFrom(
    bench,
    singleLaser({ beam: singleRay, returns: everyReturn }),
    ['range_m', 'intensity', 'amplitude', 'hit_x_m'],
    [{ positionM: [0, 0, sensorM], rotation: rotationFromDegrees(0, 45, 0) }],
  );
  const atM = columns.hit_x_m[0] ?? NaN;
  const crossingM = shortestCrossing(atM);
  const inWaterM = Math.hypot(depthM, atM - crossingM);
  const incident = Math.atan2(crossingM, sensorM);
  const refracted = Math.atan2(atM - crossingM, depthM);
  const [s, p] = faceReflectances(incident, refracted);
  const enters = 1 - (s + p) / 2;
  return [
    closedForm('water: range to the bottom, along the optical path', {
      measured: columns.range_m[0] ?? NaN,
      expected: Math.hypot(sensorM, crossingM) + waterIndex * inWaterM,
      tolerance: 1e-5,
      unit: 'm',
      source: 'Fermat 1662: the quickest path to the point that was hit',
    }),
    closedForm('water: intensity of the bottom', {
      measured: columns.intensity[0] ?? NaN,
      expected:
        bottomReflectance *
        Math.cos(refracted) *
        enters ** 2 *
        Math.exp(-2 * waterAbsorptionPerM * inWaterM),
      tolerance: 1e-5,
      source: `${fresnel}, out and back; Bouguer 1729`,
    }),
    closedForm('water: amplitude of the bottom', {
      measured: columns.amplitude[0] ?? NaN,
      expected:
        ((bottomReflectance * enters ** 2) / waterIndex ** 2) *
        Math.exp(-2 * waterAbsorptionPerM * inWaterM) *
        anglePerArea(incident),
      tolerance: 1e-6,
      unit: '1/m²',
      source:
        'invariance of radiance/n² (Straubel 1902): the lit area of the bottom, by differences',
    }),
  ];
}

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

async function leafForms(bench: ValidationBench): Promise<ClosedForm[]> {
  const [reflectance, transmittance] = [0.45, 0.4];
  await buildPlates(bench, { leaf: { reflectance, transmittance }, white: { reflectance: 1 } }, [
    { material: 'leaf', faceM: [5, 0, 0], sizeM: [2, 2], isSheet: true },
    { material: 'white', faceM: [10, 0, 0] },
  ]);
  const { intensity } = await fire(bench, singleLaser({ beam: singleRay, returns: everyReturn }), [
    'intensity',
  ]);
  const source =
    'Lambertian transmission: nothing goes straight through, source and receiver in front';
  return [
    closedForm('leaf: intensity', {
      measured: intensity[0] ?? NaN,
      expected: reflectance,
      tolerance: 1e-6,
      source,
    }),
    closedForm('leaf: returns, a wall behind it', {
      measured: intensity.length,
      expected: 1,
      source,
    }),
  ];
}

async function wetForm(bench: ValidationBench): Promise<ClosedForm> {
  const [reflectance, wetness] = [0.3, 0.5];
  const measured = await headOn(bench, { reflectance, wetness }, {});
  // 1/n² of the diffuse light in the film leaves, the rest meets the surface again.
  const leaves = 1 / 1.33 ** 2;
  let [wet, inside] = [0, reflectance];
  for (let crossing = 0; crossing < 200; crossing += 1) {
    wet += leaves * inside;
    inside *= (1 - leaves) * reflectance;
  }
  return closedForm('wet surface, half of it under a film', {
    measured,
    expected: (1 - wetness) * reflectance + wetness * wet,
    tolerance: 1e-6,
    source: 'Ångström 1925, as a series of crossings of the film',
  });
}

async function backForm(bench: ValidationBench): Promise<ClosedForm> {
  const reflectance = 0.4;
  const sign: Material = {
    reflectance,
    surface: { kind: 'retroreflector', gain: 100, halfWidthDeg: 20 },
  };
  return closedForm('retro-reflector from behind', {
    measured: await headOn(bench, sign, { isBack: true }),
    expected: reflectance,
    tolerance: 1e-6,
    source: 'Lambert 1760: the back is diffuse',
  });
}

/** Intensity of a sheet that is met head-on. */
async function headOn(
  bench: ValidationBench,
  material: Material,
  plate: Partial<Plate>,
): Promise<number> {
  await buildPlates(bench, { material }, [
    { material: 'material', faceM: [5, 0, 0], sizeM: [2, 2], isSheet: true, ...plate },
  ]);
  const { intensity } = await fire(bench, singleLaser({ beam: singleRay }), ['intensity']);
  return intensity[0] ?? NaN;
}
