// What a screen sees of a run while it goes on: a thinned-out cloud, the cost map when it changed, the
// path. Paced by the wall clock and never recorded, so that it cannot change a run.
import type { Columns } from '#contract/columns.ts';
import type { RunView, TickFacts } from '#contract/run.ts';
import type { CostMapView } from '#domain/navigation/signals.ts';
import type { Clock } from '#services/ports/system.ts';
import { viewColumns } from './driveColumns.ts';
import { joinTables, type SensedScan } from './sensing.ts';

export interface ViewerOptions {
  clock: Clock;
  /** Most points in one view, as the scans are sampled; 0: there are no views. */
  viewPoints: number;
  /** False while the last view is still on its way: then views are left out, never queued. */
  isReady: () => boolean;
  onView: (view: RunView, columns: Columns) => void;
}

export interface ViewedTick {
  tick: TickFacts;
  scans: SensedScan[];
  map: CostMapView;
  /** The path being followed; null: there is none yet. */
  path: { xM: Float32Array; yM: Float32Array } | null;
  /** Points of the run so far. */
  points: number;
}

export interface Viewer {
  /** Shows the tick, unless the last view is too recent or still on its way; `isLast` ticks are always shown. */
  show(viewed: ViewedTick, isLast: boolean): void;
}

const shortestIntervalS = 0.1;

/** A viewer whose first view is due at once. */
export function createViewer({ clock, viewPoints, isReady, onView }: ViewerOptions): Viewer {
  const startS = clock.seconds();
  let nextS = startS;
  let sentCost: Uint8Array | null = null;
  return {
    show({ tick, scans, map, path, points }, isLast) {
      const nowS = clock.seconds();
      const isDue = nowS >= nextS && isReady();
      if (viewPoints === 0 || !(isDue || isLast)) return;
      nextS = nowS + shortestIntervalS;
      const columns = shownPoints(scans);
      if (map.cost !== sentCost) {
        columns.cost = map.cost;
        sentCost = map.cost;
      }
      columns.path_x_m = path?.xM ?? new Float32Array();
      columns.path_y_m = path?.yM ?? new Float32Array();
      onView({ tick, map: map.geometry, wallSeconds: nowS - startS, points }, columns);
    },
  };
}

/** The samples of all scans, one after the other. */
export function shownPoints(scans: SensedScan[]): Columns {
  const samples = scans.flatMap(({ result }) => result.sample ?? []);
  const rows = samples.reduce((sum, { x_m }) => sum + (x_m?.length ?? 0), 0);
  return joinTables(samples, viewColumns, rows);
}
