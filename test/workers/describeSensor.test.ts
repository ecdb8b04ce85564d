// sensor.describe against closed forms, and against scans of the same sensors: what is drawn of a sensor is what
// its pulses do.
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { noiseOf } from '../physics/bench.ts';
import { compileScenario, openWorker, scanRows, sensorRecipe, standingAt } from './realWorker.ts';

const { worker } = await openWorker(await compileScenario('box'));

const sum = (values: ArrayLike<number>): number => Array.from(values).reduce((a, b) => a + b, 0);

/** Moments of the columns, worked out here. */
function momentsOf(columns: {
  ray_left: Float64Array;
  ray_up: Float64Array;
  ray_weight: Float64Array;
}): Record<string, number> {
  const { ray_left: left, ray_up: up, ray_weight: weight } = columns;
  const mean = (valueOf: (ray: number) => number): number =>
    sum(weight.map((w, ray) => w * valueOf(ray)));
  return {
    weight: sum(weight),
    left: mean((ray) => left[ray] ?? NaN),
    up: mean((ray) => up[ray] ?? NaN),
    leftSquared: mean((ray) => (left[ray] ?? NaN) ** 2),
    upSquared: mean((ray) => (up[ray] ?? NaN) ** 2),
    leftUp: mean((ray) => (left[ray] ?? NaN) * (up[ray] ?? NaN)),
  };
}

