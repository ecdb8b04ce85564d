// Surfaces, air and wavelengths from recipes, through the real worker, against closed forms.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReturnColumnName } from '#contract/columns.ts';
import type { MaterialRecipe, SceneRecipe, SensorRecipe } from '#contract/worker/recipe.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { openWorker, scanScene, sceneOf, singleBeam, slab, standingAt } from './bench.ts';

const strongest = { mode: 'strongest', signalCutoffM: 0, window: false } as const;
const pencil = singleBeam(1, 0, strongest);

let worker: ScanWorker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.dispose());

/** A wall of a material, its face `rangeM` ahead, turned about the vertical by `turnRad` there. */
function wallOf(material: Partial<MaterialRecipe>, rangeM: number, turnRad = 0): SceneRecipe {
  const scene = sceneOf([
    {
      source: { kind: 'plane', sizeM: [2, 2], divisions: 3, material: 0 },
      at: [{ positionM: [rangeM, 0, 0], rotation: upright(turnRad) }],
    },
  ]);
  return withMaterials(scene, [material]);
}

/** A plane lies flat: set up across x, then turned about the vertical. */
function upright(turnRad: number): [number, number, number, number] {
  const [a, b] = [Math.cos(turnRad / 2) * Math.SQRT1_2, Math.sin(turnRad / 2) * Math.SQRT1_2];
  return [-b, a, b, a];
}

function withMaterials(scene: SceneRecipe, materials: Partial<MaterialRecipe>[]): SceneRecipe {
  return {
    ...scene,
    materials: materials.map((material, index) => ({
      name: `material-${index}`,
      reflectance: 0.5,
      colourRgb: [0.5, 0.5, 0.5],
      ...material,
    })),
  };
}

async function returnsOf(
  scene: SceneRecipe,
  sensor: SensorRecipe,
  columns: ReturnColumnName[],
): Promise<Record<string, number[]>> {
  return (await scanScene(worker, scene, sensor, standingAt([0, 0, 0]), 0.5, columns)).table;
}

async function intensityOf(scene: SceneRecipe, sensor = pencil): Promise<number> {
  const { intensity } = await returnsOf(scene, sensor, ['intensity']);
  expect(intensity).toHaveLength(1);
  return intensity?.[0] ?? NaN;
}

const sixtyDegrees = Math.PI / 3;

describe('surfaces', () => {
  it('Lambert: reflectance times the cosine of the incidence', async () => {
    expect(await intensityOf(wallOf({}, 10))).toBeCloseTo(0.5, 6);
    expect(await intensityOf(wallOf({}, 10, sixtyDegrees))).toBeCloseTo(0.25, 6);
  });

  it('Oren and Nayar 1994, seen from the light', async () => {
    const roughnessRad = 0.5;
    const surface = { kind: 'oren-nayar', roughnessRad } as const;
    const a = 1 - (0.5 * 0.25) / (0.25 + 0.33);
    const b = (0.45 * 0.25) / (0.25 + 0.09);
    expect(await intensityOf(wallOf({ surface }, 10))).toBeCloseTo(0.5 * a, 6);
    expect(await intensityOf(wallOf({ surface }, 10, sixtyDegrees))).toBeCloseTo(
      0.5 * (a / 2 + (b * 3) / 4),
      6,
    );
  });

  it('a sign: its gain head on, half of it at its half width', async () => {
    const surface = { kind: 'retroreflector', gain: 80, halfWidthRad: 0.3 } as const;
    // The front of a plane points to where z is turned: away from the sensor, unless by half a turn.
    expect(await intensityOf(wallOf({ surface }, 10, Math.PI))).toBeCloseTo(80, 3);
    expect(await intensityOf(wallOf({ surface }, 10, Math.PI + 0.3))).toBeCloseTo(40, 3);
    expect(await intensityOf(wallOf({ surface }, 10))).toBeCloseTo(0.5, 6);
  });

  it('wet: 0.5 under water is 0.5 / (1.33² · 0.5 + 0.5) (Ångström 1925)', async () => {
    expect(await intensityOf(wallOf({ wetness: 1 }, 10))).toBeCloseTo(1 / (1.33 ** 2 + 1), 6);
    const half = 0.5 * (0.5 + 1 / (1.33 ** 2 + 1));
    expect(await intensityOf(wallOf({ wetness: 0.5 }, 10))).toBeCloseTo(half, 6);
  });

  it('a leaf by ρ alone, at the wavelength of the laser', async () => {
    const leaf: Partial<MaterialRecipe> = {
      reflectance: [
        [680, 0.05],
        [905, 0.48],
        [1550, 0.3],
      ],
      transmittance: [
        [680, 0.03],
        [905, 0.45],
        [1550, 0.25],
      ],
    };
    const scene = wallOf(leaf, 10);
    for (const [wavelengthNm, reflectance] of [
      [680, 0.05],
      [905, 0.48],
      [1550, 0.3],
    ] as const) {
      expect(await intensityOf(scene, { ...pencil, wavelengthNm })).toBeCloseTo(reflectance, 6);
    }
  });

  it('a spectrum at the wavelength of the laser', async () => {
    const scene = wallOf(
      {
        reflectance: [
          [900, 0.6],
          [1500, 0.2],
        ],
      },
      10,
    );
    expect(await intensityOf(scene, { ...pencil, wavelengthNm: 1200 })).toBeCloseTo(0.4, 6);
    expect(await intensityOf(scene, { ...pencil, wavelengthNm: 1550 })).toBeCloseTo(0.2, 6);
    // Left out: 905 nm.
    expect(await intensityOf(scene)).toBeCloseTo(0.6 - (0.4 * 5) / 600, 6);
  });
});

