// The kinds of learned models as the Learn page names them.
import type { LearnedKind } from '#contract/worker/learnedModel.ts';

export { fieldsOfKinds, type ParameterPart } from '#domain/shared/usedLearnParameters.ts';

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
