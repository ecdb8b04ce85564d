// The sample `optics` from end to end: the scenario file, compiled, traced by the worker, against what its
// heading says of every surface, in both radiometries (PHYSICS.md, 1.2 and 2.3).
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReturnColumnName } from '#contract/columns.ts';
import { instanceNames } from '#contract/worker/instanceNames.ts';
import type { SceneRecipe, SensorRecipe } from '#contract/worker/recipe.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createDocuments } from '#services/documents/documents.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { openWorker, scanScene, standingAt } from './bench.ts';

const assetsFolder = join(import.meta.dirname, '../../assets');
const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
const columns: ReturnColumnName[] = [
  'azimuth_rad',
  'range_m',
  'intensity',
  'beam_share',
  'object_id',
  'mirrors',
  'x_m',
  'y_m',
];

interface Echo {
  name: string | null;
  rangeM: number;
  intensity: number;
  share: number;
  mirrors: number;
  xM: number;
  yM: number;
}

/** A level ray at an azimuth, all its echoes. 1 m above the ground it meets only the objects there. */
const level = (radiometry: SensorRecipe['radiometry'], wavelengthNm: number): SensorRecipe => ({
  id: 'level',
  scan: {
    kind: 'sweep',
    rateHz: 1,
    minAzimuthRad: 0,
    maxAzimuthRad: Math.PI / 2,
    slotsPerScan: 1,
  },
  slotsPerSecond: 1,
  banks: [{ elevationsRad: [0], rings: [0] }],
  slotPattern: [0],
  minRangeM: 0,
  maxRangeM: 100,
  beam: {
    shape: 'circular',
    divergenceHorizontalRad: 0,
    divergenceVerticalRad: 0,
    stencil: 'rays',
    rays: { count: 1, profile: 'uniform', sampling: 'stratified', dither: false },
  },
  returns: { mode: 'all', signalCutoffM: 0, window: false, rangeResolutionM: 0.01 },
  ...(radiometry && { radiometry }),
  wavelengthNm,
});

let worker: ScanWorker;
let recipe: SceneRecipe;
beforeAll(async () => {
  worker = await openWorker();
  ({ recipe } = (await documents.compile('optics')).compiled);
});
afterAll(() => worker.dispose());

async function echoesAt(
  azimuthRad: number,
  radiometry: SensorRecipe['radiometry'] = 'relative',
  wavelengthNm = 905,
): Promise<Echo[]> {
  const sensor = level(radiometry, wavelengthNm);
  sensor.scan = { ...sensor.scan, minAzimuthRad: azimuthRad } as SensorRecipe['scan'];
  return echoesOf(sensor, [0, 0, 1]);
}

async function echoesOf(sensor: SensorRecipe, fromM: [number, number, number]): Promise<Echo[]> {
  const { table } = await scanScene(worker, recipe, sensor, standingAt(fromM), 0.5, columns);
  const nameOf = instanceNames(recipe);
  const at = (name: ReturnColumnName, row: number): number => table[name]?.[row] ?? NaN;
  return (table['range_m'] ?? []).map((rangeM, row) => ({
    name: nameOf(at('object_id', row)),
    rangeM,
    intensity: at('intensity', row),
    share: at('beam_share', row),
    mirrors: at('mirrors', row),
    xM: at('x_m', row),
    yM: at('y_m', row),
  }));
}

const degree = Math.PI / 180;
const roughness = (40 * degree) ** 2;
const a = 1 - (0.5 * roughness) / (roughness + 0.33);
const b = (0.45 * roughness) / (roughness + 0.09);

type Law = (cos: number, angleRad: number) => number;
const surfaces: [what: string, azimuthDeg: number, name: string, law: Law][] = [
  ['white panel', -31, 'white-panel', (cos) => 0.8 * cos],
  ['rough panel', -17, 'rough-panel', (cos) => 0.8 * (a * cos + b * (1 - cos * cos))],
  // Ångström 1925: 0.3 / (1.33² · 0.7 + 0.3).
  ['wet panel', -54.5, 'wet-panel', (cos) => (0.3 / (1.33 ** 2 * 0.7 + 0.3)) * cos],
  ['sign', 2.5, 'sign', (_, angle) => 200 * 2 ** -((angle / degree / 20) ** 2)],
];

// Single precision: ranges of some 10 m to 1e-6 m, intensities to 1e-6 of them.
const digits = 5;

