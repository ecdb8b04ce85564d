// The page's explanation of a pulse (renderer/logic/pulse/pulseSignal.ts) against the returns of the worker, mode by mode:
// the same number of returns, the same clean ranges and shares of the beam, decided by the same objects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import { returnModes, type ReturnMode } from '#contract/documents/sensorReturns.ts';
import { formReturns, pulseSignal } from '#renderer/logic/pulse/pulseSignal.ts';
import { pulseRays, pulseReturns } from '#renderer/logic/pulse/pulseTable.ts';
import { rayDirection } from '#renderer/logic/pulse/rayDirection.ts';
import type { ReceivedWaveform } from '#renderer/logic/pulse/waveformPeaks.ts';
import type { LoadedScenario } from '#services/documents/documents.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { compileScenario, openWorker, sensorRecipe, standingAt } from './realWorker.ts';

let scenario: LoadedScenario;
let worker: ScanWorker;
beforeAll(async () => {
  scenario = await compileScenario('optics');
  ({ worker } = await openWorker(scenario, { threads: 2 }));
});
afterAll(() => worker.dispose());

const pulses = 400;
const trajectory = standingAt(0, 0, 1.2);

/** Columns of single pulses: of the rays, and of the returns as scene.pulse calls them. */
async function pulsesOf(
  sensor: SensorRecipe,
): Promise<{ columns: Columns; waveform: ReceivedWaveform | null }[]> {
  const lasers = sensor.banks[0]?.elevationsRad.length ?? 1;
  // Sweeps and mirrors look ahead in their middle, what turns does at once.
  const fromNs = sensor.scan.kind === 'spinning' ? 0 : Math.round(1e9 / sensor.scan.rateHz / 2);
  const toNs = fromNs + Math.ceil((pulses / lasers / sensor.slotsPerSecond) * 1e9);
  const order = { sensor, fromNs, toNs, seed: 1, misses: true };
  const byPulse = new Map<bigint, { columns: Columns; waveform: ReceivedWaveform | null }>();
  const take = (table: Columns, prefix: string): void => {
    const numbers = table['pulse'];
    if (!(numbers instanceof BigUint64Array)) throw new Error('no pulses');
    for (let from = 0; from < numbers.length;) {
      const number = numbers[from] ?? 0n;
      const to = numbers.lastIndexOf(number) + 1;
      const entry = byPulse.get(number) ?? { columns: {}, waveform: null };
      for (const [name, array] of Object.entries(table)) {
        entry.columns[prefix + name] = array.slice(from, to);
      }
      byPulse.set(number, entry);
      from = to;
    }
  };
  await worker.scanRays({ ...order, chunkPulses: 1e6 }, trajectory, {
    onChunk: (chunk) => take(chunk, ''),
  });
  await worker.scan(
    {
      ...{ ...order, misses: false },
      columns: [
        'pulse',
        'return_no',
        'range_m',
        'range_clean_m',
        'intensity',
        'beam_share',
        'object_id',
        'azimuth_rad',
        'elevation_rad',
        'class_id',
      ],
    },
    trajectory,
    { onChunk: (chunk) => take(chunk, 'return_') },
  );
  if (sensor.returns.waveform !== undefined) {
    await worker.scanWaveforms(order, trajectory, {
      onChunk: ({ pulse, firstRangeM, binM, binsPerPulse, bins }) => {
        for (const [index, number] of pulse.entries()) {
          const entry = byPulse.get(number);
          if (entry === undefined) continue;
          const own = bins.slice(index * binsPerPulse, (index + 1) * binsPerPulse);
          entry.waveform = { firstRangeM: firstRangeM[index] ?? 0, binM, bins: own };
        }
      },
    });
  }
  return [...byPulse.values()];
}

const quiet = (recipe: SensorRecipe, mode: ReturnMode, window = false): SensorRecipe => {
  const rest = { ...recipe };
  delete rest.noise;
  delete rest.quantisation;
  return { ...rest, returns: { ...recipe.returns, mode, window } };
};

