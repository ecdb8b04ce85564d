// Goodin 2018, section 3.4.3 and figure 8: a small potted shrub, 8 m away, seen by a HDL-64E from 91 places
// on a quarter circle. Its ranges are broad and have two modes, foliage and trunk.
import type { Experiment } from '../experiment.ts';
import { findingsOf, type Individual } from './shrubModes.ts';
import { individual, rendering, scanAround, shrubScene, withoutStems } from './shrubScene.ts';
import { shrubSection } from './shrubSection.ts';

/** Of other individuals of the same plant, beside the one that scenes use. */
const otherSeeds = [2, 3];

export const shrub: Experiment = {
  name: 'shrub',
  title: 'Shrub',
  async run(bench, { isQuick, onProgress }) {
    const scene = await shrubScene(bench);
    await bench.build(scene);
    const picture = await rendering(bench);
    const returns = await scanAround(bench, scene);
    onProgress(0.3);
    const bare = withoutStems(scene);
    await bench.build(bare);
    const leavesAlone = await scanAround(bench, bare);
    onProgress(0.6);
    const others: Individual[] = [];
    for (const seed of isQuick ? [] : otherSeeds) {
      const other = individual(scene, seed);
      await bench.build(other);
      others.push({ seed, found: findingsOf(await scanAround(bench, other)) });
    }
    return shrubSection(returns, leavesAlone, others, picture);
  },
};
