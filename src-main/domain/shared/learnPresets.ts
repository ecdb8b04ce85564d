// Parameters of learned models as they were published.
import type { LearnParameters } from '#contract/worker/learn.ts';

/** Browning 2012, table 12. The numbers of the classifier, which the paper learns from labels, are ours, and not tuned. */
const browning2012: LearnParameters = {
  volume: {
    counting: 'owner',
    voxelM: 0.4,
    choosesVoxel: false,
    minPoints: 5,
    mahalanobisLimit: 3.5,
    minSigmaM: 0.001,
    means: 10,
    stopPoints: 120,
    restarts: 3,
  },
  surface: { gridM: 0.3, kernelM: 0.4, hitOffsetM: 0.5, pointRadiusM: 0.01 },
  classifier: {
    isLearned: true,
    radiusM: 0.4,
    defaultSphericity: 0.1,
    minNeighbours: 10,
    filterNeighbours: 30,
    filterRadiusM: 0.5,
    distanceWeight: 1,
    scoreWeight: 1,
    volumeSphericity: 0.06,
  },
};

/** By name. `deschaud-2012`: voxels of 5 cm, two means, smaller ellipsoids, its counting. */
export const learnPresets = {
  'browning-2012': browning2012,
  'deschaud-2012': {
    volume: {
      ...browning2012.volume,
      counting: 'ellipsoid',
      voxelM: 0.05,
      mahalanobisLimit: 2,
      means: 2,
    },
    surface: { ...browning2012.surface, gridM: 0.01, kernelM: 0.04 },
    classifier: browning2012.classifier,
  },
} as const satisfies Record<string, LearnParameters>;
