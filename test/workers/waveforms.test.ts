// scan.waveforms through the real worker: bins of a wall, energy, order, chunks.
import { describe, expect, it } from 'vitest';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { WorkerChunk } from '#contract/worker/workerMethods.ts';
import { startWorker } from '#test/support/worker.ts';
import { sceneOf, scanScene, singleBeam, slab, standingAt, type Placed } from '../physics/bench.ts';

const lightMPerNs = 0.299792458;

const pulsesPerSecond = 1000;
const waveform = { binNs: 1, pulseWidthNs: 4 };
const sensor: SensorRecipe = {
  ...singleBeam(pulsesPerSecond, 0.001, {
    mode: 'all',
    signalCutoffM: 1,
    window: false,
    maxReturns: 4,
    waveform,
  }),
  maxRangeM: 50,
};

const worker = await startWorker();

type Waveforms = WorkerChunk<'scan.waveforms'>['body'] & WorkerChunk<'scan.waveforms'>['columns'];

async function waveformsOf(
  placed: Placed[],
  order: { pulses: number; chunkPulses?: number; misses?: boolean; sensor?: SensorRecipe },
): Promise<Waveforms[]> {
  const built = { recipe: sceneOf(placed), memoryLimitBytes: 1e9 };
  await worker.call('scene.build', built, { heights: new Float32Array() });
  const { pulses, misses = false, chunkPulses = 1000 } = order;
  const chunks: Waveforms[] = [];
  const { body: reply } = await worker.call(
    'scan.waveforms',
    {
      sensor: order.sensor ?? sensor,
      fromNs: 0,
      toNs: (pulses / pulsesPerSecond) * 1e9,
      seed: 1,
      misses,
      chunkPulses,
    },
    standingAt([0, 0, 0]),
    { onChunk: ({ body, columns }) => void chunks.push({ ...body, ...columns }) },
  );
  expect(reply.pulses).toBe(pulses);
  expect(reply.rows).toBe(chunks.reduce((sum, { pulse }) => sum + pulse.length, 0));
  return chunks;
}

describe('scan.waveforms', () => {
  it('samples the pulse around the wall, with all of its energy', async () => {
    const [chunk] = await waveformsOf([slab(20, 'both')], { pulses: 3 });
    if (chunk === undefined) throw new Error('nothing came');
    const { binsPerPulse, binM, bins, first_range_m: firstRangeM } = chunk;
    expect(binM).toBeCloseTo(lightMPerNs / 2, 9);
    expect([...chunk.pulse]).toEqual([0n, 1n, 2n]);
    expect([...chunk.time_ns]).toEqual([0n, 1_000_000n, 2_000_000n]);
    expect(bins.length).toBe(3 * binsPerPulse);
    for (let pulse = 0; pulse < 3; pulse += 1) {
      const own = bins.subarray(pulse * binsPerPulse, (pulse + 1) * binsPerPulse);
      // Nine rays of intensity 0.5 within 1 mrad of the axis; a float holds seven digits.
      const energy = own.reduce((sum, bin) => sum + bin, 0);
      expect(energy).toBeCloseTo(0.5, 5);
      const middleM =
        (firstRangeM[pulse] ?? NaN) +
        own.reduce((sum, bin, index) => sum + bin * (index + 0.5) * binM, 0) / energy;
      // The rays of the ring are longer by (3/8 mrad)^2 / 2 of the range: 1.4 µm; the rest is rounding of floats.
      expect(middleM).toBeCloseTo(20, 4);
    }
  });

  it('has the peaks that the scan returns', async () => {
    // Three of the nine rays go to each side; three meet the edge and end on either slab: both echoes come back.
    const placed = [slab(10, 'left'), slab(13, 'right')];
    const { table } = await scanScene(
      worker,
      sceneOf(placed),
      sensor,
      standingAt([0, 0, 0]),
      0.001,
      ['range_m', 'n_returns'],
    );
    expect(table['n_returns']).toEqual([2, 2]);
    expect(table['range_m']?.[0]).toBeCloseTo(10, 3);
    expect(table['range_m']?.[1]).toBeCloseTo(13, 3);
    const [chunk] = await waveformsOf(placed, { pulses: 1 });
    if (chunk === undefined) throw new Error('nothing came');
    const edge = (chunk.first_range_m[0] ?? 0) / chunk.binM;
    const binAt = (rangeM: number): number =>
      chunk.bins[Math.floor(rangeM / chunk.binM - edge)] ?? 0;
    expect(binAt(10)).toBeGreaterThan(10 * binAt(11.5));
    expect(binAt(13)).toBeGreaterThan(10 * binAt(11.5));
  });

  it('gives the same rows in any chunks, in order', async () => {
    const placed = [slab(20, 'both')];
    const whole = await waveformsOf(placed, { pulses: 200 });
    const cut = await waveformsOf(placed, { pulses: 200, chunkPulses: 7 });
    expect(whole).toHaveLength(1);
    expect(cut).toHaveLength(Math.ceil(200 / 7));
    expect(cut.flatMap(({ bins }) => [...bins])).toEqual([...(whole[0]?.bins ?? [])]);
    expect(cut.flatMap(({ pulse }) => [...pulse])).toEqual(
      Array.from({ length: 200 }, (_, pulse) => BigInt(pulse)),
    );
  });

  it('leaves pulses out that met nothing, or sends zeros', async () => {
    const behind = [slab(-20, 'both')];
    expect(await waveformsOf(behind, { pulses: 5 })).toEqual([]);
    const [chunk] = await waveformsOf(behind, { pulses: 5, misses: true });
    expect(chunk?.pulse.length).toBe(5);
    expect(chunk?.bins.every((bin) => bin === 0)).toBe(true);
  });

  it('refuses sensors without waveform, and bins that no chunk holds', async () => {
    const plain = { mode: 'first', signalCutoffM: 1, window: false } as const;
    await expect(
      waveformsOf([slab(20, 'both')], { pulses: 1, sensor: { ...sensor, returns: plain } }),
    ).rejects.toThrow(/sensor\.returns\.waveform: expected one/);
    const tiny = { ...sensor.returns, waveform: { binNs: 1e-5, pulseWidthNs: 0.01 } };
    await expect(
      waveformsOf([slab(20, 'both')], { pulses: 1, sensor: { ...sensor, returns: tiny } }),
    ).rejects.toThrow(/expected at most 8388608 bins/);
  });
});
