// Ranges of beams at a place as curves: normalized histograms of reality and models (Deschaud 2012, figure 1), and how far
// each model is from reality.
import type { Outcomes } from '#contract/worker/learnedViews.ts';

export interface RangeCurve {
  name: string;
  /** Share of the beams by bin of the window. */
  shares: number[];
  /** Shares of all beams: what became of them. */
  before: number;
  within: number;
  behind: number;
  missed: number;
  /** Bhattacharyya distance from the first curve, with what lies outside of the window; null: of the first itself. */
  distance: number | null;
}

/** One curve for each set of outcomes. `counts`: `bins` of each. */
export function rangeCurves(
  names: readonly string[],
  outcomes: readonly Outcomes[],
  counts: Uint32Array,
): RangeCurve[] {
  const bins = counts.length / Math.max(outcomes.length, 1);
  const curves = outcomes.map((one, index) => {
    const total = Math.max(one.before + one.within + one.behind + one.missed, 1);
    const own = counts.subarray(index * bins, (index + 1) * bins);
    return {
      name: names[index] ?? '',
      shares: Array.from(own, (count) => count / total),
      before: one.before / total,
      within: one.within / total,
      behind: one.behind / total,
      missed: one.missed / total,
    };
  });
  const [real] = curves;
  return curves.map((curve, index) => {
    const distance = index === 0 || real === undefined ? null : bhattacharyya(curve, real);
    return { ...curve, distance };
  });
}

/** −ln Σ √(p·q) over the bins of the window, before it, behind it and without return; infinite without overlap. */
function bhattacharyya(
  one: Omit<RangeCurve, 'distance'>,
  other: Omit<RangeCurve, 'distance'>,
): number {
  const cellsOf = (curve: typeof one): number[] => [
    ...curve.shares,
    curve.before,
    curve.behind,
    curve.missed,
  ];
  const [p, q] = [cellsOf(one), cellsOf(other)];
  const overlap = p.reduce((sum, share, cell) => sum + Math.sqrt(share * (q[cell] ?? 0)), 0);
  // Why the larger: sums of shares are a little above 1.
  return Math.max(0, -Math.log(overlap));
}
