// How the points that a view shows at most are shared out: the newest scans densely, and a thin trail that
// older ones leave. Says also what of a recording's history fills them as if it had been watched from its start.
import { rowAt } from '#renderer/logic/plots/plotLines.ts';

/** Points on screen that one can choose. More cost memory (64 bytes each) and frames of a slow graphics card. */
export const pointBudgets = [250_000, 430_000, 1_000_000, 2_000_000, 5_000_000] as const;
export type PointBudget = (typeof pointBudgets)[number];

/** Share of the newest scans among the points on screen; the rest are the trail. */
const newestShare = 0.3;
/** Scans that are read for a trail: more cost time and show nothing more. */
const maxTrailScans = 80;
/** Scans before the one that is shown which are dense, too, where they have so few points. */
const maxDenseScans = 20;

/** Most points of the newest scans, and of the trail. */
export function pointShares(budgetPoints: number): { newest: number; trail: number } {
  const newest = Math.round(newestShare * budgetPoints);
  return { newest, trail: budgetPoints - newest };
}

/** Points of one view that are worth sending: the newest scans show some views at once. */
export function pointsPerView(budgetPoints: number): number {
  return Math.round(0.3 * newestShare * budgetPoints);
}

/** The trail keeps every so many-th point of a scan: a prime, and fewer are left out where there is room. */
export function trailStride(budgetPoints: number): number {
  if (budgetPoints >= 2e6) return 11;
  return budgetPoints >= 1e6 ? 19 : 43;
}

/** A request of `runs.past`. */
export interface HistoryRequest {
  isNewest: boolean;
  fromS: number;
  toS: number;
  maxScans: number;
  maxPoints: number;
}

/**
 * The requests after which a view of `budgetPoints` looks at `atS` as if the run had been watched up to then: scans
 * that stay dense, and the trail. `viewPoints`: of the view at that time.
 */
export function historyRequests(
  timeS: Float64Array,
  atS: number,
  budgetPoints: number,
  viewPoints: number,
): HistoryRequest[] {
  const row = rowAt(timeS, atS);
  const toS = timeS[row] ?? 0;
  if (row === 0 || viewPoints === 0) return [];
  const fromRow = (rows: number): number => timeS[Math.max(0, row - rows)] ?? 0;
  const { newest, trail } = pointShares(budgetPoints);
  const ofScan = Math.max(1, Math.ceil(viewPoints / trailStride(budgetPoints)));
  const scans = Math.min(row, Math.floor(trail / ofScan));
  const fitting = Math.floor(newest / viewPoints) - 1;
  const dense = Math.min(row, Math.max(fitting, 1), maxDenseScans);
  return [
    {
      isNewest: true,
      fromS: fromRow(dense),
      toS,
      maxScans: dense,
      // Why not those of the view: one scan that has a few more would be halved.
      maxPoints: dense * Math.max(viewPoints, pointsPerView(budgetPoints)),
    },
    {
      isNewest: false,
      fromS: fromRow(scans),
      toS,
      maxScans: Math.min(scans, maxTrailScans),
      maxPoints: scans * ofScan,
    },
  ];
}
