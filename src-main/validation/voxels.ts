// Voxel models against closed forms: what passes a slab, where and at what angles its leaves are met, and what the rays of
// a pulse share (PHYSICS.md, 2.11).
import type { SceneInput } from '#contract/documents/scene.ts';
import type { LeafAngleName } from '#contract/documents/plant.ts';
import { leafAngleLaws, meanProjection } from '#domain/metrics/leafAngles.ts';
import { radians } from '#domain/shared/numbers.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { mean, standardError } from '#domain/shared/statistics.ts';
import { closedForm, type ClosedForm, type Measurement } from './closedForm.ts';
import type { Fired, Laboratory } from './laboratory.ts';
import { formsPiece } from './parts.ts';
import { singleLaser, singleRay } from './simpleSensors.ts';
import { stationary } from './trajectories.ts';

/** A layer of leaves over the ground. */
const [bottomM, topM, widthM] = [2, 4, 40];
const [leafSizeM, reflectance] = [0.05, 0.5];
/** Above the ground. */
const sensorM = 10;

/** A file of few voxels: the density is the same everywhere. */
function slabText(densityPerM: number): string {
  const [across, along] = [4, 8];
  const rows = Array.from({ length: across * across * along }, (_, n) => {
    const [i, j, k] = [n % across, Math.floor(n / across) % across, Math.floor(n / across ** 2)];
    return `${i} ${j} ${k} ${densityPerM}`;
  });
  const half = widthM / 2;
  return [
    'VOXEL SPACE',
    `#min_corner: ${-half} ${-half} ${bottomM}`,
    `#max_corner: ${half} ${half} ${topM}`,
    `#split: ${across} ${across} ${along}`,
    'i j k PadBVTotal',
    ...rows,
    '',
  ].join('\n');
}

const sceneOf = (file: string, leafAngles: LeafAngleName): SceneInput => ({
  materials: { leaf: { reflectance }, soil: { reflectance: 0.3 } },
  models: { canopy: { kind: 'voxels', file, leafSizeM, leafAngles, material: 'leaf' } },
  ground: { kind: 'plane', sizeM: [100, 100], material: 'soil' },
  instances: [{ name: 'canopy', model: 'canopy', positionM: [0, 0, 0], onGround: false }],
});

interface SlabShot {
  law: LeafAngleName;
  densityPerM: number;
  zenithDeg: number;
}

type SlabRows = Fired<'z_m' | 'intensity'>;

function fireDown(
  laboratory: Laboratory,
  { law, densityPerM, zenithDeg }: SlabShot,
): Promise<SlabRows> {
  const { files, scratch } = laboratory.bench;
  const sensor = singleLaser({ beam: singleRay, range: { minM: 0, maxM: 100 } });
  const backM = (sensorM - (bottomM + topM) / 2) * Math.tan(radians(zenithDeg));
  const pose = {
    positionM: [-backM, 0, sensorM] as [number, number, number],
    rotation: rotationFromDegrees(0, 90 - zenithDeg, 0),
  };
  return scratch.use('vox', async (file) => {
    await files.writeText(file, slabText(densityPerM));
    const seconds = laboratory.isQuick ? 20 : 100;
    return laboratory.fire({
      scene: sceneOf(file, law),
      sensor,
      path: { trajectory: stationary(pose), toNs: seconds * 1e9 },
      columns: ['z_m', 'intensity'],
    });
  });
}

const transmissions: readonly SlabShot[] = [
  { law: 'spherical', densityPerM: 0.8, zenithDeg: 0 },
  { law: 'spherical', densityPerM: 0.3, zenithDeg: 50 },
  { law: 'planophile', densityPerM: 0.8, zenithDeg: 30 },
  { law: 'erectophile', densityPerM: 0.8, zenithDeg: 0 },
  { law: 'plagiophile', densityPerM: 0.8, zenithDeg: 20 },
  { law: 'uniform', densityPerM: 0.8, zenithDeg: 40 },
];

