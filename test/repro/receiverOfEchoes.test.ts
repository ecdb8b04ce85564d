// Returns of a receiver in simple scenes. Fixed: a threshold compared with single rays, so that more rays lost a wall;
// several returns gave one wall twice and thrice, with its energy each time; surfaces that send nothing back returned;
// a gate lost retro-reflectors; a mean of ranges forgot what each ray sends back; noise went beyond the range limits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReturnColumnName } from '#contract/columns.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import {
  noiseOf,
  openWorker,
  scanScene,
  sceneOf,
  singleBeam,
  slab,
  standingAt,
  type Placed,
} from '#test/physics/bench.ts';

let worker: ScanWorker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.dispose());

type Returns = Partial<SensorRecipe['returns']>;

const columns: ReturnColumnName[] = [
  ...(['range_m', 'intensity', 'beam_share', 'object_id', 'n_returns'] as const),
];

function sensorOf(returns: Returns, divergenceRad = 0.003, more: Partial<SensorRecipe> = {}) {
  const all = { mode: 'strongest', signalCutoffM: 1, window: false, ...returns } as const;
  return { ...singleBeam(10, divergenceRad, all), ...more };
}

function raysOf(count: number): Partial<SensorRecipe> {
  const rays = { count, profile: 'uniform', sampling: 'stratified', dither: false } as const;
  const angles = { divergenceHorizontalRad: 0.001, divergenceVerticalRad: 0.001 };
  return count === 9 ? {} : { beam: { shape: 'circular', ...angles, stencil: 'rays', rays } };
}

async function rowsOf(scene: SceneRecipe, sensor: SensorRecipe, seconds = 0.1) {
  return (await scanScene(worker, scene, sensor, standingAt([0, 0, 0]), seconds, columns)).table;
}

/** A plate 0.2 m thick whose front lies at `rangeM`; `fromY`: where it begins, of the left half of the beam. */
function plate(rangeM: number, material: number, fromY = -2): Placed {
  return {
    source: { kind: 'box', sizeM: [0.2, 4, 4], material },
    at: [{ positionM: [rangeM + 0.1, fromY + 2, 0] }],
  };
}

describe('a wall', () => {
  const wall = sceneOf([slab(10, 'both')], [0.5]);

  it.each([1, 9, 25])('is seen whatever the number of rays: %d', async (count) => {
    const at = (detectionThreshold: number): Promise<Record<string, number[]>> =>
      rowsOf(wall, sensorOf({ mode: 'closest', detectionThreshold }, 0.001, raysOf(count)));
    // Its signal is 0.5 / 10².
    expect((await at(0.0049))['intensity']?.[0]).toBeCloseTo(0.5, 5);
    expect((await at(0.0051))['intensity']).toEqual([]);
  });

  it.each([
    ['all', false],
    ['strongest-and-last', false],
    ['strongest-and-last', true],
  ] as const)('is one row with its energy in mode %s, window %s', async (mode, window) => {
    const radiometry = 'radar-equation';
    const returns = { mode, window, rangeResolutionM: 0.5 };
    const table = await rowsOf(wall, sensorOf(returns, 0.003, { radiometry }));
    expect(table['n_returns']).toEqual([1]);
    expect(table['intensity']?.[0]).toBeCloseTo(0.005, 7);
    expect(table['beam_share']?.[0]).toBeCloseTo(1, 6);
  });

  it('of no reflectance is no echo, and hides nothing behind it', async () => {
    const veil = { ...sceneOf([slab(5, 'left'), slab(10, 'both')], [0, 0.5]) };
    const [first] = veil.models;
    const models = veil.models.map((model) => ({
      ...model,
      source: { ...model.source, material: model === first ? 0 : 1 },
    })) as SceneRecipe['models'];
    for (const mode of ['strongest', 'last', 'first', 'closest'] as const) {
      expect(
        (await rowsOf(sceneOf([slab(90, 'both')], [0]), sensorOf({ mode })))['range_m'],
      ).toEqual([]);
      const table = await rowsOf({ ...veil, models }, sensorOf({ mode }));
      expect(table['object_id']).toEqual([2]);
      expect(table['intensity']?.[0]).toBeCloseTo(0.5, 4);
    }
  });

  it('in fog is lost by a detection limit, also with radiometry relative', async () => {
    const detection = { reflectance: 0.1, rangeM: 50, probability: 0.5, falseAlarmsPerPulse: 0 };
    const far = sceneOf([slab(90, 'both')], [0.5]);
    const fog = { ...far, atmosphere: { visibilityKm: 0.02, visibilityLaw: 'kim' as const } };
    expect((await rowsOf(far, sensorOf({ detection })))['range_m']).toHaveLength(1);
    expect((await rowsOf(fog, sensorOf({ detection })))['range_m']).toHaveLength(0);
  });

  it('has no row outside the range limits, noise included', async () => {
    const noise = noiseOf({ rangeSigmaM: 0.5 });
    const sensor = sensorOf({}, 0.003, { maxRangeM: 10.2, minRangeM: 9.8, noise });
    const { range_m: rangesM = [] } = await rowsOf(wall, sensor, 50);
    // The expected share of 500, Φ(0.4) − Φ(−0.4) = 0.311: three standard errors are 31.
    expect(Math.abs(rangesM.length - 155)).toBeLessThan(31);
    expect(rangesM.every((rangeM) => rangeM >= 9.8 && rangeM <= 10.2)).toBe(true);
  });
});

