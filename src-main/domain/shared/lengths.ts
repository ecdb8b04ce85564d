// Lengths of files that other programs write, in metres.
import type { LengthUnit } from '#contract/documents/quantities.ts';

/** Metres of a unit; ft is the international foot, us-ft that of US surveys. */
export const metresPerUnit: Readonly<Record<LengthUnit, number>> = {
  m: 1,
  cm: 0.01,
  mm: 0.001,
  in: 0.0254,
  ft: 0.3048,
  'us-ft': 1200 / 3937,
};
