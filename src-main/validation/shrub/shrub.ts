// Goodin 2018, section 3.4.3 and figure 8: a small potted shrub, 8 m away, seen by a HDL-64E from 91 places
// on a quarter circle. Three plants of one file are judged; the worst is the result.
import type { SceneSummary } from '#contract/worker/worker.ts';
import type { Experiment } from '../experiment.ts';
import { individualOf, type Individual } from './shrubModes.ts';
import { individual, rendering, scanAround, shrubScene, withoutStems } from './shrubScene.ts';
import { shrubSection } from './shrubSection.ts';

/** Seeds of the plants, whatever the seeds of the validation. */
const plantSeeds = [1, 2, 3];

export const shrub: Experiment = {
  name: 'shrub',
  title: 'Shrub',
  async run(bench, { onProgress }) {
    const scene = await shrubScene(bench);
    await bench.build(scene);
    const picture = await rendering(bench);
    const plants: Individual[] = [];
    for (const seed of plantSeeds) {
      const whole = individual(scene, seed);
      const density = leafAreaDensity(await bench.build(whole));
      const returns = await scanAround(bench, whole);
      const bare = withoutStems(whole);
      await bench.build(bare);
      plants.push(individualOf(seed, density, returns, await scanAround(bench, bare)));
      onProgress(plants.length / plantSeeds.length);
    }
    return shrubSection(plants, picture);
  },
};

/** One-sided leaf area over the volume of the crown, m²/m³, of the triangles that the generator made. */
function leafAreaDensity({ models }: SceneSummary): number {
  const foliage = models.find(({ name }) => name === 'shrub')?.foliage;
  return foliage ? foliage.leafAreaM2 / foliage.crownVolumeM3 : NaN;
}