/** The share that passes, and the free paths of the rest. */
const transmission =
  (shot: SlabShot): Measurement =>
  async (laboratory) => {
    const { law, densityPerM, zenithDeg } = shot;
    const { z_m: heightsM, pulses } = await fireDown(laboratory, shot);
    const cosine = Math.cos(radians(zenithDeg));
    const lengthM = (topM - bottomM) / cosine;
    const found = leafAngleLaws.find(({ name }) => name === law);
    if (found === undefined) throw new RangeError(`no law ${law}`);
    const perM = meanProjection(found, radians(zenithDeg)) * densityPerM;
    const passing = Math.exp(-perM * lengthM);
    const pathsM = heightsM.filter((zM) => zM > bottomM - 1e-3).map((zM) => (topM - zM) / cosine);
    const name = `${law} leaves of ${densityPerM} m²/m³ at ${zenithDeg}°`;
    return [
      closedForm(
        {
          name: `${name}: share that passes`,
          expected: passing,
          // A table of G in steps of 1/64 of the cosine is 1e-4 off.
          tolerance: 2e-4 * perM * lengthM * passing,
          source: 'Monsi and Saeki 1953: exp(−GλL)',
        },
        {
          measured: 1 - pathsM.length / pulses,
          standardError: Math.sqrt((passing * (1 - passing)) / pulses),
        },
      ),
      closedForm(
        {
          name: `${name}: mean free path of the rest`,
          expected: 1 / perM - (lengthM * passing) / (1 - passing),
          unit: 'm',
          tolerance: 1e-3,
          source: 'exponential paths that end within L',
        },
        { measured: mean(pathsM), standardError: standardError(pathsM) },
      ),
    ];
  };

/** Spherical leaves are met with a density 2c of the cosine c. */
const metLeaves: Measurement = async (laboratory): Promise<ClosedForm[]> => {
  const { z_m: heightsM, intensity } = await fireDown(laboratory, {
    law: 'spherical',
    densityPerM: 3,
    zenithDeg: 20,
  });
  const cosines = intensity
    .filter((_, row) => (heightsM[row] ?? 0) > bottomM - 1e-3)
    .map((value) => value / reflectance);
  const squares = cosines.map((cosine) => cosine ** 2);
  const law = { tolerance: 1e-3, source: '∫ c^n · 2c dc' };
  return [
    closedForm(
      { name: 'spherical leaves that are met: mean cosine', expected: 2 / 3, ...law },
      { measured: mean(cosines), standardError: standardError(cosines) },
    ),
    closedForm(
      { name: 'spherical leaves that are met: mean square of the cosine', expected: 1 / 2, ...law },
      { measured: mean(squares), standardError: standardError(squares) },
    ),
  ];
};

/** Pulses of nine rays straight down: a spot far narrower than a leaf is one return, a far wider one several. */
const sharedLeaves: Measurement = async (laboratory) => {
  const { files, scratch } = laboratory.bench;
  const share = async (divergenceMrad: number): Promise<{ shared: number; pulses: number }> =>
    scratch.use('vox', async (file) => {
      await files.writeText(file, slabText(0.8));
      const pose = {
        positionM: [leafSizeM / 2, leafSizeM / 2, sensorM] as [number, number, number],
        rotation: rotationFromDegrees(0, 90, 0),
      };
      const fired = await laboratory.fire({
        scene: sceneOf(file, 'spherical'),
        sensor: singleLaser({
          divergenceMrad,
          returns: { mode: 'all', maxReturns: 9, rangeResolutionM: 0.01 },
        }),
        path: { trajectory: stationary(pose), toNs: 1e9 },
        columns: ['return_no', 'beam_share'],
      });
      const whole = fired.return_no.filter(
        (number, row) => number === 1 && (fired.beam_share[row] ?? 0) > 1 - 1e-6,
      );
      return { shared: whole.length / fired.pulses, pulses: fired.pulses };
    });
  const [narrow, wide] = [await share(0.01), await share(100)];
  const source = 'rays that enter within one leaf share its draw';
  return [
    closedForm(
      {
        name: 'spot of 0.06 mm on leaves of 5 cm: pulses with one return',
        expected: 0.98,
        comparison: 'above',
        source: `${source}: rims of leaves pass 0.2 % of the spots in each of eight voxels`,
      },
      narrow.shared,
    ),
    closedForm(
      {
        name: 'spot of 0.6 m on leaves of 5 cm: pulses with one return',
        expected: 0.05,
        comparison: 'below',
        source: 'all nine pass at most: exp(−0.8)⁹, or meet the same centimetre',
      },
      wide.shared,
    ),
  ];
};

export const voxelSlabs = formsPiece({
  name: 'voxel slabs',
  ours: `A layer of ${topM - bottomM} m of equal voxels over the ground, one ray a pulse: shares and free paths by law, density and zenith angle; cosines of the leaves that are met.`,
  rows: [...transmissions.map(transmission), metLeaves],
});

export const leavesOfPulses = formsPiece({
  name: 'leaves of pulses',
  catches: ['leaf-draws-unshared'],
  ours: 'Nine rays a pulse straight down on the same layer, in spots far smaller and far larger than a leaf.',
  rows: [sharedLeaves],
});
