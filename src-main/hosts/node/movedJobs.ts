// Jobs on bytes (domain/scenario/textJobs.ts): always on the thread, and their bytes are moved there and back.
import type { TextJobs } from '#domain/scenario/textJobs.ts';

const movedJobs: ReadonlySet<keyof TextJobs> = new Set(['foreignGltf', 'foreignGeoTiff']);

export function movesBytes(job: keyof TextJobs): boolean {
  return movedJobs.has(job);
}
