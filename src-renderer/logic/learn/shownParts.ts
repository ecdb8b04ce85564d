// Words for the contents of the view of the Learn page: a log, a model, or its returns, and how much of each.
import type { Replies } from '#contract/host/methods.ts';
import { shortCountText } from '#domain/shared/formats.ts';
import { stemOf } from '#domain/shared/fileNames.ts';

/** `reply`: undefined while it is read. */
export function logText(log: string | null, reply: Replies['log.cloud'] | undefined): string {
  if (reply !== undefined) {
    return [stemOf(log ?? ''), ...partOf(reply.sent, reply.returns, 'returns', true)].join(' · ');
  }
  return log === null ? 'No log chosen' : 'Reading …';
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