describe('sensor.describe', () => {
  it('says what an LMS-291 sends out', async () => {
    const sensor = await sensorRecipe('lms-291-goodin2018');
    const { body: description, columns } = await worker.call(
      'sensor.describe',
      { sensor, rangeM: 20 },
      {},
    );
    const half = Math.tan(0.0129 / 2);
    expect(description).toMatchObject({ raysPerPulse: 9, differsByPulse: false, rangeM: 20 });
    expect(description.isWholeScan).toBe(true);
    expect(description.pulsesPerScan).toBeCloseTo(201, 9);
    expect(description.pulsesPerSecond).toBeCloseTo(201 * 37.5, 6);
    expect(description.spotM.width).toBeCloseTo(40 * half, 12);
    expect(description.spotM.height).toBeCloseTo(40 * half, 12);
    const moments = momentsOf(columns);
    for (const [name, value] of Object.entries(description.beam)) {
      // Squares of a half divergence are 4e-5.
      expect(Math.abs(value - (moments[name] ?? NaN)), name).toBeLessThan(1e-15);
    }
    expect(moments.weight).toBeCloseTo(1, 15);
    // The stencil's second moments are the uniform disc's.
    for (const beam of [description.beam, description.profile]) {
      expect(beam.leftSquared / half ** 2).toBeCloseTo(0.25, 12);
      expect(beam.upSquared / half ** 2).toBeCloseTo(0.25, 12);
    }
    expect(columns.pulse_azimuth_rad).toHaveLength(201);
    expect(columns.pulse_azimuth_rad[200]).toBeCloseTo((50 * Math.PI) / 180, 14);
    expect([...columns.laser_ring]).toEqual([0]);
  });

  it('counts the pulses of a revolution', async () => {
    const sensor = await sensorRecipe('hdl-64e-goodin2018');
    const { body: description, columns } = await worker.call('sensor.describe', { sensor }, {});
    expect(description.pulsesPerSecond).toBe(1e6);
    expect(description.pulsesPerScan).toBeCloseTo(1e6 / 10, 6);
    expect(columns.pulse_ring).toHaveLength(100_000);
    expect(columns.laser_elevation_rad).toHaveLength(64);
    const rising = columns.laser_elevation_rad.toSorted();
    expect(columns.laser_elevation_rad).toEqual(rising);
    // 2083.33 slots: those that fire before the next turn.
    const fast: SensorRecipe = { ...sensor, scan: { kind: 'spinning', rateHz: 15 } };
    const { columns: turn } = await worker.call('sensor.describe', { sensor: fast }, {});
    expect(turn.pulse_ring).toHaveLength(2084 * 32);
    expect(Number(turn.pulse_time_ns.at(-1))).toBe(2083 * 32_000);
  });

  it('stops at 200,000 pulses, and reports it', async () => {
    const sensor = await sensorRecipe('tof-camera');
    const large: SensorRecipe = {
      ...sensor,
      slotsPerSecond: 1000 * sensor.scan.rateHz,
      scan: {
        kind: 'image',
        rateHz: sensor.scan.rateHz,
        columns: 1000,
        rows: 300,
        horizontalFovRad: 1,
      },
      banks: [
        {
          elevationsRad: Array.from({ length: 300 }, (_, row) => (row - 149.5) / 1000),
          rings: Array.from({ length: 300 }, (_, row) => row),
        },
      ],
    };
    const { body: description, columns } = await worker.call(
      'sensor.describe',
      { sensor: large },
      {},
    );
    expect(description.isWholeScan).toBe(false);
    expect(columns.pulse_ring).toHaveLength(666 * 300);
    expect(description.pulsesPerScan).toBeCloseTo(300_000, 6);
  });

  it('gives the rays of several pulses of a dithered beam, and their mean moments', async () => {
    const sensor = await sensorRecipe('lms-291-goodin2018');
    sensor.beam = {
      ...sensor.beam,
      stencil: 'rays',
      rays: { count: 36, profile: 'gaussian', sampling: 'stratified', dither: true },
    };
    const { body: description, columns } = await worker.call(
      'sensor.describe',
      {
        sensor,
        seed: 2,
        beamPulses: 2000,
      },
      {},
    );
    expect(description.differsByPulse).toBe(true);
    expect(columns.ray_left).toHaveLength(36 * 2000);
    const half = Math.tan(0.0129 / 2);
    expect(description.beam.weight).toBeCloseTo(1, 9);
    // 72,000 rays, seed 2: five standard errors of independent ones; 0.2374 = 0.4747 / 2.
    expect(Math.abs(description.beam.leftSquared / half ** 2 - 0.2374)).toBeLessThan(0.005);
    expect(description.profile.leftSquared / half ** 2).toBeCloseTo(0.2374, 4);
    const again = await worker.call('sensor.describe', { sensor, seed: 3, beamPulses: 2000 }, {});
    expect(again.columns.ray_left).not.toEqual(columns.ray_left);
  });

  it.each([
    'hdl-64e-s2',
    'ibeo-lux',
    'line-lidar',
    'tof-camera',
    'lms-291-goodin2018',
    'vlp-16-goodin2018',
  ])('describes the pulses that a scan of %s has', async (id) => {
    const sensor = await sensorRecipe(id);
    const { columns } = await worker.call('sensor.describe', { sensor }, {});
    const rows = await scanRows(worker, {
      sensor,
      toNs: sensor.scan.kind === 'image' ? 1 : Math.round(40e9 / sensor.slotsPerSecond),
      trajectory: standingAt(0, 0, 1),
      misses: true,
    });
    const pulses = new Set(rows.pulse);
    expect(pulses.size).toBeGreaterThan(39);
    const described = (name: keyof typeof columns): number[] =>
      rows.pulse.map((pulse) => Number(columns[name][pulse]));
    expect(rows.ring).toEqual(described('pulse_ring'));
    expect(rows.time_ns).toEqual(described('pulse_time_ns'));
    // Single precision.
    expect(rows.azimuth_rad).toEqual(described('pulse_reported_azimuth_rad').map(Math.fround));
    expect(rows.elevation_rad).toEqual(described('pulse_elevation_rad').map(Math.fround));
  });

  it('reports the bias of each laser', async () => {
    const sensor = await sensorRecipe('hdl-64e-s2');
    const noise = noiseOf({ laserBiasSigmaM: 0.025 });
    const quiet: SensorRecipe = { ...sensor, noise, quantisation: { rangeM: 0, azimuthRad: 0 } };
    const { columns } = await worker.call('sensor.describe', { sensor: quiet, seed: 5 }, {});
    const rows = await scanRows(worker, {
      sensor: quiet,
      toNs: 5e6,
      seed: 5,
      trajectory: standingAt(0, 0, 1),
    });
    const seen = new Set<number>();
    rows.ring.forEach((ring, row) => {
      const errorM = (rows.range_m[row] ?? NaN) - (rows.range_clean_m[row] ?? NaN);
      // Two ranges below 120 m in single precision: 4e-6 m each.
      expect(Math.abs(errorM - (columns.laser_range_bias_m[ring] ?? NaN))).toBeLessThan(1e-5);
      seen.add(ring);
    });
    expect(seen.size).toBeGreaterThan(30);
  });

  it('refuses what is no sensor, by its field', async () => {
    const sensor = await sensorRecipe('lms-291-goodin2018');
    sensor.beam = {
      ...sensor.beam,
      stencil: 'rays',
      rays: {
        count: 9,
        profile: [
          [0.5, 1],
          [1, 1],
        ],
        sampling: 'stratified',
        dither: false,
      },
    };
    await expect(worker.call('sensor.describe', { sensor }, {})).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('beam.rays.profile') as string,
    });
    const camera = await sensorRecipe('tof-camera');
    if (camera.scan.kind === 'image') camera.scan = { ...camera.scan, horizontalFovRad: 3.2 };
    await expect(worker.call('sensor.describe', { sensor: camera }, {})).rejects.toMatchObject({
      code: 'bad-input',
      message: expect.stringContaining('scan.horizontalFovRad') as string,
    });
    await expect(
      worker.call(
        'sensor.describe',
        { sensor: await sensorRecipe('lms-291-goodin2018'), rangeM: 0 },
        {},
      ),
    ).rejects.toMatchObject({ code: 'bad-input' });
    await expect(
      worker.call(
        'sensor.describe',
        { sensor: await sensorRecipe('lms-291-goodin2018'), beamPulses: 1e6 },
        {},
      ),
    ).rejects.toMatchObject({ code: 'bad-input' });
  });
});
