// How long a piece of work will still take, from its progress. Null while it cannot be estimated.
import { clamp } from '#domain/shared/numbers.ts';
import type { Progress } from '#contract/worker/worker.ts';

/** How far something was at a time. */
export interface ShareAt {
  /** 0 to 1. */
  share: number;
  atMs: number;
}

/** No estimate before so much has been done, and so long waited. */
const minShare = 0.02;
const minMs = 800;

/** 0 to 1; null where the work does not say how much there is. */
export function shareDone(progress: Progress | null): number | null {
  if (progress === null || !(progress.total > 0)) return null;
  return clamp(progress.done / progress.total, 0, 1);
}

/**
 * Milliseconds that are left if the work continues as it did since `first`, when it was first heard of in its
 * phase. Null: not known, as too little has been done since then.
 */
export function remainingMs(first: ShareAt, now: ShareAt): number | null {
  const done = now.share - first.share;
  const passedMs = now.atMs - first.atMs;
  if (!(done >= minShare) || passedMs < minMs) return null;
  return (passedMs * (1 - now.share)) / done;
}
