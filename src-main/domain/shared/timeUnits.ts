// Units of times in files that other programs write.
import type { TimeUnit } from '#contract/documents/quantities.ts';

export const nsOfTimeUnit: Readonly<Record<TimeUnit, number>> = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

/** A field of points that holds their times. */
export interface PointTimeField {
  name: string;
  unit: TimeUnit;
}
