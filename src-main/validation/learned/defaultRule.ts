// Browning 2012, tables 4 to 7, by the papers' counting rule and by the default one, which the papers do not have.
import type { LearnedMobileMetrics } from '#contract/host/validation.ts';
import { metricText, metricTitle } from '#domain/shared/learnedMetrics.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import type { LearnChanges } from '../bench.ts';
import type { Experiment } from '../experiment.ts';
import { section } from '../section.ts';
import { withSiteFiles } from './files.ts';
import { mobileMetrics } from './mobile.ts';
import { driveScenes, published, type PublishedMetrics } from './published.ts';
import { longSize, openSite, shortSize } from './site.ts';

/** The others count no passes. */
const models = ['voxel', 'top-down', 'permeable-surface', 'hybrid'] as const;
const { counting } = learnPresets['browning-2012'].volume;
const byDefault: LearnChanges = { volume: { counting } };

export const learnedDefaultRule: Experiment = {
  name: 'learned-default-rule',
  title: 'Learned models: the default rule',
  isFullOnly: true,
  async run(bench, { isLong, steps, onProgress }) {
    const defaultRule: LearnedMobileMetrics[] = [];
    const rows: string[][] = [];
    for (const scene of driveScenes) {
      await withSiteFiles(bench, steps, async (fileOf) => {
        const site = openSite(bench, steps, fileOf, scene, isLong ? longSize : shortSize);
        for (const model of models) {
          const ofPapers = await site.judged(model, model, 'a');
          const reply = await site.judged(`${model}-default`, model, 'a', byDefault);
          const [papers, own] = [ofPapers, reply].map((each) =>
            mobileMetrics(scene, 'a', model, each),
          );
          if (papers === undefined || own === undefined) continue;
          defaultRule.push(own);
          rows.push(
            [scene, model, 'printed', ...texts(published[scene][model])],
            [scene, model, 'rule of the papers', ...texts(papers)],
            [scene, model, 'default rule', ...texts(own)],
          );
          onProgress(defaultRule.length / (driveScenes.length * models.length));
        }
      });
    }
    return section({
      paper: ['Browning 2012, tables 4 to 7.'],
      ours: ['Models of the mobile experiment, line a, by both rules. Reported without criteria.'],
      tables: [
        {
          title: 'Metrics by the rule of counting',
          columns: [
            ...['scene', 'model', 'values'],
            ...(['hitsDetected', 'missesDetected', 'sweepM', 'cloudM', 'negLogL'] as const).map(
              metricTitle,
            ),
          ],
          rows,
        },
      ],
      metrics: { learned: { defaultRule } },
    });
  },
};

function texts(metrics: PublishedMetrics): string[] {
  return [
    metricText('hitsDetected', metrics.hitsDetected),
    metricText('missesDetected', metrics.missesDetected),
    metricText('sweepM', metrics.sweepCm / 100),
    metricText('cloudM', metrics.cloudCm / 100),
    metricText('negLogL', metrics.negLogL),
  ];
}
