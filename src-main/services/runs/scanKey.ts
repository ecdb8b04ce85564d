// The key of a scan within a run.
import type { ScanRecord } from '#contract/host/run.ts';

/** Unique within a run. */
export function scanKey({ tick, sensor }: Pick<ScanRecord, 'tick' | 'sensor'>): string {
  return `${tick}/${sensor}`;
}
