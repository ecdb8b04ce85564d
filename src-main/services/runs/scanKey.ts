// What a scan of a run is known by.
import type { ScanFacts } from '#contract/host/run.ts';

/** Unique within a run. */
export function scanKey({ tick, sensor }: Pick<ScanFacts, 'tick' | 'sensor'>): string {
  return `${tick}/${sensor}`;
}
