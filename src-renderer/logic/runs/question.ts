// The question to ground truth in which scans an instance has more than a number of returns: whether it can be asked,
// and what came out, as sentences.
import type { Replies } from '#contract/host/methods.ts';
import { shortCountText } from '#domain/shared/formats.ts';

type FoundScans = Replies['runs.scans'];

/** The problem of the typed number; null: the query can be sent. @param typed '' where it was cleared */
export function countProblem(typed: number | ''): string | null {
  return typeof typed === 'number' && Number.isInteger(typed) && typed >= 0
    ? null
    : 'expected a whole number of returns, 0 or more';
}

/**
 * The result in words, with the query where nothing was found.
 * @param seen where nothing was found: the scans in which there is anything of the instance
 */
export function answerText(
  instance: string,
  moreThan: number,
  found: FoundScans,
  seen: FoundScans = [],
): string {
  const returns = moreThan === 1 ? '1 return' : `${moreThan} returns`;
  if (found.length > 0) {
    const scans = found.length === 1 ? '1 scan has' : `${shortCountText(found.length)} scans have`;
    return `${scans} more than ${returns} from ${instance}, marked in the timeline.`;
  }
  const [first] = seen;
  if (first === undefined) return `No scan has a return from ${instance}.`;
  const most = seen.reduce((best, scan) => (countOf(scan) > countOf(best) ? scan : best), first);
  const at = `${shortCountText(countOf(most))}, at ${(most.toNs / 1e9).toFixed(1)} s`;
  return `No scan has more than ${returns} from ${instance}; the most is ${at}.`;
}

function countOf({ objectReturns = 0 }: FoundScans[number]): number {
  return objectReturns;
}
