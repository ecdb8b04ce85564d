// Words for the contents of the view of the Learn page: a log, a model, or its returns, and how much of each.
import { maxCloudDistanceM, type OctreeHead } from '#contract/host/cloudMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import { shareText, shortCountText } from '#domain/shared/formats.ts';
import { stemOf } from '#domain/shared/fileNames.ts';
import { partText, type DrawnCloud } from '#renderer/logic/cloud/drawnCloud.ts';

/** `reply`: undefined while it is read; `drawn`: null where no octree is shown. */
export function logText(
  log: string | null,
  reply: Pick<Replies['log.cloud'], 'sent' | 'returns'> | undefined,
  drawn: DrawnCloud | null = null,
): string {
  if (reply === undefined) return log === null ? 'No log chosen' : 'Reading …';
  const { sent, returns } = drawn === null ? reply : { sent: drawn.points, returns: reply.returns };
  return `${stemOf(log ?? '')} · ${partText(sent, returns)} returns`;
}

export function modelText(
  model: string | null,
  reply: Replies['learn.elements'] | undefined,
): string {
  if (model === null) return 'No model chosen';
  if (reply === undefined) return `${stemOf(model)} · reading …`;
  return [
    stemOf(model),
    ...sharesOf(reply.sentElements, reply.elements, 'elements'),
    ...sharesOf(reply.sentTriangles, reply.triangles, 'triangles'),
    ...sharesOf(reply.sentPoints, reply.points, 'points'),
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

/** Distance of a point to another cloud. */
export function distanceText(distanceM: number): string {
  const isFar = Number.isNaN(distanceM);
  return `distance ${isFar ? `above ${maxCloudDistanceM}` : distanceM.toFixed(3)} m`;
}

/** Distances of all points; '' where none were measured. */
export function distancesText(head: Pick<OctreeHead, 'distances' | 'points'> | undefined): string {
  if (head === undefined || head.distances === null) return '';
  const { found, meanM, rmsM } = head.distances;
  if (found === 0) return `no point is within ${maxCloudDistanceM} m`;
  const far = head.points - found;
  return [
    `mean ${meanM.toFixed(3)} m`,
    `RMS ${rmsM.toFixed(3)} m`,
    ...(far === 0 ? [] : [`${shareText(far / head.points, 1)} above ${maxCloudDistanceM} m`]),
  ].join(' · ');
}

/** Nothing where there are none. */
function sharesOf(sent: number, all: number, word: string): string[] {
  return all === 0 ? [] : [`${partText(sent, all)} ${word}`];
}
