// Which parameters each kind of learned model is learned with.
import type { LearnedKind } from '#contract/worker/learnedModel.ts';
import type { LearnParameters } from '#contract/worker/learn.ts';

export type ParameterPart = keyof LearnParameters;

const ofElements = ['counting', 'minPoints', 'mahalanobisLimit', 'minSigmaM'] as const;
const ofVoxels = [...ofElements, 'voxelM', 'choosesVoxel'] as const;
const ofClusters = [...ofElements, 'means', 'stopPoints', 'restarts'] as const;
const ofTriangles = ['gridM', 'kernelM', 'hitOffsetM'] as const;

const usedFields: Record<
  LearnedKind,
  {
    [P in ParameterPart]?: readonly (keyof LearnParameters[P])[];
  }
> = {
  'nearest-neighbors': { surface: ['kernelM', 'pointRadiusM'] },
  surface: { surface: ['gridM', 'kernelM'] },
  'permeable-surface': { volume: ['counting'], surface: ofTriangles },
  voxel: { volume: ofVoxels },
  'top-down': { volume: ofClusters },
  hybrid: {
    volume: ofClusters,
    surface: ofTriangles,
    classifier: [
      'isLearned',
      'radiusM',
      'defaultSphericity',
      'minNeighbours',
      'filterNeighbours',
      'filterRadiusM',
      'distanceWeight',
      'scoreWeight',
      'volumeSphericity',
    ],
  },
};

/** Names of the parameters of a part that matter for one of the kinds. */
export function fieldsOfKinds(
  kinds: readonly LearnedKind[],
  part: ParameterPart,
): ReadonlySet<string> {
  return new Set(kinds.flatMap((kind) => usedFields[kind][part] ?? []));
}
