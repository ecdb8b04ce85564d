// Values that are known beforehand: the inside of a cube, six rays and two boxes, a reflectance in decibels.
import type { Pose } from '#contract/host/run.ts';
import { quaternionOf, type Vector3 } from '#domain/shared/pose.ts';
import { about, form, forms, type Measurement } from '../closedForm.ts';
import { formsPiece, greatest } from '../parts.ts';
import { solids } from '../scenes.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { boxBody, entryOf } from './convexBody.ts';

const boxSizeM: Vector3 = [4, 4, 4];
const ray = singleLaser({ beam: singleRay, returns: { mode: 'closest' } });

/** Directions as they are given: not unit vectors. */
const rays: { name: string; fromM: Vector3; to: Vector3 }[] = [
  { name: 'r1', fromM: [6, 6, 9], to: [0, 0, -1] },
  { name: 'r2', fromM: [-6, 6, 6], to: [1, 0, 0] },
  { name: 'r3', fromM: [-6, 4, -5.5], to: [0.968, 0.061, 0.242] },
  { name: 'r4', fromM: [2, 4, -10], to: [0.371, 0.019, 0.928] },
  { name: 'r5', fromM: [9, 4, -10], to: [0.707, 0.035, 0.707] },
  { name: 'r6', fromM: [6, 6, 9], to: [0, 0, 1] },
];

const axes: Vector3[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

function box(centreM: Vector3, sizeM: Vector3, reflectance = 0.5): ReturnType<typeof solids> {
  return solids([{ shape: { kind: 'box', sizeM }, material: { reflectance }, positionM: centreM }]);
}

function aimed({ fromM, to }: { fromM: Vector3; to: Vector3 }): Pose {
  const [x, y, z] = unit(to);
  const attitude = { yawRad: Math.atan2(y, x), pitchRad: -Math.asin(z), rollRad: 0 };
  return { positionM: fromM, rotation: quaternionOf(attitude) };
}

function unit(vector: Vector3): Vector3 {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}

function boxRow(index: number, centreM: Vector3, hitBy: readonly string[]): Measurement {
  const name = `box ${index}, hit by ${hitBy.join(', ')} of r1 … r6`;
  return forms({
    scene: box(centreM, boxSizeM),
    sensor: ray,
    columns: ['range_m'],
    poses: rays.map(aimed),
    source: 'slabs: where a ray enters a box',
    laws: [
      {
        name: `${name}: rays as listed`,
        comparison: 'equal',
        statistic: ({ range_m: rangesM }) =>
          rays.filter((each, n) => hitBy.includes(each.name) === Number.isFinite(rangesM[n]))
            .length,
        expected: rays.length,
      },
      {
        name: `${name}: greatest error of range`,
        statistic: ({ range_m: rangesM }) =>
          greatest(
            rays.flatMap(({ fromM, to }, n) => {
              const entry = entryOf(boxBody(centreM, boxSizeM), fromM, unit(to));
              return entry === null ? [] : [(rangesM[n] ?? NaN) - entry.rangeM];
            }),
          ),
        expected: about(0, 1e-4, 'm'),
      },
    ],
  });
}

export const expectedValues = formsPiece({
  name: 'expected-values',
  ours: 'Expected values: a unit cube around the sensor is 0.5 m away along each axis; boxes of 4 m about (6, 6, 6) and (6, 6, −2) are hit by the rays listed, each box alone; a reflectance of 0.45 met head-on is −3.47 dB.',
  rows: [
    form({
      name: 'unit cube around the sensor, along the axes: range',
      scene: box([0, 0, 0], [1, 1, 1]),
      sensor: ray,
      columns: ['range_m'],
      poses: axes.map((to) => aimed({ fromM: [0, 0, 0], to })),
      statistic: ({ range_m: rangesM }) => 0.5 + greatest(rangesM.map((each) => each - 0.5)),
      // Ranges are 32-bit: half a unit in the last place of 0.5 is 3e-8.
      expected: about(0.5, 1e-6, 'm'),
      source: 'half of the edge',
    }),
    boxRow(1, [6, 6, 6], ['r1', 'r2', 'r4']),
    boxRow(2, [6, 6, -2], ['r1', 'r3', 'r4']),
    form({
      name: 'reflectance 0.45, head-on',
      scene: box([6, 0, 0], [2, 2, 2], 0.45),
      sensor: ray,
      columns: ['intensity'],
      statistic: ({ intensity: [value = NaN] }) => 10 * Math.log10(value),
      // As printed, to the last digit.
      expected: about(-3.47, 0.005, 'dB'),
      source: '10·log10 0.45',
    }),
  ],
});
