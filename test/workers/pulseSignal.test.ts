// One pulse explained by the worker (scan.signal) against the returns of scans, mode by mode: the mode that a sensor
// has does not matter to what each mode would form, and the page reads it in the same order.
import { describe, expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import {
  hasSeveralReturns,
  returnModes,
  type ReturnMode,
} from '#contract/documents/sensorReturns.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { formedReturns, pulseSignal } from '#renderer/logic/pulse/pulseSignal.ts';
import { pulseRays, pulseReturns } from '#renderer/logic/pulse/pulseTable.ts';
import { rayDirection } from '#renderer/logic/pulse/rayDirection.ts';
import { compileScenario, openWorker, sensorRecipe, standingAt } from './realWorker.ts';

const scenario = await compileScenario('optics');
const { worker } = await openWorker(scenario, { threads: 2 });

const pulses = 200;
/** Number of these that are explained for each sensor and mode. */
const explained = 25;
const trajectory = standingAt(0, 0, 1.2);

function intervalOf(sensor: SensorRecipe): { fromNs: number; toNs: number; seed: number } {
  const lasers = sensor.banks[0]?.elevationsRad.length ?? 1;
  // Sweeps and mirrors look ahead in their middle, what turns does at once.
  const { scan } = sensor;
  const share = scan.kind === 'sweep' || scan.kind === 'mirror' ? (scan.activeShare ?? 1) : 1;
  const fromNs = scan.kind === 'spinning' ? 0 : Math.round((share * 1e9) / scan.rateHz / 2);
  const toNs = fromNs + Math.ceil((pulses / lasers / sensor.slotsPerSecond) * 1e9);
  return { fromNs, toNs, seed: 1 };
}

/** The rows of each pulse of a table. */
function byPulse(tables: readonly Columns[], prefix: string): Map<bigint, Columns> {
  const found = new Map<bigint, Columns>();
  for (const table of tables) {
    const numbers = table['pulse'];
    if (!(numbers instanceof BigUint64Array)) throw new Error('no pulses');
    for (let from = 0; from < numbers.length;) {
      const number = numbers[from] ?? 0n;
      const to = numbers.lastIndexOf(number) + 1;
      const rows = Object.entries(table).map(([name, array]) => [
        prefix + name,
        array.slice(from, to),
      ]);
      found.set(number, Object.fromEntries(rows) as Columns);
      from = to;
    }
  }
  return found;
}

async function raysOf(sensor: SensorRecipe): Promise<Map<bigint, Columns>> {
  const tables: Columns[] = [];
  const order = { sensor, ...intervalOf(sensor), chunkPulses: 1e6 };
  await worker.call('scan.rays', order, trajectory, {
    onChunk: (chunk) => void tables.push(chunk.columns),
  });
  return byPulse(tables, '');
}

/** Returns as scene.pulse calls them. */
async function returnsOf(sensor: SensorRecipe): Promise<Map<bigint, Columns>> {
  const tables: Columns[] = [];
  const columns = [
    ...(['pulse', 'return_no', 'range_m', 'range_clean_m', 'intensity'] as const),
    ...(['beam_share', 'object_id', 'class_id', 'azimuth_rad', 'elevation_rad'] as const),
  ];
  const order = { sensor, ...intervalOf(sensor), misses: false, columns };
  await worker.call('scan', order, trajectory, {
    onChunk: (chunk) => void tables.push(chunk.columns),
  });
  return byPulse(tables, 'return_');
}

const quiet = (recipe: SensorRecipe, mode: ReturnMode, window = false): SensorRecipe => {
  const rest = { ...recipe };
  delete rest.noise;
  delete rest.quantisation;
  return { ...rest, returns: { ...recipe.returns, mode, window } };
};

/**
 * Explains pulses of a sensor in another mode than `mode`, and compares what `mode` forms of them with the returns of
 * the sensor in that mode.
 */
async function compare(recipe: SensorRecipe, mode: ReturnMode, window = false) {
  const other = returnModes.find((one) => one !== mode) ?? mode;
  const asked = quiet(recipe, other, window);
  const rays = await raysOf(asked);
  const returns = await returnsOf(quiet(recipe, mode, window));
  let [returned, several] = [0, 0];
  const every = Math.max(1, Math.floor(rays.size / explained));
  for (const [number, table] of [...rays].filter((_, index) => index % every === 0)) {
    const request = { sensor: asked, ...intervalOf(asked), pulse: Number(number) };
    const { columns, body: counts } = await worker.call('scan.signal', request, trajectory);
    const hits = pulseRays(table).flatMap((ray) => ray.hits);
    const signal = pulseSignal({ ...columns }, hits, counts);
    expect(signal.hits.length + signal.unseen.length).toBe(hits.length);
    const ranges = signal.hits.map(({ rangeM }) => rangeM);
    expect(ranges).toEqual([...ranges].sort((a, b) => a - b));
    const formed = formedReturns({ ...columns })[mode];
    const scanned = pulseReturns(returns.get(number) ?? {});
    expect(formed.length).toBe(scanned.length);
    for (const [index, { rangeM, share, decidingHit, averaged, echo }] of formed.entries()) {
      expect(Math.fround(rangeM)).toBe(scanned[index]?.rangeCleanM);
      expect(Math.fround(share)).toBe(scanned[index]?.beamShare);
      expect(signal.hits[decidingHit]?.objectId).toBe(scanned[index]?.objectId);
      expect(signal.echoes[echo]?.isDetected).toBe(true);
      if (averaged !== null && averaged[1] > averaged[0] + 1) several += 1;
    }
    returned += formed.length;
  }
  return { returned, several };
}

describe('the rays of a pulse', () => {
  it('go where their hits lie', async () => {
    let compared = 0;
    const sensor = quiet(await sensorRecipe('hdl-32e-goodin2018'), 'strongest');
    const returns = await returnsOf(sensor);
    for (const [number, columns] of await raysOf(sensor)) {
      const [axis] = pulseReturns(returns.get(number) ?? {});
      if (axis === undefined) continue;
      for (const { left, up, hits } of pulseRays(columns)) {
        const [hit] = hits;
        if (hit === undefined || hit.mirrors > 0) continue;
        const direction = rayDirection(axis, { left, up }, { yawDeg: 0 });
        const [x, y, z] = hit.positionM;
        // The sensor stands at (0, 0, 1.2); hits are f32: 1e-6 of some ten metres.
        const along = [x, y, z - 1.2].map((part) => part / Math.hypot(x, y, z - 1.2));
        for (const [part, value] of direction.entries())
          expect(value).toBeCloseTo(along[part] ?? NaN, 4);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(250);
  });
});

describe('the explanation of a pulse', () => {
  const single = returnModes.filter((mode) => !hasSeveralReturns(mode));
  it.each(single)('mode %s: nine rays, each its own echo', async (mode) => {
    const { returned, several } = await compare(await sensorRecipe('hdl-32e-goodin2018'), mode);
    expect(returned).toBeGreaterThan(8);
    expect(several > 0).toBe(mode === 'first');
  });

  it.each(['strongest', 'last', 'strongest-and-last'] as const)(
    'mode %s with a window',
    async (mode) => {
      const recipe = await sensorRecipe('hdl-32e-goodin2018');
      const separated = { ...recipe, returns: { ...recipe.returns, rangeResolutionM: 0.5 } };
      const { several } = await compare(separated, mode, true);
      expect(several).toBeGreaterThan(0);
    },
  );

  it.each(returnModes)('mode %s: echoes of several rays behind a gate', async (mode) => {
    const recipe = await sensorRecipe('ibeo-lux');
    const gate = { fullToM: 3, noneBeyondM: 60, reflectanceNear: 0.2, reflectanceFar: 0.9 };
    const gated = { ...recipe, returns: { ...recipe.returns, gate } };
    const { returned, several } = await compare(gated, mode);
    expect(returned).toBeGreaterThan(4);
    expect(several).toBeGreaterThan(0);
  });

  it.each(returnModes)('mode %s: of a receiver that loses most', async (mode) => {
    const recipe = await sensorRecipe('hdl-32e-goodin2018');
    // 10 % at 4 m: of the scene, at 5 to 12 m, some are seen.
    const detection = {
      reflectance: 0.1,
      rangeM: 4,
      probability: 0.5,
      falseAlarmsPerPulse: 0,
    };
    const limited = { ...recipe.returns, rangeResolutionM: 0.5, detection };
    const { returned } = await compare({ ...recipe, returns: limited }, mode);
    expect(returned).toBeGreaterThan(4);
  });

  it.each(returnModes)('mode %s: peaks of a waveform', async (mode) => {
    const recipe = await sensorRecipe('full-waveform');
    const rays = { count: 60, profile: 'gaussian', sampling: 'stratified', dither: false } as const;
    const divergence = { divergenceHorizontalRad: 0.02, divergenceVerticalRad: 0.02 };
    const few = { ...recipe, beam: { ...recipe.beam, rays, ...divergence } };
    const { returned } = await compare(few, mode);
    expect(returned).toBeGreaterThan(8);
  });

  it('is refused for a pulse that is not fired then', async () => {
    const sensor = await sensorRecipe('hdl-32e-goodin2018');
    const request = { sensor, fromNs: 0, toNs: 1000, seed: 1, pulse: 1_000_000 };
    await expect(worker.call('scan.signal', request, trajectory)).rejects.toMatchObject({
      code: 'not-found',
    });
  });
});

it('heights of a scene are what a ray from above meets', async () => {
  const { compiled, heights } = scenario;
  const request = { recipe: compiled.recipe, memoryLimitBytes: 2e9 };
  const { minM, maxM } = (await worker.call('scene.plan', request, { heights })).body;
  const heightAt = async (xM: number): Promise<number | null> =>
    (await worker.call('scene.heightAt', { xM, yM: 0, ofGround: false }, {})).body.heightM;
  const heightM = await heightAt(0);
  expect(heightM).toBeGreaterThanOrEqual(minM[2]);
  expect(heightM).toBeLessThanOrEqual(maxM[2]);
  expect(await heightAt(maxM[0] + 10)).toBeNull();
});
