// Mirrors by the law of images: what is seen in a plane mirror lies where the mirrored scene would be, at that range
// and at that angle to the ray that left the sensor.
import { radians } from '#domain/shared/numbers.ts';
import { closedForm, formsPart, type ClosedForm } from '../closedForm.ts';
import { buildPlates, fireFrom, turnedLeft } from '../laboratory.ts';
import type { Piece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';

type Point = readonly [xM: number, yM: number];

/** The mirror passes through (5, 0) and is turned by this: a ray along x leaves at twice the angle. */
const mirrorDeg = -40;
const mirrorAtM: Point = [5, 0];
/** The wall that is seen in it passes through this point, across the line from the mirror. */
const wallAtM: Point = [4, 6];
const wallYawDeg = 70;
const reflectance = 0.5;
const fanDeg = [-4, -2, 0, 2, 4];

export const mirrorImage: Piece = {
  name: 'mirror-image',
  async run(bench) {
    await buildPlates(
      bench,
      { grey: { reflectance }, mirror: { reflectance: 1, surface: { kind: 'mirror' } } },
      [
        { material: 'mirror', faceM: [...mirrorAtM, 0], sizeM: [4, 4], yawDeg: mirrorDeg },
        { material: 'grey', faceM: [...wallAtM, 0], sizeM: [20, 4], yawDeg: wallYawDeg },
      ],
    );
    const { range_m: rangesM, intensity } = await fireFrom(
      bench,
      singleLaser({ beam: singleRay, returns: { mode: 'closest' } }),
      ['range_m', 'intensity'],
      fanDeg.map(turnedLeft),
    );
    // The image of the wall's plane: its point and its normal, mirrored.
    const mirrorNormal = normalAt(mirrorDeg);
    const point = mirrored(wallAtM, mirrorAtM, mirrorNormal);
    const normal = mirrored(normalAt(wallYawDeg), [0, 0], mirrorNormal);
    const errors = fanDeg.map((yawDeg, n) => {
      const ray: Point = [Math.cos(radians(yawDeg)), Math.sin(radians(yawDeg))];
      const along = dot(ray, normal);
      const rangeM = dot(point, normal) / along;
      return {
        rangeM: (rangesM[n] ?? NaN) - rangeM,
        intensity: (intensity[n] ?? NaN) - reflectance * Math.abs(along),
      };
    });
    const worst = (of: 'rangeM' | 'intensity'): number =>
      errors.map((error) => error[of]).reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a));
    const source = 'law of images: the mirrored plane, met by the straight ray';
    const forms: ClosedForm[] = [
      // Lifted off the mirror by 2⁻²⁰ of 12 m, and 32-bit lengths of two legs.
      closedForm('mirror: range to a wall seen in it, difference', {
        measured: worst('rangeM'),
        expected: 0,
        tolerance: 3e-5,
        unit: 'm',
        source,
      }),
      closedForm('mirror: intensity of a wall seen in it, difference', {
        measured: worst('intensity'),
        expected: 0,
        tolerance: 1e-6,
        source,
      }),
    ];
    return formsPart(
      `Mirror: a plane mirror turned by ${-mirrorDeg}° and a wall seen in it, five rays.`,
      forms,
    );
  },
};

/** Normal of a plate turned by `yawDeg`, away from the sensor. */
function normalAt(yawDeg: number): Point {
  return [Math.cos(radians(yawDeg)), Math.sin(radians(yawDeg))];
}

function mirrored(point: Point, at: Point, normal: Point): Point {
  const height = dot([point[0] - at[0], point[1] - at[1]], normal);
  return [point[0] - 2 * height * normal[0], point[1] - 2 * height * normal[1]];
}

function dot(a: Point, b: Point): number {
  return a[0] * b[0] + a[1] * b[1];
}
