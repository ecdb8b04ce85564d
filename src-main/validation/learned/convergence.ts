// Optical depth of homogeneous slabs with ten times the beams of the closed forms: an estimator that converges is nearer to
// the truth.
import type { Experiment } from '../experiment.ts';
import { within } from '../criteria.ts';
import { section } from '../section.ts';
import { withSiteFiles } from './files.ts';
import { learnedDepth, slabText, type SlabCase } from './slabs.ts';

/** Tried with so many that the deviation of a depth is less than half a per cent. */
const beams = { training: 1_000_000, test: 200_000 };
const tolerance = 0.03;
const depths = [0.3, 3];
/** Noise of the wall behind. */
const wallsM = [0.002, 0.035];
const models: readonly Pick<SlabCase, 'model' | 'volume'>[] = [
  ...[0.1, 0.2, 0.5].map((voxelM) => ({ model: 'voxel' as const, volume: { voxelM } })),
  { model: 'top-down', volume: {} },
  { model: 'hybrid', volume: {} },
];

export const learnedConvergence: Experiment = {
  name: 'learned-convergence',
  title: 'Learned models: slabs from many beams',
  isFullOnly: true,
  async run(bench, { steps, onProgress }) {
    const cases = models.flatMap((of) =>
      wallsM.flatMap((wallM) => depths.map((depth): SlabCase => ({ ...of, depth, wallM }))),
    );
    const found: { slab: SlabCase; depth: number }[] = [];
    await withSiteFiles(bench, steps, async (fileOf) => {
      for (const slab of cases) {
        const name = `slab-${cases.indexOf(slab)}`;
        const learn = () => learnedDepth(bench, fileOf, slab, beams);
        found.push({ slab, depth: await steps.step(name, { slab, beams }, learn) });
        onProgress(found.length / cases.length);
      }
    });
    return section({
      paper: ['The estimator of permeability converges: more beams come nearer to the truth.'],
      ours: [
        `Slabs of 3 m with a known optical depth, ${beams.training / 1e6} million beams, the default rule. Walls stand 4.1 m behind the slab.`,
      ],
      criteria: found.map(({ slab, depth }) =>
        within(`${slabText(slab)}, share of the truth`, depth / slab.depth, 1, tolerance),
      ),
    });
  },
};
