// Raw Embree and the native pipeline on the same rays: their fingerprints and hits are equal, and differ
// as soon as the rays do.
import { describe, expect, it } from 'vitest';
import type { ScanRequest } from '#contract/worker/worker.ts';
import { compileScenario, openWorker, sensorRecipe } from './realWorker.ts';
import { straight } from '#validation/trajectories.ts';

// Neither end is that of a block of 64 slots, nor of a packet.
const interval = { fromNs: 3_141_592, toNs: 61_803_398 };
const trajectory = straight([-6, -6, 1.6], [-5, -5.5, 1.7], 100_000_000);

const sensor = await sensorRecipe('hdl-64e-goodin2018');
const field = await compileScenario();
const { worker } = await openWorker(field);
const { worker: single } = await openWorker(field, { threads: 1 });

const request = (): ScanRequest => ({
  sensor,
  ...interval,
  seed: 1,
  columns: ['range_m', 'object_id'],
  misses: false,
});

describe('bench', () => {
  it('traces raw the very rays of the pipeline, and meets as much', async () => {
    const raw = (await worker.call('bench.raw', request(), trajectory)).body;
    const native = (await worker.call('bench.native', request(), trajectory)).body;
    expect(native.rays).toBe(9 * native.pulses);
    expect(native.pulses).toBeGreaterThan(50_000);
    expect(raw.rays).toBe(native.rays);
    expect(raw.directionHash).toBe(native.directionHash);
    expect(raw.hits).toBe(native.hits);
    expect(raw.hits).toBeGreaterThan(0.3 * raw.rays);
    expect(raw.packings.length).toBeGreaterThanOrEqual(4);
    const own = raw.packings.find(({ name }) => name === raw.scanPacking);
    expect(own?.hits).toBe(raw.hits);
    for (const { name, seconds, cpuSeconds, hits } of raw.packings) {
      expect(seconds, name).toBeGreaterThan(0);
      expect(cpuSeconds, name).toBeGreaterThan(0);
      // How rays are packed decides their last bits: at most one in a hundred thousand falls elsewhere.
      expect(Math.abs(hits - raw.hits), name).toBeLessThanOrEqual(1e-5 * raw.rays);
    }
    expect(raw.packings.map(({ name }) => name)).toContain('single');
  });

  it('traces what a scan hands over', async () => {
    const native = (await worker.call('bench.native', request(), trajectory)).body;
    const scan = (await worker.call('scan', request(), trajectory)).body;
    expect(native.hash).toBe(scan.hash);
    expect(native.hits).toBe(scan.hits);
  });

  it('gives the same fingerprint on any number of threads', async () => {
    const some = { ...request(), packings: ['single'] };
    const many = (await worker.call('bench.raw', some, trajectory)).body;
    const one = (await single.call('bench.raw', some, trajectory)).body;
    expect(one.directionHash).toBe(many.directionHash);
    expect(one.hits).toBe(many.hits);
    const pipeline = await single.call('bench.native', request(), trajectory);
    expect(pipeline.body.directionHash).toBe(one.directionHash);
  });

  it('distinguishes other rays: another interval, another path, another beam', async () => {
    const some = { ...request(), packings: ['single'] };
    const { directionHash } = (await worker.call('bench.raw', some, trajectory)).body;
    const later = { ...some, fromNs: interval.fromNs + 32_000, toNs: interval.toNs + 32_000 };
    const turned = { ...trajectory, qz: Float64Array.of(0, 1e-6) };
    const wider = { ...sensor, beam: { ...sensor.beam, divergenceVerticalRad: 0.0008 } };
    for (const other of [
      await worker.call('bench.raw', later, trajectory),
      await worker.call('bench.raw', some, turned),
      await worker.call('bench.raw', { ...some, sensor: wider }, trajectory),
    ]) {
      expect(other.body.directionHash).not.toBe(directionHash);
    }
  });

  it('refuses a packing that does not exist', async () => {
    const some = { ...request(), packings: ['packet7-azimuth'] };
    await expect(worker.call('bench.raw', some, trajectory)).rejects.toMatchObject({
      code: 'bad-input',
    });
  });
});
