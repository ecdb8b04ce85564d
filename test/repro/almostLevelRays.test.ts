// Embree's coherent traversal lost rays of packets with a component of the direction that is negative and almost 0:
// of a beam of 1000 rays on a sphere two went through its middle, one of them 9e-19 below the level.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { circularBeam, placed, scenario, sensor } from '#test/support/documents.ts';
import { csvRows, scanned } from '#test/support/scan.ts';

const scene = scenario({
  models: { ball: { kind: 'sphere', radiusM: 1.2, rings: 9, material: 'grey' } },
  instances: [placed('ball', [8, -0.2, 0.1])],
});
const wide = sensor({
  beam: circularBeam(400, 1000),
  returns: { mode: 'first', signalCutoffM: 100 },
});

/** Rays that pass 1 m ahead within this of the way to the sphere's middle cannot miss it. */
const withinM = 0.1;

it('no ray of a beam goes through a sphere', async () => {
  const options = ['--rays', 'rays.csv', '--misses'];
  const { folder } = await scanned({ scene, sensor: wide, columns: 'range_m', options });
  const rays = csvRows(join(folder, 'rays.csv')).map((row) => {
    const { left_m: left = NaN, up_m: up = NaN, range_m: rangeM = NaN } = row;
    return { offM: Math.hypot(left + 0.2 / 8, up - 0.1 / 8), rangeM };
  });
  expect(rays).toHaveLength(1000);
  const central = rays.filter(({ offM }) => offM < withinM);
  expect(central.length).toBeGreaterThan(200);
  expect(central.filter(({ rangeM }) => !(rangeM < 8))).toEqual([]);
});
