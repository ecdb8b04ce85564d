// Browning 2012, section 6.3: a model of 400 m of trail, learned from 80 million points.
import { atLeast, atMost } from '../criteria.ts';
import type { Experiment } from '../experiment.ts';
import { section } from '../section.ts';
import { stationary } from '../trajectories.ts';
import { withSiteFiles } from './files.ts';
import { openSite, type SiteSize } from './site.ts';

/** 80 million returns at 3 m/s; a fifth of a percent of the beams judge. */
const size: SiteSize = {
  trainingFromM: 0,
  trainingM: 400,
  trainingS: 134,
  testFromM: 200,
  testM: 3,
  testS: 1,
};
const minReturns = 80e6;
/** Limits for two cores. */
const maxLearnS = 15 * 60;
const maxRssMB = 12_000;
const scanS = 1;

export const learnedLarge: Experiment = {
  name: 'learned-large',
  title: 'Learned models: 400 m',
  isFullOnly: true,
  async run(bench, { steps, onProgress }) {
    const large = await withSiteFiles(bench, steps, async (fileOf) => {
      const site = openSite(bench, steps, fileOf, 'long-trail', size);
      const { returns } = await site.countsOf('training');
      onProgress(0.5);
      const learned = await site.learned('voxel', 'voxel');
      onProgress(0.8);
      const mraysPerSecond = await steps.step(
        'large-rate',
        { size, elements: learned.hash },
        async () => {
          const { compiled } = await bench.validationScenario('long-trail');
          const sensor = compiled.sensors[0]?.recipe;
          if (sensor === undefined) throw new RangeError('the long trail has no sensor');
          const material = { leaf: { reflectance: 0.5 } };
          const file = await site.modelFile('voxel', 'voxel');
          const scene = await bench.scene(
            {
              materials: material,
              models: { site: { kind: 'learned', file, material: 'leaf' } },
              instances: [{ name: 'site', model: 'site', positionM: [0, 0, 0], onGround: false }],
            },
            1,
          );
          await bench.build(scene);
          const scanned = await bench.scan({
            sensor,
            trajectory: stationary({ positionM: [200, 0, 2], rotation: [0, 0, 0, 1] }),
            toNs: scanS * 1e9,
            seed: 1,
            columns: ['range_m'],
          });
          return scanned.result.pulses / scanned.result.traceSeconds / 1e6;
        },
      );
      return {
        returns,
        seconds: learned.seconds,
        peakRssMB: Math.round(learned.peakRssBytes / 1e6),
        elements: learned.elements,
        mraysPerSecond,
      };
    });
    return section({
      paper: [
        'Browning 2012, section 6.3: 400 m of trail, a Voxel Gaussian model from 80 million points.',
      ],
      ours: [
        `${(large.returns / 1e6).toFixed(1)} million returns give ${large.elements} elements in ${large.seconds.toFixed(0)} s with ${large.peakRssMB} MB; a scan of the model traces ${large.mraysPerSecond.toFixed(2)} million pulses a second.`,
      ],
      criteria: [
        atLeast('returns', large.returns, minReturns),
        atMost('seconds of learning', large.seconds, maxLearnS, 's'),
        atMost('memory', large.peakRssMB, maxRssMB, 'MB'),
      ],
      metrics: { learned: { large } },
    });
  },
};
