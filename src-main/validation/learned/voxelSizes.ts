// Browning 2012, figure 22: distances of sweeps and clouds by the size of voxels; too small and too large ones are worse
// than those between.
import { above } from '../criteria.ts';
import type { Experiment } from '../experiment.ts';
import { section } from '../section.ts';
import { withSiteFiles } from './files.ts';
import { longSize, openSite, shortSize } from './site.ts';

const sizesM = [0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.6, 1, 2];
const scene = 'off-road';

export const learnedVoxelSizes: Experiment = {
  name: 'learned-voxel-sizes',
  title: 'Learned models: size of voxels',
  isFullOnly: true,
  async run(bench, { isLong, steps, onProgress }) {
    const voxel: { scene: string; sizeM: number; sweepCm: number; cloudCm: number }[] = [];
    await withSiteFiles(bench, steps, async (fileOf) => {
      const site = openSite(bench, steps, fileOf, scene, isLong ? longSize : shortSize);
      for (const sizeM of sizesM) {
        const changes = { volume: { voxelM: sizeM } };
        const { sweepM, cloudM } = await site.judged(`voxel-${sizeM}`, 'voxel', 'a', changes);
        voxel.push({
          scene,
          sizeM,
          sweepCm: 100 * (sweepM ?? NaN),
          cloudCm: 100 * (cloudM ?? NaN),
        });
        onProgress(voxel.length / sizesM.length);
      }
    });
    const best = Math.min(...voxel.slice(1, -1).map(({ sweepCm }) => sweepCm));
    const [smallest] = voxel;
    const largest = voxel.at(-1);
    return section({
      paper: [
        'Browning 2012, figure 22: as voxels grow the structure of the site is smoothed; as they shrink fewer points describe each. The best size is about 0.30 m.',
      ],
      ours: [`Voxel Gaussian models of the ${scene} scene, judged on line a.`],
      charts: [
        {
          title: 'Distances by the size of voxels',
          x: { name: 'size of voxels', unit: 'm', isLog: true },
          y: { name: 'distance', unit: 'cm', from: 0 },
          series: [
            { name: 'sweeps', kind: 'line', data: voxel.map((each) => [each.sizeM, each.sweepCm]) },
            { name: 'clouds', kind: 'line', data: voxel.map((each) => [each.sizeM, each.cloudCm]) },
          ],
        },
      ],
      criteria: [
        above(
          'sweep distance of voxels of 0.05 m above the best between',
          smallest?.sweepCm ?? NaN,
          best,
          'cm',
        ),
        above(
          'sweep distance of voxels of 2 m above the best between',
          largest?.sweepCm ?? NaN,
          best,
          'cm',
        ),
      ],
      metrics: { learned: { voxel } },
    });
  },
};