describe('the gate', () => {
  it('passes what a retro-reflector sends back', async () => {
    const gate = { fullToM: 50, noneBeyondM: 120, reflectanceNear: 0.1, reflectanceFar: 0.8 };
    const seen = async (rangeM: number, reflectance: number, gain: number): Promise<number> => {
      const scene = sceneOf([slab(rangeM, 'both')], [reflectance]);
      const surface = { kind: 'retroreflector', gain, halfWidthRad: 0.5 } as const;
      const materials = scene.materials.map((material) => ({ ...material, surface }));
      return (
        (await rowsOf({ ...scene, materials }, sensorOf({ gate }, 0.0005)))['range_m']?.length ?? 0
      );
    };
    expect(await seen(100, 0.5, 200)).toBe(1);
    expect(await seen(5, 0, 200)).toBe(1);
    expect(await seen(100, 0.5, 0)).toBe(0);
  });
});

describe('a dark plate before a bright one', () => {
  // Three of nine rays meet the near plate.
  const scene = sceneOf([plate(10, 0, 0.02), plate(10.3, 1)], [0.1, 0.9]);

  it('merged by a range resolution lies where the signal comes from', async () => {
    // Σ S·r / Σ S with S = ρ/R²: (3·0.1/10 + 6·0.9/10.3) / (3·0.1/10² + 6·0.9/10.3²) = 10.2833; the rays' slant adds
    // 0.1 mm.
    for (const mode of ['closest', 'strongest', 'first', 'all'] as const) {
      const table = await rowsOf(scene, sensorOf({ mode, rangeResolutionM: 0.5 }, 0.0129));
      expect(Math.abs((table['range_m']?.[0] ?? NaN) - 10.2834)).toBeLessThan(2e-4);
      expect(table['beam_share']?.[0]).toBeCloseTo(1, 6);
    }
  });

  it('of a waveform lies at its first peak in mode first, too', async () => {
    const waveform = { binNs: 1, pulseWidthNs: 4 };
    for (const mode of ['closest', 'first'] as const) {
      const table = await rowsOf(scene, sensorOf({ mode, waveform }, 0.0129));
      expect(Math.abs((table['range_m']?.[0] ?? NaN) - 10.2915)).toBeLessThan(1e-3);
    }
  });

  it('is chosen by what arrives where the sensor has a detection limit', async () => {
    // Near: ρ 0.3, 5 m; far: ρ 0.4, 90 m. By ρ·cos θ the far one, by power the near one.
    const apart = sceneOf([plate(5, 0, 0.01), plate(90, 1)], [0.3, 0.4]);
    expect((await rowsOf(apart, sensorOf({}, 0.0129)))['object_id']).toEqual([2]);
    const detection = { reflectance: 0.1, rangeM: 50, probability: 0.5, falseAlarmsPerPulse: 0 };
    expect((await rowsOf(apart, sensorOf({ detection }, 0.0129)))['object_id']).toEqual([1]);
  });
});
