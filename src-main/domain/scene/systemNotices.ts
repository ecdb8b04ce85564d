// Notices about learned models of another coordinate reference system than the scene. Why no problem: a model may be
// placed anywhere, as any mesh; only where its log was it needs the system of the log.
import { formatPath } from '#contract/documents/problems.ts';
import type { ModelSummary } from '#contract/worker/worker.ts';
import { isSameSystem, systemName } from '#domain/shared/coordinateSystem.ts';
import type { Notice } from '#domain/shared/notice.ts';

/** One notice for each such model; none where scene or model state no system. */
export function systemNotices(
  models: readonly Pick<ModelSummary, 'name' | 'learnedCrs'>[],
  crs: string | undefined,
): Notice[] {
  return models.flatMap(({ name, learnedCrs }) => {
    if (crs === undefined || learnedCrs === null || isSameSystem(crs, learnedCrs)) return [];
    const message = `learned in ${systemName(learnedCrs)}; the scene is in ${systemName(crs)}, and nothing is projected`;
    return [{ path: formatPath(['scene', 'models', name]), message }];
  });
}
