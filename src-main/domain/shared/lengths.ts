// Lengths of files that other programs write, in metres.
import type { LengthUnit } from '#contract/documents/quantities.ts';

/** Metres of a unit; the foot is the international one. */
export const metresPerUnit: Readonly<Record<LengthUnit, number>> = {
  m: 1,
  cm: 0.01,
  mm: 0.001,
  in: 0.0254,
  ft: 0.3048,
};
