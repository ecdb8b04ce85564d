// Models learned with one sensor, judged by another on a new line: what Browning 2012, note 5, leaves to future work.
import { learnedKinds } from '#contract/worker/learnedModel.ts';
import type { LearnedMobileMetrics } from '#contract/host/validation.ts';
import type { Experiment } from '../experiment.ts';
import { section } from '../section.ts';
import { withSiteFiles } from './files.ts';
import { mobileMetrics, metricsTable } from './mobile.ts';
import { driveScenes } from './published.ts';
import { longSize, openSite, shortSize } from './site.ts';

const sensor = 'vlp-16';

export const learnedOtherSensor: Experiment = {
  name: 'learned-other-sensor',
  title: 'Learned models: another sensor',
  isFullOnly: true,
  async run(bench, { isLong, steps, onProgress }) {
    const otherSensor: LearnedMobileMetrics[] = [];
    for (const scene of driveScenes) {
      await withSiteFiles(bench, steps, async (fileOf) => {
        const site = openSite(bench, steps, fileOf, scene, isLong ? longSize : shortSize, sensor);
        for (const model of learnedKinds) {
          const reply = await site.judged(model, model, 'other');
          otherSensor.push(mobileMetrics(scene, `b, ${sensor}`, model, reply));
          onProgress(otherSensor.length / (driveScenes.length * learnedKinds.length));
        }
      });
    }
    return section({
      paper: [
        'Browning 2012 simulates the sensor that the data came from, and leaves others to future work.',
      ],
      ours: [
        `Models of the mobile experiment, learned from 64 lasers, against the log of a ${sensor} 4 m beside the training line. The log has the noise and the detection limit of that sensor; elements hold those of the sensor they were learned with. Reported without criteria.`,
      ],
      tables: [metricsTable(otherSensor)],
      metrics: { learned: { otherSensor } },
    });
  },
};
