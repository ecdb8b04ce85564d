// A leaf's transmittance went straight on: one of 0.45 gave the wall behind it 45 % of the ray, glass of 0.8 gave it
// 0.8 and not 0.8². Gaps, glass and leaves are three surfaces (PHYSICS.md, 1.2).
import { expect, it } from 'vitest';
import type { SceneInput } from '#contract/documents/scene.ts';
import { placed, scenario, sensor } from '#test/support/documents.ts';
import { scanned } from '#test/support/scan.ts';

type MaterialInput = SceneInput['materials'][string];

const scene = (sheet: MaterialInput): string =>
  scenario({
    materials: { white: { reflectance: 1 }, sheet },
    models: {
      sheet: { kind: 'plane', sizeM: [2, 2], material: 'sheet' },
      wall: { kind: 'box', sizeM: [0.1, 40, 40], material: 'white' },
    },
    instances: [placed('sheet', [5, 0, 0], { pitchDeg: -90 }), placed('wall', [10.05, 0, 0])],
  });

const ray = sensor({
  radiometry: 'relative',
  returns: { mode: 'all', signalCutoffM: 1, rangeResolutionM: 0.1 },
});

/** Range to the millimetre: intensity and share of the beam. */
async function rowsOf(sheet: MaterialInput): Promise<Map<number, [number, number]>> {
  const columns = 'range_m,intensity,beam_share';
  const { rows } = await scanned({ scene: scene(sheet), sensor: ray, columns });
  return new Map(
    rows.map(({ range_m: rangeM = NaN, intensity = NaN, beam_share: share = NaN }) => [
      Math.round(rangeM * 1000) / 1000,
      [intensity, share],
    ]),
  );
}

it.each([
  ['gauze: what is beside it', { reflectance: 0.05, gapFraction: 0.8 }, 0.8, 0.8],
  // Head on, each face of index 1.5 mirrors 4 %, a pane 2 · 0.04 / 1.04: T is 12/13.
  ['glass: T²', { reflectance: 0, surface: { kind: 'glass' } }, (12 / 13) ** 2, 12 / 13],
] as const)('%s comes back', async (_, sheet, intensity, share) => {
  const wall = (await rowsOf(sheet)).get(10);
  expect(wall?.[0]).toBeCloseTo(intensity, 6);
  expect(wall?.[1]).toBeCloseTo(share, 6);
});

it('behind a leaf nothing does, and gauze keeps what its gaps leave', async () => {
  const leaf = await rowsOf({ reflectance: 0.48, transmittance: 0.45 });
  expect([...leaf.keys()]).toEqual([5]);
  expect(leaf.get(5)?.[0]).toBeCloseTo(0.48, 6);
  const gauze = (await rowsOf({ reflectance: 0.05, gapFraction: 0.8 })).get(5);
  expect(gauze?.[0]).toBeCloseTo(0.01, 6);
  expect(gauze?.[1]).toBeCloseTo(0.2, 6);
});

it('water shows what lies below it farther by the index, through its face and itself twice', async () => {
  const rows = await rowsOf({ reflectance: 0, surface: { kind: 'water', absorptionPerM: 0.1 } });
  expect([...rows.keys()]).toEqual([5 + 1.33 * 5]);
  const face = 1 - (0.33 / 2.33) ** 2;
  const [[intensity = NaN, share = NaN] = []] = rows.values();
  expect(intensity).toBeCloseTo(face ** 2 * Math.exp(-2 * 0.1 * 5), 6);
  expect(share).toBeCloseTo(face * Math.exp(-0.1 * 5), 6);
});
