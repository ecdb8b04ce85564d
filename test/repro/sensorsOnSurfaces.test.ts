// A sensor exactly on a surface was shut in by it: pulses that left the ground upwards met it at range 0, and with a
// minimum range yielded nothing.
import { expect, it } from 'vitest';
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { ReturnMode } from '#contract/documents/sensorReturns.ts';
import { circularBeam, flatGround, placed, scenario, sensor } from '#test/support/documents.ts';
import { scanned } from '#test/support/scan.ts';

// Ground at z = 0, a ceiling at z = 5; walls through the sensor's place.
const scene = (transmittance: number): string =>
  scenario({
    materials: { white: { reflectance: 0.5, transmittance } },
    models: { sheet: { kind: 'plane', sizeM: [100, 100], material: 'white' } },
    instances: [placed('sheet', [0, 0, 5])],
    ground: flatGround(100, 'white'),
  });

type Image = Partial<Extract<SensorInput['scan'], { kind: 'image' }>>;

const camera = (
  minM: number,
  rays: number | undefined,
  mode: ReturnMode,
  image: Image = {},
): string =>
  sensor({
    scan: { kind: 'image', rateHz: 10, columns: 4, rows: 4, horizontalFovDeg: 40, ...image },
    range: { minM, maxM: 100 },
    beam: circularBeam(3, rays),
    returns: { mode, signalCutoffM: 0.1 },
  });

it.each([
  ['on the fast path', 0, undefined, 'strongest', 0],
  ['with a minimum range', 0.5, undefined, 'strongest', 0],
  ['ray by ray', 0.5, 4, 'first', 0],
  ['between sheets that let light through', 0, undefined, 'strongest', 0.5],
] as const)('a sensor on the ground looks up: %s', async (_, minM, rays, mode, transmittance) => {
  const { rows } = await scanned({
    scene: scene(transmittance),
    sensor: camera(minM, rays, mode),
    pose: [3, 4, 0, 20, -90],
    columns: 'elevation_rad,true_range_m',
  });
  expect(rows).toHaveLength(16);
  // Straight up is 5 m, 20° and 20° off it 5 / cos² 20° = 5.66 m.
  for (const { true_range_m: range } of rows) {
    expect(range).toBeGreaterThan(5);
    expect(range).toBeLessThan(5.7);
  }
});

// A face that is turned, far from the origin: its corners and the sensor's place are rounded apart, and a ray at a small
// angle to it met it some centimetres away.
it.each([
  ['strongest', undefined],
  ['first', 4],
] as const)(
  'a sensor on a turned face 1 km from the origin sees out of it: %s',
  async (mode, rays) => {
    const yawDeg = 201;
    const place = [612.3, -731.9, 12.2] as const;
    const yawRad = (yawDeg * Math.PI) / 180;
    const ahead = [Math.cos(yawRad), Math.sin(yawRad), 0];
    const middle = place.map((coordinate, axis) => coordinate - (ahead[axis] ?? 0));
    const { rows } = await scanned({
      scene: scenario({
        models: { box: { kind: 'box', sizeM: [2, 2, 2], material: 'grey' } },
        instances: [
          placed('box', middle as [number, number, number], { yawDeg }),
          placed('box', [0, 0, 0], { name: 'wall' }),
        ],
        ground: flatGround(10),
      }),
      sensor: camera(0, rays, mode, { columns: 60, rows: 40, horizontalFovDeg: 170 }),
      pose: [...place, yawDeg],
      columns: 'true_range_m',
    });
    expect(rows.filter(({ true_range_m: range = NaN }) => range < 5)).toEqual([]);
  },
);
