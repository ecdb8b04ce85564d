// Words for the contents of the view of the Learn page: a log, a model, or its returns, and how much of each.
import type { Replies } from '#contract/host/methods.ts';
import { shortCountText } from '#domain/shared/formats.ts';
import { stemOf } from '#domain/shared/fileNames.ts';

/** How much of a log that is shown by its octree is on screen. */
export interface DrawnLog {
  points: number;
  /** Points that the camera needs and are not there yet. */
  isComplete: boolean;
  /** Distance of points on screen from which on they were left out; null: none were. */
  cutSpacingPx: number | null;
}

/** `reply`: undefined while it is read; `drawn`: null where no octree is shown. */
export function logText(
  log: string | null,
  reply: Pick<Replies['log.cloud'], 'sent' | 'returns'> | undefined,
  drawn: DrawnLog | null = null,
): string {
  if (reply === undefined) return log === null ? 'No log chosen' : 'Reading …';
  const { sent, returns } = drawn === null ? reply : { sent: drawn.points, returns: reply.returns };
  return [stemOf(log ?? ''), ...partOf(sent, returns, 'returns', true)].join(' · ');
}

/** Points that a view of an octree leaves out, or waits for; '' where it shows all that the screen can. */
export function leftOutText(drawn: DrawnLog | null): string {
  if (drawn === null) return '';
  if (!drawn.isComplete) return 'reading …';
  if (drawn.cutSpacingPx === null) return '';
  return `left out: points nearer than ${Math.max(1, Math.round(drawn.cutSpacingPx))} px to others`;
}

export function modelText(
  model: string | null,
  reply: Replies['learn.elements'] | undefined,
): string {
  if (model === null) return 'No model chosen';
  if (reply === undefined) return `${stemOf(model)} · reading …`;
  return [
    stemOf(model),
    ...partOf(reply.sentElements, reply.elements, 'elements'),
    ...partOf(reply.sentTriangles, reply.triangles, 'triangles'),
    ...partOf(reply.sentPoints, reply.points, 'points'),
  ].join(' · ');
}

export function sampleText(
  model: string | null,
  reply: Replies['learn.sample'] | undefined,
): string {
  if (model === null) return 'No model chosen';
  if (reply === undefined) return `${stemOf(model)} · reading …`;
  const [sent, returns] = [shortCountText(reply.sent), shortCountText(reply.returns)];
  return `${stemOf(model)} · ${sent} returns (log: ${returns})`;
}

/** '12.3 k elements', or '200 k of 1.23 M elements'; nothing where there are none. */
function partOf(sent: number, all: number, word: string, isAlways = false): string[] {
  if (all === 0 && !isAlways) return [];
  const share = sent === all ? '' : `${shortCountText(sent)} of `;
  return [`${share}${shortCountText(all)} ${word}`];
}
