// Lambert's law and that of Oren and Nayar: on plates at an angle, and in the mean over the disc of a sphere.
import type { SensorInput } from '#contract/documents/sensor.ts';
import { degrees, radians } from '#domain/shared/numbers.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { mean } from '#domain/shared/statistics.ts';
import { about, closedForm, form, worst, type Measurement } from '../closedForm.ts';
import { formsPiece } from '../parts.ts';
import { solids, wall, type Material } from '../scenes.ts';
import { rayImage, singleLaser, singleRay } from '../simpleSensors.ts';
import { atRest } from '../trajectories.ts';

const reflectance = 0.6;
const plateM = 10;
const anglesDeg = [0, 20, 40, 60, 75];
const roughnessDeg = 30;
/** 32-bit cosines and intensities below 1, several roundings of 6e-8 each. */
const rounding = 5e-7;

/** Wide and far, so that its rays are nearly parallel: 1 m at 300 m spans 3 mrad, whose square is lost. */
const [sphereM, radiusM, rings] = [300, 1, 64];
const spherePixels = 200;
/**
 * A sphere of n rings has facets whose normals lie up to π/(2n) off those of the sphere, and whose outline lies inside
 * its circle by up to (π/2n)²/2: together below 2 (π/2n)² = 1.2e-3 of the mean; the edge of a disc of about 160 pixels
 * adds the scatter of 500 pixels of 20,000 (√500/20,000 = 1.1e-3 of dark pixels).
 */
const sphereTolerance = 2.5e-3 * reflectance;

const lambertian: Material = { reflectance };
const rough: Material = { reflectance, surface: { kind: 'oren-nayar', roughnessDeg } };
const variance = radians(roughnessDeg) ** 2;
const a = 1 - (0.5 * variance) / (variance + 0.33);
const b = (0.45 * variance) / (variance + 0.09);

/** The plane's distance from the sensor over the range along the ray: the cosine without an angle. */
const lambert = (yawDeg: number, rangeM: number): number =>
  (reflectance * plateM * Math.cos(radians(yawDeg))) / rangeM;
const byDistance = 'Lambert 1760; cosine as distance of the plane over range';

/** The intensity farthest from what was expected, of all angles. */
function worstAngle(
  name: string,
  source: string,
  material: Material,
  expectedOf: (yawDeg: number, rangeM: number) => number,
  beam: Partial<SensorInput['beam']> = singleRay,
): Measurement {
  return async ({ fire }) => {
    const found: { measured: number; expected: number }[] = [];
    for (const yawDeg of anglesDeg) {
      const { intensity, range_m: rangesM } = await fire({
        scene: wall(material, plateM, yawDeg),
        sensor: singleLaser({ beam }),
        columns: ['intensity', 'range_m'],
      });
      const expected = expectedOf(yawDeg, rangesM[0] ?? NaN);
      found.push({ measured: intensity[0] ?? NaN, expected });
    }
    return [closedForm({ name, tolerance: rounding, source }, worst(found))];
  };
}

function sphereMean(
  kind: string,
  source: string,
  material: Material,
  expected: number,
): Measurement {
  const shape = { kind: 'sphere', radiusM, rings } as const;
  const fovDeg = degrees(2 * Math.atan((1.25 * radiusM) / sphereM));
  return form({
    name: `${kind} sphere: mean over its disc`,
    scene: solids([{ shape, material, positionM: [sphereM, 0, 0] }]),
    sensor: rayImage(spherePixels, spherePixels, fovDeg),
    columns: ['intensity'],
    path: atRest(0.1),
    statistic: ({ intensity }) => mean(intensity),
    expected: about(expected, sphereTolerance),
    source,
  });
}

export const diffuse = formsPiece({
  name: 'diffuse',
  catches: ['cosine-squared', 'oren-nayar-sine'],
  ours: `Diffuse surfaces: a plate ${plateM} m ahead, turned by ${anglesDeg.join(', ')}°, and a sphere so far away that its rays are parallel; reflectance ${reflectance}, roughness ${roughnessDeg}°.`,
  rows: [
    worstAngle('lambertian at 0 to 75°, nine rays, fast path', byDistance, lambertian, lambert, {}),
    worstAngle('lambertian at 0 to 75°, one ray', byDistance, lambertian, lambert),
    worstAngle(
      'oren-nayar at 0 to 75°, one ray',
      'Oren and Nayar 1994, eq. 30, for general directions by vectors',
      rough,
      (yawDeg) => reflectance * roughByVectors(yawDeg),
    ),
    sphereMean(
      'lambertian',
      'Lambert 1760: the mean over the disc of a full sphere is 2/3 of ρ',
      lambertian,
      reflectance * (2 / 3),
    ),
    // Over the disc sin² θ is the square of the distance from its centre: 1/2 in the mean; cos θ is 2/3.
    sphereMean(
      'oren-nayar',
      'Oren and Nayar 1994, eq. 30, integrated: ρ(2A/3 + B/2)',
      rough,
      reflectance * ((2 / 3) * a + b / 2),
    ),
  ],
});

/**
 * L/L_white of equation 30 for any directions of light and view, here both along −x before a plate with the normal n:
 * cos i·(A + B·max(0, cos(φr − φi))·sin α·tan β). The azimuths come from the directions' parts within the plate.
 */
function roughByVectors(yawDeg: number): number {
  const normal: Vector3 = [-Math.cos(radians(yawDeg)), -Math.sin(radians(yawDeg)), 0];
  const light: Vector3 = [-1, 0, 0];
  const view = light;
  const within = (direction: Vector3): Vector3 => {
    const along = dot(direction, normal);
    return direction.map((each, axis) => each - along * (normal[axis] ?? NaN)) as Vector3;
  };
  const [lightWithin, viewWithin] = [within(light), within(view)];
  const lengths = Math.hypot(...lightWithin) * Math.hypot(...viewWithin);
  const cosAzimuth = lengths === 0 ? 0 : dot(lightWithin, viewWithin) / lengths;
  const [i, r] = [Math.acos(dot(light, normal)), Math.acos(dot(view, normal))];
  const roughPart =
    b * Math.max(0, cosAzimuth) * Math.sin(Math.max(i, r)) * Math.tan(Math.min(i, r));
  return Math.cos(i) * (a + roughPart);
}

function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
