// The vehicle's own body in its scans: seen where a closed form has it at any speed, or masked, and no obstacle to it.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BodyView } from '#contract/documents/vehicleBody.ts';
import { rotate, rotationFromDegrees, type Vector3 } from '#domain/shared/pose.ts';
import { driveHere, printedJson, ran } from '#test/support/commandLine.ts';
import { circularBeam, flatGround, placed, scenario, sensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows } from '#test/support/scan.ts';

const mount = { positionM: [0.3, 0.1, 2] as Vector3, yawDeg: 20, pitchDeg: 10, rollDeg: -5 };
/** A slab behind the sensor, and a mast to its left. */
const slab = { name: 'slab', positionM: [-0.8, 0, 2], sizeM: [0.2, 1.4, 3] } as const;
const mast = { name: 'mast', positionM: [0.3, 0.7, 1.5], sizeM: [0.1, 0.1, 3] } as const;
const body = [slab, mast].map(({ name, positionM, sizeM }) => {
  const [at, size] = [[...positionM] as Vector3, [...sizeM] as Vector3];
  return { kind: 'box' as const, name, positionM: at, sizeM: size, material: 'grey' };
});

/** All round, ten turns a second, by single rays without noise. */
const allRound = sensor({
  scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 180 },
  banks: [{ name: 'column', elevationsDeg: [-25, -10, 0, 10, 25] }],
  beam: circularBeam(1, 1),
});

/** A drive round a circle of 20 m at 20 m/s, 57° a second, banked, as poses every 10 ms: TUM. */
const circle = Array.from({ length: 61 }, (_, step) => {
  const timeS = step / 100;
  const [x, y] = [20 * Math.sin(timeS), 20 - 20 * Math.cos(timeS)];
  const rotation = rotationFromDegrees((timeS * 180) / Math.PI, 3, 8);
  return [timeS, x, y, 0.5, ...rotation].join(' ');
}).join('\n');

interface Scenery {
  views?: (BodyView | undefined)[];
  hasBody?: boolean;
  tickMs?: number;
}

/** A courtyard of four walls with two people who walk, and a vehicle with its sensors. */
function scene({ views = [undefined], hasBody = true, tickMs = 100 }: Scenery = {}): string {
  return scenario({
    ground: flatGround(200),
    models: { person: { kind: 'box', sizeM: [0.5, 0.5, 1.8], material: 'grey' } },
    instances: [
      placed('person', [30, 0, 0.9], { name: 'still' }),
      placed('person', [0, 0, 0.9], { motion: 'walk' }),
    ],
    motions: {
      walk: {
        kind: 'path',
        speedMPerS: 1.5,
        pointsM: [
          [-12, -20, 0],
          [-12, 20, 0],
        ],
      },
    },
    walls: [
      {
        name: 'north',
        fromM: [-60, 60],
        toM: [60, 60],
        heightM: 20,
        thicknessM: 1,
        material: 'grey',
      },
    ],
    ...(hasBody && { vehicle: { body } }),
    sensors: views.map((view, index) => ({
      name: `lidar-${index + 1}`,
      sensor: 'sensor.yaml',
      mount,
      ...(view !== undefined && { body: view }),
    })),
    survey: { kind: 'trajectory', file: 'circle.tum', sensor: 'lidar-1' },
    mission: { startM: [-4, 10], startYawDeg: 90, goalM: [4, 6] },
    navigation: { tickMs, costMap: { cells: 80 } },
  });
}

const columns = [
  'time_ns',
  'azimuth_rad',
  'elevation_rad',
  'true_range_m',
  'object_id',
  'class_id',
  'is_moving',
];
type Row = Record<string, number>;

/** Distance along a direction of the sensor to the body, by the boxes above in the vehicle's frame; Infinity: past it. */
function bodyRangeM(azimuthRad: number, elevationRad: number): number {
  const level = Math.cos(elevationRad);
  const inSensor: Vector3 = [
    level * Math.cos(azimuthRad),
    level * Math.sin(azimuthRad),
    Math.sin(elevationRad),
  ];
  const rotation = rotationFromDegrees(mount.yawDeg, mount.pitchDeg, mount.rollDeg);
  const direction = rotate(rotation, inSensor);
  const ranges = body.map(({ positionM, sizeM }) => {
    const spans = direction.map((along, axis) => {
      const [centre, half] = [positionM[axis] ?? 0, (sizeM[axis] ?? 0) / 2];
      const ends = [centre - half, centre + half].map(
        (end) => (end - (mount.positionM[axis] ?? 0)) / along,
      );
      return [Math.min(...ends), Math.max(...ends)] as const;
    });
    const enters = Math.max(...spans.map(([from]) => from));
    const leaves = Math.min(...spans.map(([, to]) => to));
    return enters < leaves && enters > 0 ? enters : Infinity;
  });
  return Math.min(...ranges);
}