describe('the optics scene', () => {
  it.each(surfaces)('gives the %s by its law', async (_, azimuthDeg, name, law) => {
    const angle = azimuthDeg * degree;
    const [echo, ...others] = await echoesAt(angle);
    expect(others).toEqual([]);
    expect(echo).toMatchObject({ name, share: 1, mirrors: 0 });
    expect(echo?.rangeM).toBeCloseTo(10 / Math.cos(angle), digits - 1);
    const expected = law(Math.cos(angle), angle);
    expect((echo?.intensity ?? NaN) / expected).toBeCloseTo(1, digits);
  });

  it('lets a quarter through the leaf, and splits the beam between leaf and panel', async () => {
    const angle = 16 * degree;
    const [leaf, panel, ...others] = await echoesAt(angle);
    expect(others).toEqual([]);
    expect(leaf).toMatchObject({ name: 'leaf', share: 0.75 });
    expect(panel).toMatchObject({ name: 'behind-the-leaf', share: 0.25 });
    expect(leaf?.rangeM).toBeCloseTo(5 / Math.cos(angle), digits - 1);
    expect(panel?.rangeM).toBeCloseTo(10 / Math.cos(angle), digits - 1);
    expect(leaf?.intensity).toBeCloseTo(0.75 * 0.48 * Math.cos(angle), digits);
    expect(panel?.intensity).toBeCloseTo(0.25 * 0.8 * Math.cos(angle), digits);
  });

  it('reads reflectances at the wavelength, between its points too', async () => {
    const at = async (nm: number): Promise<number> =>
      ((await echoesAt(16 * degree, 'relative', nm))[0]?.intensity ?? NaN) /
      (0.75 * Math.cos(16 * degree));
    expect(await at(680)).toBeCloseTo(0.05, digits);
    expect(await at(715)).toBeCloseTo((0.05 + 0.42) / 2, digits);
    expect(await at(2000)).toBeCloseTo(0.28, digits);
  });

  it('shows the panel behind the glass by what crosses a pane twice', async () => {
    const [echo, ...others] = await echoesAt(-45 * degree);
    expect(others).toEqual([]);
    // Fresnel by sines and tangents; a pane of lossless faces passes (1 - F) / (1 + F).
    const behind = Math.asin(Math.SQRT1_2 / 1.5);
    const [less, more] = [45 * degree - behind, 45 * degree + behind];
    const faces = [(Math.sin(less) / Math.sin(more)) ** 2, (Math.tan(less) / Math.tan(more)) ** 2];
    const passes = faces.reduce((sum, face) => sum + (1 - face) / (1 + face) / 2, 0);
    expect(echo).toMatchObject({ name: 'behind-the-glass', mirrors: 0 });
    expect(echo?.rangeM).toBeCloseTo(10 * Math.SQRT2, digits - 1);
    expect(echo?.share).toBeCloseTo(passes, digits);
    expect(echo?.intensity).toBeCloseTo(0.8 * passes ** 2 * Math.SQRT1_2, digits);
  });

  it('shows the bottom of the pool farther by the index', async () => {
    const sensor = level('relative', 905);
    const down = { ...sensor, banks: [{ elevationsRad: [-Math.PI / 2], rings: [0] }] };
    const [echo, ...others] = await echoesOf(down, [-3, 3, 1.2]);
    expect(others).toEqual([]);
    expect(echo).toMatchObject({ name: 'ground', mirrors: 0 });
    expect(echo?.rangeM).toBeCloseTo(1 + 1.33 * 0.2, digits - 1);
    const face = 1 - (0.33 / 2.33) ** 2;
    expect(echo?.share).toBeCloseTo(face * Math.exp(-7 * 0.2), digits);
    // Soil of 0.27, rough by 25 degrees, head on.
    const variance = (25 * degree) ** 2;
    const soil = 0.27 * (1 - (0.5 * variance) / (variance + 0.33));
    expect(echo?.intensity).toBeCloseTo(soil * (face * Math.exp(-7 * 0.2)) ** 2, digits);
  });

  it('shows the sign in the mirror at its mirrored place', async () => {
    const angle = Math.atan2(16, 10);
    const [echo, ...others] = await echoesAt(angle);
    expect(others).toEqual([]);
    expect(echo).toMatchObject({ name: 'sign', share: 1, mirrors: 1 });
    expect(echo?.rangeM).toBeCloseTo(Math.hypot(10, 16), digits - 1);
    expect(echo?.xM).toBeCloseTo(10, digits - 1);
    expect(echo?.yM).toBeCloseTo(16, digits - 1);
    const expected = 200 * 2 ** -((angle / degree / 20) ** 2);
    expect((echo?.intensity ?? NaN) / expected).toBeCloseTo(1, digits - 1);
  });

  it('weakens all of it by distance and by fog, there and back', async () => {
    // Kim's law below 0.5 km: 3.912 / V, whatever the wavelength.
    const extinctionPerM = 3.912 / 200;
    for (const azimuthRad of [-31 * degree, 16 * degree, Math.atan2(16, 10)]) {
      const relative = await echoesAt(azimuthRad);
      const absolute = await echoesAt(azimuthRad, 'radar-equation');
      expect(absolute.map(({ name }) => name)).toEqual(relative.map(({ name }) => name));
      for (const [index, { rangeM, intensity }] of absolute.entries()) {
        const factor = Math.exp(-2 * extinctionPerM * rangeM) / rangeM ** 2;
        const expected = (relative[index]?.intensity ?? NaN) * factor;
        expect(intensity / expected).toBeCloseTo(1, digits);
      }
    }
  });
});
