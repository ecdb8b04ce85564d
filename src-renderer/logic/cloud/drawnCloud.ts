// Words for how much of a cloud is on screen that is drawn by its octree.
import type { Progress } from '#contract/worker/worker.ts';
import { shareText, shortCountText } from '#domain/shared/formats.ts';

export interface DrawnCloud {
  points: number;
  /** False: points that the camera needs are still to come. */
  isComplete: boolean;
  /** Distance of points on screen from which on they were left out; null: none were. */
  cutSpacingPx: number | null;
}

/** '12.3 k', or '200 k of 1.23 M'. */
export function partText(part: number, all: number): string {
  return part === all ? shortCountText(all) : `${shortCountText(part)} of ${shortCountText(all)}`;
}

/** How far an octree is made. */
export function makingText({ phase, done, total }: Progress): string {
  return `${phase} ${shareText(done / Math.max(total, 1), 0)}`;
}

/** Points that a view lacks, and why; '' where it shows all that the screen can. Null: no octree is shown. */
export function lackText(drawn: DrawnCloud | null): string {
  if (drawn === null) return '';
  if (!drawn.isComplete) return 'reading …';
  if (drawn.cutSpacingPx === null) return '';
  return `left out: points nearer than ${Math.max(1, Math.round(drawn.cutSpacingPx))} px to others`;
}
