// Lambert's law and that of Oren and Nayar: on plates at an angle, and in the mean over the disc of a sphere.
import type { SceneInput } from '#contract/documents/scenario.ts';
import { degrees, radians } from '#domain/shared/numbers.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import type { ValidationBench } from '../bench.ts';
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fire, turnedLeft } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { rayImage, singleLaser, singleRay } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

type Material = NonNullable<SceneInput['materials']>[string];

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

export const diffuse: Piece = {
  name: 'diffuse',
  async run(bench) {
    const forms: ClosedForm[] = [];
    for (const [path, beam] of [
      ['nine rays, fast path', {}],
      ['one ray', singleRay],
    ] as const) {
      forms.push(await worstAngle(bench, `lambertian at 0 to 75°, ${path}`, lambertian, beam));
    }
    forms.push(await worstAngle(bench, 'oren-nayar at 0 to 75°, one ray', rough, singleRay));
    forms.push(await sphereMean(bench, 'lambertian', lambertian, reflectance * (2 / 3)));
    // Over the disc sin² θ is the square of the distance from its centre: 1/2 in the mean; cos θ is 2/3.
    const { a, b } = roughConstants();
    const ofRough = reflectance * ((2 / 3) * a + b / 2);
    forms.push(await sphereMean(bench, 'oren-nayar', rough, ofRough));
    return formsPart(
      `Diffuse surfaces: a plate ${plateM} m ahead, turned by ${anglesDeg.join(', ')}°, and a sphere so far away that its rays are parallel; reflectance ${reflectance}, roughness ${roughnessDeg}°.`,
      forms,
    );
  },
};

/** The intensity farthest from what was expected, of all angles. */
async function worstAngle(
  bench: ValidationBench,
  name: string,
  material: Material,
  beam: Parameters<typeof singleLaser>[0]['beam'],
): Promise<ClosedForm> {
  const isRough = material === rough;
  const found: { measured: number; expected: number }[] = [];
  for (const yawDeg of anglesDeg) {
    await buildPlates(bench, { grey: material }, [
      { material: 'grey', faceM: [plateM, 0, 0], yawDeg },
    ]);
    const { columns, rangeM } = await nearestOf(bench, beam);
    // The plane's distance from the sensor over the range along the ray: the cosine without an angle.
    const acrossM = plateM * Math.cos(radians(yawDeg));
    const expected = isRough
      ? reflectance * roughByVectors(yawDeg)
      : (reflectance * acrossM) / rangeM;
    found.push({ measured: columns, expected });
  }
  const error = ({ measured, expected }: (typeof found)[number]): number =>
    Math.abs(measured - expected);
  const worst = found.reduce((most, each) => (error(each) > error(most) ? each : most));
  return closedForm(name, {
    ...worst,
    tolerance: rounding,
    source: isRough
      ? 'Oren and Nayar 1994, eq. 30, for general directions by vectors'
      : 'Lambert 1760; cosine as distance of the plane over range',
  });
}

async function nearestOf(
  bench: ValidationBench,
  beam: Parameters<typeof singleLaser>[0]['beam'],
): Promise<{ columns: number; rangeM: number }> {
  const { intensity, range_m: rangesM } = await fire(
    bench,
    singleLaser({ ...(beam !== undefined && { beam }) }),
    ['intensity', 'range_m'],
    { pose: turnedLeft(0) },
  );
  return { columns: intensity[0] ?? NaN, rangeM: rangesM[0] ?? NaN };
}

function roughConstants(): { a: number; b: number } {
  const variance = radians(roughnessDeg) ** 2;
  return { a: 1 - (0.5 * variance) / (variance + 0.33), b: (0.45 * variance) / (variance + 0.09) };
}

/**
 * L/L_white of equation 30 for any directions of light and view, here both along −x before a plate with the normal n:
 * cos i·(A + B·max(0, cos(φr − φi))·sin α·tan β). The azimuths come from the directions' parts within the plate.
 */
function roughByVectors(yawDeg: number): number {
  const { a, b } = roughConstants();
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

async function sphereMean(
  bench: ValidationBench,
  kind: string,
  material: Material,
  expected: number,
): Promise<ClosedForm> {
  await bench.build(
    await bench.scene(
      {
        materials: { grey: material },
        models: { ball: { kind: 'sphere', radiusM, rings, material: 'grey' } },
        instances: [{ name: 'ball', model: 'ball', positionM: [sphereM, 0, 0], onGround: false }],
      },
      1,
    ),
  );
  const fovDeg = degrees(2 * Math.atan((1.25 * radiusM) / sphereM));
  const sensor = await bench.sensor(rayImage(spherePixels, spherePixels, fovDeg));
  const { columns } = await bench.scan({
    sensor,
    trajectory: stationary({ positionM: [0, 0, 0], rotation: [0, 0, 0, 1] }),
    toNs: 1e8,
    seed: 1,
    columns: ['intensity'],
  });
  const sum = columns.intensity.reduce((before, each) => before + each, 0);
  return closedForm(`${kind} sphere: mean over its disc`, {
    measured: sum / columns.intensity.length,
    expected,
    tolerance: sphereTolerance,
    source:
      kind === 'lambertian'
        ? 'Lambert 1760: the mean over the disc of a full sphere is 2/3 of ρ'
        : 'Oren and Nayar 1994, eq. 30, integrated: ρ(2A/3 + B/2)',
  });
}

function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
