// Voxel models against the meshes that they were made from: the same beams through discs, and through the voxels of the
// exact truth of the same discs (PHYSICS.md, 2.11 and 4.18).
import type { LeafAngleName } from '#contract/documents/plant.ts';
import type { SceneInput } from '#contract/documents/scene.ts';
import { ksCritical, ksDistanceOfTwo } from '#domain/metrics/distribution.ts';
import { leafAngleLaws } from '#domain/metrics/leafAngles.ts';
import { radians } from '#domain/shared/numbers.ts';
import { mean } from '#domain/shared/statistics.ts';
import { voxHeader, voxRows, type VoxelSpace } from '#domain/vegetation/voxelSpace.ts';
import type { Scene } from '#services/scans/sceneWork.ts';
import type { ValidationBench } from './bench.ts';
import { closedForm, type ClosedForm, type Measurement } from './closedForm.ts';
import { discAreaM2, discScene, drawDiscs, type DiscLayer } from './discs.ts';
import { formsPiece } from './parts.ts';
import { singleLaser, singleRay } from './simpleSensors.ts';
import { obliqueRaster } from './trajectories.ts';

const leafSizeM = 0.06;
const disc = { radiusM: leafSizeM / 2, sides: 16 };
const [widthM, heightM, densityPerM] = [3.6, 1.8, 1];
const voxelM = 0.45;
/** Its planes are those of the layer; discs reach over them by their radius. */
const space: VoxelSpace = {
  minM: [-2.25, -2.25, -voxelM],
  maxM: [2.25, 2.25, heightM + voxelM],
  split: [10, 10, 6],
  voxelM,
};
/** Upper face of the ground below the discs. */
const groundM = -0.2;
/** Far enough for beams as narrow as those of lidars: a few milliradians. */
const fromM = heightM + 30;
/** Beams of at most 30° cross the middle of the layer in this square, and so the layer alone. */
const aimedM = widthM - 0.2 - heightM * Math.tan(radians(30));
const spotM = 1.2 * leafSizeM;
const resolutionM = 0.15;
/**
 * How far the distributions of first returns may be apart for spots: rays share leaves by cubes, which are like the outlines of
 * discs in the mean alone. Single rays have one law.
 */
const spotDistance = 0.02;

interface Case {
  law: LeafAngleName;
  zenithDeg: number;
  /** One ray, or nine in a spot somewhat wider than a leaf. */
  beam: 'ray' | 'spot';
}

/** Results of the pulses of one scene. */
interface Seen {
  /** By draw: the share of the beams that reaches the ground, returns a pulse. */
  passing: number[];
  returns: number[];
  /** Heights of first returns from leaves. */
  firstM: number[];
}

const noneSeen = (): Seen => ({ passing: [], returns: [], firstM: [] });

function againstMesh(each: Case): Measurement {
  const { law, zenithDeg, beam } = each;
  return async ({ bench, isQuick, seeds }) => {
    const [mesh, voxels] = [noneSeen(), noneSeen()];
    const drawsPerSeed = Math.ceil((isQuick ? 48 : 160) / seeds.length);
    for (const seed of seeds) {
      for (let draw = 0; draw < drawsPerSeed; draw += 1) {
        const stream = 9000 + draw;
        await bench.build(await discScene(bench, disc, drawDiscs(layerOf(law), seed, stream)));
        await see(bench, each, seed + draw, mesh);
        await withVoxels(bench, law, async (scene) => {
          await bench.build(scene);
          await see(bench, each, seed + draw, voxels);
        });
      }
    }
    const name = `${law} discs at ${zenithDeg}°, ${beam === 'ray' ? 'one ray' : 'spots of 1.2 leaves'}, as voxels`;
    return formsOf(name, mesh, voxels, beam === 'ray' ? 0 : spotDistance);
  };
}

function formsOf(name: string, mesh: Seen, voxels: Seen, allowedDistance: number): ClosedForm[] {
  const source = 'the same beams through the mesh';
  const ratio = (of: 'passing' | 'returns') => {
    const expected = mean(mesh[of]);
    return { expected, measured: mean(voxels[of]) };
  };
  const [passing, returns] = [ratio('passing'), ratio('returns')];
  const pairs =
    (mesh.firstM.length * voxels.firstM.length) / (mesh.firstM.length + voxels.firstM.length);
  return [
    closedForm(
      { name: `${name}: share that passes`, tolerance: 0.03 * passing.expected, source },
      passing,
    ),
    closedForm(
      { name: `${name}: returns of a pulse`, tolerance: 0.05 * returns.expected, source },
      returns,
    ),
    closedForm(
      {
        name: `${name}: heights of first returns, Kolmogorov and Smirnov`,
        comparison: 'below',
        source: `${source}: ${allowedDistance}, and what two samples of one law exceed once in a thousand`,
      },
      {
        measured: ksDistanceOfTwo(mesh.firstM, voxels.firstM),
        expected: allowedDistance + ksCritical(pairs),
      },
    ),
  ];
}

