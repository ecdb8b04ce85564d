// Voxel models by the command line: Beer and Lambert's law with the projection of the leaves, where leaves are met and at
// what angles, what rays of a pulse share, and files that are refused.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LeafAngleName } from '#contract/documents/plant.ts';
import type { SensorInput } from '#contract/documents/sensor.ts';
import { runHere } from '#test/support/commandLine.ts';
import { circularBeam, flatGround, placed, scenario, sensor } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { scanned } from '#test/support/scan.ts';

const [leaf, soil] = [0.5, 0.3];

/** A slab from z = 2 to 4 m, 10 × 10 m, of one density. */
function slab(densityPerM: number): string {
  const rows = [];
  for (let i = 0; i < 20; i += 1) {
    for (let j = 0; j < 20; j += 1) {
      for (let k = 0; k < 4; k += 1) rows.push(`${i} ${j} ${k} ${densityPerM} 0`);
    }
  }
  const head = ['VOXEL SPACE', '#min_corner: -5 -5 2', '#max_corner: 5 5 4', '#split: 20 20 4'];
  return [...head, '#res: 0.5 #MAX_PAD: 5', 'i j k PadBVTotal angleMean', ...rows, ''].join('\n');
}

const sceneOf = (leafAngles: LeafAngleName, file = 'slab.vox'): string =>
  scenario({
    materials: { leaf: { reflectance: leaf }, soil: { reflectance: soil } },
    models: { canopy: { kind: 'voxels', file, leafAngles, leafSizeM: 0.05, material: 'leaf' } },
    ground: { ...flatGround(60), material: 'soil' },
    instances: [placed('canopy', [0, 0, 0], { onGround: false })],
  });

/** So many pulses a second along one line, of rays in a spot. */
const beamOf = (divergenceMrad: number, rays: number): Partial<SensorInput> => ({
  scan: { kind: 'sweep', rateHz: 1000, minAzimuthDeg: 0, maxAzimuthDeg: 0, slotsPerScan: 20 },
  beam: circularBeam(divergenceMrad, rays),
});

async function scanDown(zenithDeg: number, leafAngles: LeafAngleName, densityPerM: number) {
  const zenithRad = (zenithDeg * Math.PI) / 180;
  // Through the middle of the slab, from 10 m above it.
  const xM = -10 * Math.tan(zenithRad);
  const { rows } = await scanned({
    scene: sceneOf(leafAngles),
    files: { 'slab.vox': slab(densityPerM) },
    sensor: sensor(beamOf(0, 1)),
    pose: [xM, 0, 13, 0, 90 - zenithDeg],
    seconds: 1,
    columns: 'z_m,intensity,range_m,material_id',
  });
  return { rows, cosine: Math.cos(zenithRad) };
}

/** G is ½ for spherical leaves in all directions; others by their integrals (reference values, Wang 2007). */
it.each<[LeafAngleName, number, number]>([
  ['spherical', 0, 0.5],
  ['spherical', 40, 0.5],
  ['planophile', 0, 0.849],
  ['planophile', 30, 0.738],
  ['erectophile', 0, 0.424],
])('%s leaves at a zenith angle of %d° let exp(-%dλL) through', async (law, zenithDeg, g) => {
  const { rows, cosine } = await scanDown(zenithDeg, law, 0.8);
  expect(rows).toHaveLength(20_000);
  const lengthM = 2 / cosine;
  const onGround = rows.filter((row) => (row['z_m'] ?? NaN) < 1);
  const expected = Math.exp(-g * 0.8 * lengthM);
  const share = onGround.length / rows.length;
  // 3.5 standard errors, and what three digits of G lose.
  const error = 3.5 * Math.sqrt((expected * (1 - expected)) / rows.length) + 1e-3;
  expect(Math.abs(share - expected)).toBeLessThan(error);
  // Free paths are exponential: their mean among those that end.
  const rate = g * 0.8;
  const paths = rows
    .map((row) => (4 - (row['z_m'] ?? NaN)) / cosine)
    .filter((pathM) => pathM <= lengthM + 1e-6);
  const meanM = paths.reduce((sum, pathM) => sum + pathM, 0) / paths.length;
  const expectedM = 1 / rate - (lengthM * expected) / (1 - expected);
  expect(Math.abs(meanM - expectedM)).toBeLessThan(0.03 * expectedM);
});

it('leaves are met by their projected area: spherical ones at a mean cosine of two thirds', async () => {
  const { rows } = await scanDown(20, 'spherical', 3);
  const cosines = rows
    .filter((row) => (row['z_m'] ?? NaN) > 1)
    .map((row) => (row['intensity'] ?? NaN) / leaf);
  const mean = cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
  // Density 2c: variance 1/18.
  expect(Math.abs(mean - 2 / 3)).toBeLessThan(3.5 * Math.sqrt(1 / 18 / cosines.length) + 1e-3);
});

it('rays of a pulse within a leaf of each other meet the same leaf, others their own', async () => {
  const partly = async (divergenceMrad: number): Promise<number> => {
    const { rows } = await scanned({
      scene: sceneOf('spherical'),
      files: { 'slab.vox': slab(0.8) },
      sensor: sensor({
        ...beamOf(divergenceMrad, 9),
        returns: { mode: 'all', maxReturns: 9, rangeResolutionM: 0.02, signalCutoffM: 0 },
      }),
      pose: [0.0125, 0.0125, 13, 0, 90],
      seconds: 0.2,
      columns: 'time_ns,beam_share,return_no',
    });
    const first = rows.filter((row) => row['return_no'] === 1);
    return first.filter((row) => (row['beam_share'] ?? NaN) < 0.999).length / first.length;
  };
  // Rims of leaves of 5 cm part few spots of 0.1 mm; a spot of 1 m meets as many leaves as it has rays.
  expect(await partly(0.01)).toBeLessThan(0.03);
  expect(await partly(100)).toBeGreaterThan(0.9);
});

it.each([
  ['no header', 'i j k PadBVTotal\n0 0 0 1\n', /line 1: expected VOXEL SPACE/],
  [
    'no split',
    'VOXEL SPACE\n#min_corner: 0 0 0\n#max_corner: 1 1 1\ni j k Pad\n',
    /line 4: .*#split/,
  ],
  ['no density', slab(1).replace('PadBVTotal', 'Transmittance'), /line 6: .*begins with Pad/],
  ['a voxel outside', `${slab(1)}20 0 0 1 0\n`, /line 1607: expected a voxel of the grid/],
  ['a voxel twice', `${slab(1)}0 0 0 1 0\n`, /line 1607: expected each voxel once/],
  ['a negative density', slab(-1), /line 7: expected a density of at least 0/],
  ['no leaves', slab(0), /expected a density above 0/],
  ['an archive that is none', 'PK as text', /byte 10: expected the directory of an archive/],
])('a file of voxels with %s is refused by its line', async (_, text, message) => {
  const files = { 'slab.vox': text, 'scene.yaml': sceneOf('spherical'), 'sensor.yaml': sensor() };
  const folder = temporaryFolder(files);
  const args = [
    `--sensor=${join(folder, 'sensor.yaml')}`,
    '--pose=0,0,9,0',
    '--seconds=0.1',
    '--out=x.csv',
  ];
  const { exitCode, stderr } = await runHere(folder, 'scan', join(folder, 'scene.yaml'), ...args);
  expect(exitCode).not.toBe(0);
  expect(stderr).toMatch(message);
});
