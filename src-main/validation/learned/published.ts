// Values that Browning 2012 prints, in tables 4 and 5 (shares of beams) and 6 and 7 (distances and likelihoods).
import type { LearnedMobileMetrics } from '#contract/host/validation.ts';
import type { LearnedKind } from '#contract/worker/learnedModel.ts';

export const driveScenes = ['urban', 'off-road'] as const;
export type DriveScene = (typeof driveScenes)[number];
export type PublishedMetrics = Pick<
  LearnedMobileMetrics,
  'hitsDetected' | 'missesDetected' | 'sweepCm' | 'cloudCm' | 'negLogL'
>;

const row = (
  hitsPercent: number,
  missesPercent: number,
  sweepCm: number,
  cloudCm: number,
  negLogL: number,
): PublishedMetrics => ({
  hitsDetected: hitsPercent / 100,
  missesDetected: missesPercent / 100,
  sweepCm,
  cloudCm,
  negLogL,
});

export const published: Record<DriveScene, Record<LearnedKind, PublishedMetrics>> = {
  urban: {
    voxel: row(99.3, 39.9, 15.23, 3.77, 6.59),
    'top-down': row(98.5, 38.3, 14.63, 3.74, 6.54),
    surface: row(99.8, 33.6, 81.44, 45.12, 9.59),
    'permeable-surface': row(95.9, 46.3, 12.72, 4.02, 8.39),
    'nearest-neighbors': row(99.8, 33.3, 18.19, 3.47, 9.65),
    hybrid: row(98.2, 39.6, 12.79, 3.48, 7.21),
  },
  'off-road': {
    voxel: row(98.6, 67.1, 17.46, 4.61, 6.84),
    'top-down': row(98.1, 66.5, 17.43, 4.55, 6.65),
    surface: row(99.8, 54.5, 29.11, 10.09, 10.76),
    'permeable-surface': row(93.8, 74.8, 16.07, 6.17, 9.52),
    'nearest-neighbors': row(99.9, 52.9, 22.91, 4.62, 10.5),
    hybrid: row(97.9, 66.6, 16.65, 4.38, 7.22),
  },
};
