// Values that are known beforehand: the inside of a cube, six rays and two boxes, a reflectance in decibels.
import type { SceneInput } from '#contract/documents/scenario.ts';
import { boxBody, entryOf } from './convexBody.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { quaternionOf } from '#domain/shared/pose.ts';
import type { ValidationBench } from '../bench.ts';
import { equal, within } from '../criteria.ts';
import { greatest, type Piece } from '../parts.ts';
import { laserSlotNs, singleLaser, singleRay } from '../simpleSensors.ts';
import { poseByPose } from '../trajectories.ts';

const boxSizeM: Vector3 = [4, 4, 4];
const boxes = [
  { centreM: [6, 6, 6] as Vector3, hitBy: ['r1', 'r2', 'r4'] },
  { centreM: [6, 6, -2] as Vector3, hitBy: ['r1', 'r3', 'r4'] },
];

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

export const expectedValues: Piece = {
  name: 'expected-values',
  async run(bench) {
    await bench.build(await bench.scene(boxScene([0, 0, 0], [1, 1, 1]), 1));
    const inside = await fire(
      bench,
      axes.map((to) => ({ fromM: [0, 0, 0], to })),
    );
    const cubeErrors = inside.map(({ rangeM }) => rangeM - 0.5);
    const criteria = [
      // Ranges are 32-bit: half a unit in the last place of 0.5 is 3e-8.
      within(
        'unit cube around the sensor, along the axes: range',
        0.5 + greatest(cubeErrors),
        0.5,
        1e-6,
        'm',
      ),
    ];
    for (const [index, { centreM, hitBy }] of boxes.entries()) {
      await bench.build(await bench.scene(boxScene(centreM, boxSizeM), 1));
      const found = await fire(bench, rays);
      const asListed = rays.filter(
        ({ name }, n) => hitBy.includes(name) === Number.isFinite(found[n]?.rangeM),
      );
      const errors = rays.flatMap(({ fromM, to }, n) => {
        const expected = entryOf(boxBody(centreM, boxSizeM), fromM, unit(to));
        return expected === null ? [] : [(found[n]?.rangeM ?? NaN) - expected.rangeM];
      });
      const name = `box ${index + 1}, hit by ${hitBy.join(', ')} of r1 … r6`;
      criteria.push(
        equal(`${name}: rays as listed`, asListed.length, rays.length),
        within(`${name}: greatest error of range`, greatest(errors), 0, 1e-4, 'm'),
      );
    }
    await bench.build(await bench.scene(boxScene([6, 0, 0], [2, 2, 2], 0.45), 1));
    const [bright] = await fire(bench, [{ fromM: [0, 0, 0], to: [1, 0, 0] }]);
    const decibels = 10 * Math.log10(bright?.intensity ?? NaN);
    // As printed, to the last digit.
    criteria.push(within('reflectance 0.45, head-on', decibels, -3.47, 0.005, 'dB'));
    return {
      ours: [
        'Expected values: a unit cube around the sensor is 0.5 m away along each axis; boxes of 4 m about (6, 6, 6) and (6, 6, −2) are hit by the rays listed, each box alone; a reflectance of 0.45 met head-on is −3.47 dB.',
      ],
      criteria,
    };
  },
};

/** One single ray for each pose of a scan. NaN where nothing was met. */
async function fire(
  bench: ValidationBench,
  shots: readonly { fromM: Vector3; to: Vector3 }[],
): Promise<{ rangeM: number; intensity: number }[]> {
  const sensor = await bench.sensor(singleLaser({ beam: singleRay, returns: { mode: 'closest' } }));
  const poses = shots.map(({ fromM, to }) => {
    const [x, y, z] = unit(to);
    const yawRad = Math.atan2(y, x);
    const pitchRad = -Math.asin(z);
    return { positionM: fromM, rotation: quaternionOf({ yawRad, pitchRad, rollRad: 0 }) };
  });
  const { columns } = await bench.scan({
    sensor,
    trajectory: poseByPose(poses, laserSlotNs),
    toNs: poses.length * laserSlotNs,
    seed: 1,
    columns: ['range_m', 'intensity'],
    misses: true,
  });
  return shots.map((_, row) => ({
    rangeM: columns.range_m[row] ?? NaN,
    intensity: columns.intensity[row] ?? NaN,
  }));
}

function boxScene(centreM: Vector3, sizeM: Vector3, reflectance = 0.5): SceneInput {
  return {
    materials: { grey: { reflectance } },
    models: { box: { kind: 'box', sizeM, material: 'grey' } },
    instances: [{ name: 'box', model: 'box', positionM: centreM, onGround: false }],
  };
}

function unit(vector: Vector3): Vector3 {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}