function layerOf(name: LeafAngleName): DiscLayer {
  const law = leafAngleLaws.find((each) => each.name === name);
  if (law === undefined) throw new RangeError(`no law ${name}`);
  const discs = Math.round((densityPerM * widthM ** 2 * heightM) / discAreaM2(disc));
  return { law, ...disc, widthM, heightM, discs };
}

/** The exact leaf area of the scene that is built, as a voxel model over the same ground. */
async function withVoxels(
  bench: ValidationBench,
  leafAngles: LeafAngleName,
  work: (scene: Scene) => Promise<void>,
): Promise<void> {
  const { minM, split } = space;
  const truth = await bench.ask('truth.voxels', {
    minM,
    stepM: [voxelM, voxelM, voxelM],
    split,
    memoryLimitBytes: 1e9,
  });
  const rows = truth.chunks.map(({ body, columns }) => {
    // A disc has two faces.
    const leaf = columns.leaf_area_m2.map((areaM2) => areaM2 / 2);
    return voxRows(space, body.from, { leaf, wood: columns.wood_area_m2 });
  });
  await bench.scratch.use('vox', async (file) => {
    await bench.files.writeText(file, voxHeader(space, ['LeafArea', 'WoodArea']) + rows.join(''));
    const document: SceneInput = {
      materials: { leaf: { reflectance: 0.5 }, soil: { reflectance: 0.3 } },
      models: {
        backdrop: { kind: 'box', sizeM: [20, 20, 0.1], material: 'soil' },
        canopy: { kind: 'voxels', file, leafSizeM, leafAngles, material: 'leaf' },
      },
      instances: [
        { name: 'backdrop', model: 'backdrop', positionM: [0, 0, groundM - 0.05], onGround: false },
        { name: 'canopy', model: 'canopy', positionM: [0, 0, 0], onGround: false },
      ],
    };
    await work(await bench.scene(document, 1));
  });
}

/** Fires the beams of a case at the scene that is built. */
async function see(
  bench: ValidationBench,
  { zenithDeg, beam }: Case,
  seed: number,
  seen: Seen,
): Promise<void> {
  const distanceM = (fromM - heightM / 2) / Math.cos(radians(zenithDeg));
  // Farther apart than leaves and spots are wide.
  const spacingM = beam === 'ray' ? 0.064 : 0.16;
  const perSide = Math.floor(aimedM / spacingM);
  const { columns } = await bench.scan({
    sensor: await bench.sensor(
      singleLaser({
        ...(beam === 'ray' ? { beam: singleRay } : { divergenceMrad: (1000 * spotM) / distanceM }),
        range: { minM: 0, maxM: 100 },
        returns: { mode: 'all', signalCutoffM: 0, rangeResolutionM: resolutionM, maxReturns: 9 },
      }),
    ),
    ...obliqueRaster(perSide, { sideM: perSide * spacingM, fromM, atM: heightM / 2, zenithDeg }),
    seed,
    columns: ['z_m', 'return_no', 'beam_share'],
  });
  const pulses = perSide ** 2;
  let passing = 0;
  for (const [row, zM] of columns.z_m.entries()) {
    const isLeaf = zM > groundM + 0.02;
    if (!isLeaf) passing += columns.beam_share[row] ?? NaN;
    else if (columns.return_no[row] === 1) seen.firstM.push(zM);
  }
  seen.passing.push(passing / pulses);
  seen.returns.push(columns.z_m.length / pulses);
}

const cases: readonly Case[] = [
  { law: 'spherical', zenithDeg: 0, beam: 'ray' },
  { law: 'planophile', zenithDeg: 30, beam: 'ray' },
  { law: 'spherical', zenithDeg: 30, beam: 'spot' },
  { law: 'planophile', zenithDeg: 30, beam: 'spot' },
  { law: 'erectophile', zenithDeg: 30, beam: 'spot' },
];

export const voxelsOfMesh = formsPiece({
  name: 'voxels of a mesh',
  ours: `Discs of ${leafSizeM} m, ${densityPerM} m²/m³ in a layer of ${widthM} × ${widthM} × ${heightM} m, and voxels of ${voxelM} m with the exact leaf area of the same discs: beams of one ray, and of nine rays in spots of 1.2 leaves.`,
  rows: cases.map(againstMesh),
});
