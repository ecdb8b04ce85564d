// The kinds of learned models, and the parameters that each is learned with.
import type { LearnedKind } from '#contract/worker/learnedModel.ts';
import type { LearnParameters } from '#contract/worker/learn.ts';

export type ParameterPart = keyof LearnParameters;

export const kindNames: Record<LearnedKind, string> = {
  'nearest-neighbors': 'Nearest neighbors',
  surface: 'Surface',
  'permeable-surface': 'Permeable surface',
  voxel: 'Voxel',
  'top-down': 'Top down',
  hybrid: 'Hybrid',
};

/** One line each. */
export const kindHints: Record<LearnedKind, string> = {
  'nearest-neighbors': 'returns with their normals',
  surface: 'triangles of an implicit surface',
  'permeable-surface': 'triangles that pass a share of the beams',
  voxel: 'a Gaussian for each voxel',
  'top-down': 'a Gaussian for each cluster of a hierarchy',
  hybrid: 'triangles for surfaces, Gaussians for plants',
};

/** The order of the form: the one that suits most sites first. */
export const kindsByUse: readonly LearnedKind[] = [
  'hybrid',
  'top-down',
  'voxel',
  'permeable-surface',
  'surface',
  'nearest-neighbors',
];

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
  'permeable-surface': { surface: ofTriangles },
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