async function compare(sensor: SensorRecipe): Promise<{ returns: number; several: number }> {
  let [returns, several] = [0, 0];
  for (const { columns, waveform } of await pulsesOf(sensor)) {
    const hits = pulseRays(columns).flatMap((ray) => ray.hits);
    const signal = pulseSignal(hits, sensor, scenario.compiled.recipe.materials, waveform);
    const formed = formReturns(signal, sensor.returns, sensor.returns.mode);
    const native = pulseReturns(columns);
    expect(formed.length).toBe(native.length);
    for (const [index, { rangeM, share, decidingHit, averaged }] of formed.entries()) {
      const found = native[index];
      // Sums of f32 in another order; a peak is read from bins of f32 (a part in 1e7 of 15 cm).
      const tolerance = waveform === null ? 2e-5 : 1e-3;
      expect(Math.abs(rangeM - (found?.rangeCleanM ?? NaN))).toBeLessThan(tolerance);
      expect(Math.abs(share - (found?.beamShare ?? NaN))).toBeLessThan(1e-5);
      expect(signal.hits[decidingHit]?.objectId).toBe(found?.objectId);
      if (averaged !== null && averaged[1] > averaged[0] + 1) several += 1;
    }
    returns += native.length;
  }
  return { returns, several };
}

describe('the rays of a pulse', () => {
  it('go where their hits lie', async () => {
    let compared = 0;
    for (const { columns } of await pulsesOf(quiet(await sensorRecipe('hdl-32e'), 'strongest'))) {
      const [axis] = pulseReturns(columns);
      if (axis === undefined) continue;
      for (const { left, up, hits } of pulseRays(columns)) {
        const [hit] = hits;
        if (hit === undefined || hit.mirrors > 0) continue;
        const direction = rayDirection(axis, { left, up }, { yawDeg: 0 });
        const [x, y, z] = hit.positionM;
        // The sensor is at (0, 0, 1.2); hits are f32: 1e-6 of some ten metres.
        const along = [x, y, z - 1.2].map((part) => part / Math.hypot(x, y, z - 1.2));
        for (const [part, value] of direction.entries())
          expect(value).toBeCloseTo(along[part] ?? NaN, 4);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(500);
  });
});

describe('the explanation of a pulse', () => {
  it.each(returnModes)('mode %s: nine rays, each its own echo', async (mode) => {
    const { returns, several } = await compare(quiet(await sensorRecipe('hdl-32e'), mode));
    expect(returns).toBeGreaterThan(100);
    expect(several > 0).toBe(mode === 'first');
  });

  it.each(['strongest', 'last', 'strongest-and-last'] as const)(
    'mode %s with a window',
    async (mode) => {
      const { several } = await compare(quiet(await sensorRecipe('hdl-32e'), mode, true));
      expect(several).toBeGreaterThan(0);
    },
  );

  it.each(returnModes)('mode %s: echoes of several rays behind a gate', async (mode) => {
    const recipe = await sensorRecipe('ibeo-lux');
    const gate = { fullToM: 3, noneBeyondM: 60, reflectanceNear: 0.2, reflectanceFar: 0.9 };
    const gated = { ...recipe, returns: { ...recipe.returns, gate } };
    const { returns, several } = await compare(quiet(gated, mode));
    expect(returns).toBeGreaterThan(50);
    expect(several).toBeGreaterThan(0);
  });

  it.each(returnModes)('mode %s: peaks of a waveform', async (mode) => {
    const recipe = await sensorRecipe('full-waveform');
    const few = {
      ...recipe,
      beam: {
        ...recipe.beam,
        rays: {
          count: 60,
          profile: 'gaussian' as const,
          sampling: 'stratified' as const,
          dither: false,
        },
        divergenceHorizontalRad: 0.02,
        divergenceVerticalRad: 0.02,
      },
    };
    const { returns } = await compare(quiet(few, mode));
    expect(returns).toBeGreaterThan(100);
  });
});