describe('radar equation', () => {
  const radar: SensorRecipe = { ...pencil, radiometry: 'radar-equation' };

  it('falls with the square of the distance, and not at all where it is relative', async () => {
    for (const rangeM of [5, 20, 80]) {
      // A float holds seven digits.
      expect((await intensityOf(wallOf({}, rangeM), radar)) * rangeM ** 2).toBeCloseTo(0.5, 6);
      expect(await intensityOf(wallOf({}, rangeM))).toBeCloseTo(0.5, 6);
    }
  });

  it('and with the air there and back: Kruse, 23 km, 1064 nm is 7.21e-5 per m', async () => {
    const air = { ...wallOf({}, 100), atmosphere: { visibilityKm: 23 } };
    const power = await intensityOf(air, { ...radar, wavelengthNm: 1064 });
    const perM = -Math.log((power * 100 ** 2) / 0.5) / 200;
    // Half a digit of what is printed; the rounding of power alone is 6e-8 / 200.
    expect(Math.abs(perM - 7.21e-5)).toBeLessThan(0.5e-7);
  });
});

describe('paths of a ray', () => {
  it('over a mirror: a virtual point at the whole length, the hit where it truly lies', async () => {
    const scene = withMaterials(
      sceneOf([
        {
          source: { kind: 'plane', sizeM: [2, 2], divisions: 2, material: 0 },
          at: [{ positionM: [5, 0, 0], rotation: upright(Math.PI / 4) }],
        },
        {
          source: { kind: 'box', sizeM: [2, 0.2, 2], material: 1 },
          at: [{ positionM: [5, -7.1, 0] }, { positionM: [5, 7.1, 0] }],
        },
      ]),
      [{ reflectance: 0, surface: { kind: 'mirror' } }, {}],
    );
    const columns = ['range_m', 'x_m', 'y_m', 'hit_x_m', 'hit_y_m', 'mirrors'] as const;
    const table = await returnsOf(scene, pencil, [...columns]);
    expect(table['range_m']).toHaveLength(1);
    const [rangeM, xM, yM, hitXM, hitYM, mirrors] = columns.map((name) => table[name]?.[0] ?? NaN);
    expect(rangeM).toBeCloseTo(12, 4);
    expect(xM).toBeCloseTo(12, 4);
    expect(yM).toBeCloseTo(0, 4);
    expect(hitXM).toBeCloseTo(5, 4);
    expect(Math.abs(hitYM ?? NaN)).toBeCloseTo(7, 4);
    expect(mirrors).toBe(1);
    expect((await returnsOf({ ...scene, mirrorDepth: 0 }, pencil, ['range_m']))['range_m']).toEqual(
      [],
    );
  });

  it('through gauze: shares (1 - g), g (1 - g) …, each its own echo', async () => {
    const scene = withMaterials(
      sceneOf([
        {
          source: { kind: 'plane', sizeM: [2, 2], divisions: 3, material: 0 },
          at: [4, 6].map((xM) => ({ positionM: [xM, 0, 0], rotation: upright(0) })),
        },
        slab(9, 'both'),
      ]),
      [{ reflectance: 0.3, gapFraction: 0.4 }],
    );
    const sensor: SensorRecipe = {
      ...pencil,
      beam: {
        ...pencil.beam,
        stencil: 'rays',
        rays: { count: 1, profile: 'uniform', sampling: 'stratified', dither: false },
      },
      returns: { ...strongest, mode: 'all', rangeResolutionM: 0.1, maxReturns: 2 },
    };
    const table = await returnsOf(scene, sensor, ['range_m', 'beam_share', 'intensity']);
    const expected = {
      range_m: [4, 6],
      beam_share: [0.6, 0.24],
      intensity: [0.3 * 0.6, 0.3 * 0.24],
    };
    for (const [name, values] of Object.entries(expected)) {
      expect(table[name]).toHaveLength(2);
      for (const [row, value] of values.entries()) expect(table[name]?.[row]).toBeCloseTo(value, 5);
    }
  });
});

describe('recipes that no light obeys', () => {
  it('are refused: more than all light, more mirrors than are counted', async () => {
    const bright = wallOf(
      {
        reflectance: [
          [900, 0.1],
          [1500, 0.7],
        ],
        transmittance: 0.4,
      },
      10,
    );
    await expect(intensityOf(bright)).rejects.toThrow(/materials\[0\].*at most 1 together/);
    for (const mirrorDepth of [-1, 33]) {
      const deep = { ...wallOf({}, 10), mirrorDepth };
      await expect(intensityOf(deep)).rejects.toThrow(
        /mirrorDepth: expected a whole number from 0 to 32/,
      );
    }
  });
});

describe('wide beams', () => {
  it('half a wall takes half of a thousand rays', async () => {
    const sensor = singleBeam(1, 0.01, { ...strongest, mode: 'first', signalCutoffM: 10 });
    const rays = {
      count: 1000,
      profile: 'uniform',
      sampling: 'stratified',
      dither: false,
    } as const;
    const table = await returnsOf(
      sceneOf([slab(20, 'left')]),
      { ...sensor, beam: { ...sensor.beam, stencil: 'rays', rays } },
      ['beam_share'],
    );
    // The edge cuts one of about sqrt(1000) strips of rays, which may fall to either side.
    expect(Math.abs((table['beam_share']?.[0] ?? NaN) - 0.5)).toBeLessThan(0.5 / Math.sqrt(1000));
  });
});