function surveyFolder(text: string): string {
  return temporaryFolder({ 'scene.yaml': text, 'sensor.yaml': allRound, 'circle.tum': circle });
}

async function scan(text: string, options: string[] = [], isFree = false): Promise<Row[]> {
  const folder = surveyFolder(text);
  const free = ['--pose=-20,10,2,0', '--seconds=0.1', `--sensor=${join(folder, 'sensor.yaml')}`];
  const out = join(folder, 'out.csv');
  await ran(
    folder,
    'scan',
    join(folder, 'scene.yaml'),
    `--columns=${columns.join(',')}`,
    `--out=${out}`,
    ...options,
    ...(isFree ? free : []),
  );
  return csvRows(out);
}

const isOwn = (row: Row): boolean => Number.isFinite(expectedM(row));
const expectedM = (row: Row): number =>
  bodyRangeM(row['azimuth_rad'] ?? 0, row['elevation_rad'] ?? 0);
/** A row without its ids, which count the body's parts, too. */
const measured = ({ time_ns, azimuth_rad, elevation_rad, true_range_m }: Row) => {
  return { time_ns, azimuth_rad, elevation_rad, true_range_m };
};

describe('a sensor on a vehicle with a body', () => {
  it('meets it where it is in the sensor frame, at speed and while turning', async () => {
    const rows = await scan(scene());
    const own = rows.filter(isOwn);
    expect(own.length).toBeGreaterThan(500);
    expect(new Set(own.map((row) => row['object_id'])).size).toBe(2);
    for (const row of own) {
      // Directions are written with seven digits, ranges of single precision.
      expect(Math.abs((row['true_range_m'] ?? NaN) - expectedM(row))).toBeLessThan(2e-5);
      expect(row['is_moving']).toBe(1);
    }
    const others = rows.filter((row) => !isOwn(row));
    const ownIds = new Set(own.map((row) => row['object_id']));
    expect(others.some((row) => ownIds.has(row['object_id']))).toBe(false);
  });

  it('masks it: the same returns, those of the body apart, and none from behind it', async () => {
    const [seen, masked] = [await scan(scene()), await scan(scene({ views: ['masked'] }))];
    expect(masked.length).toBeLessThan(seen.length);
    expect(masked.map(measured)).toEqual(seen.filter((row) => !isOwn(row)).map(measured));
    const bare = await scan(scene({ hasBody: false }));
    expect(bare.filter((row) => !isOwn(row)).map(measured)).toEqual(masked.map(measured));
    expect(bare.filter(isOwn).length).toBeGreaterThan(200);
  });

  it('gives the same returns in parts', async () => {
    const whole = await scan(scene());
    const parts = [await scan(scene(), ['--part=1/3']), await scan(scene(), ['--part=2/3'])];
    expect(parts.flat()).toEqual(whole.slice(0, parts.flat().length));
  });

  it('has none where no vehicle carries it', async () => {
    const free = await scan(scene(), [], true);
    const bare = await scan(scene({ hasBody: false }), [], true);
    expect(free.length).toBeGreaterThan(400);
    expect(free.map(measured)).toEqual(bare.map(measured));
  });
});

describe('a drive of a vehicle with a body', () => {
  it('sees it by one sensor and not by another, reaches its goal, and takes it for no obstacle', async () => {
    const folder = surveyFolder(scene({ views: ['seen', 'masked'], tickMs: 33 }));
    const run = await driveHere(folder, join(folder, 'scene.yaml'));
    const { metrics } = await printedJson<{
      metrics: { goalReached: boolean; collisions: number };
    }>(folder, 'runs', 'show', run);
    expect(metrics).toMatchObject({ goalReached: true, collisions: 0 });
    for (const [number, name] of ['lidar-1', 'lidar-2'].entries()) {
      const out = join(folder, `${name}.csv`);
      await ran(
        folder,
        'runs',
        'export',
        run,
        '--format=csv',
        `--sensor=${name}`,
        `--columns=${columns.join(',')}`,
        `--out=${out}`,
      );
      const own = csvRows(out).filter(isOwn);
      if (number === 1) expect(own).toEqual([]);
      else expect(own.length).toBeGreaterThan(1000);
      for (const row of own) {
        expect(Math.abs((row['true_range_m'] ?? NaN) - expectedM(row))).toBeLessThan(5e-5);
      }
    }
  });
});
