// What a screen sees of a run while it goes on: a thinned-out cloud, the cost map when it changed, the
// path. Paced by the wall clock and never recorded, so that it cannot change a run.
import type { Columns } from '#contract/columns.ts';
import type { RunView, TickFacts } from '#contract/run.ts';
import type { CostMapView } from '#domain/navigation/signals.ts';
import type { Clock } from '#services/ports.ts';
import type { SensedScan } from './sensing.ts';

export interface ViewerOptions {
  clock: Clock;
  /** Most points in one view; 0: there are no views. */
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
      const columns = thinnedOut(scans, viewPoints);
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

/** Every n-th return of all scans together, with n so that at most `most` remain. */
export function thinnedOut(scans: SensedScan[], most: number): Columns {
  const total = scans.reduce((sum, { rows }) => sum + rows, 0);
  const stride = Math.max(1, Math.ceil(total / Math.max(1, most)));
  const kept = Math.ceil(total / stride);
  const x_m = new Float32Array(kept);
  const y_m = new Float32Array(kept);
  const z_m = new Float32Array(kept);
  const intensity = new Float32Array(kept);
  const class_id = new Uint16Array(kept);
  let to = 0;
  let from = 0;
  for (const { table, rows } of scans) {
    for (; from < rows; from += stride, to += 1) {
      x_m[to] = table.x_m?.[from] ?? Number.NaN;
      y_m[to] = table.y_m?.[from] ?? Number.NaN;
      z_m[to] = table.z_m?.[from] ?? Number.NaN;
      intensity[to] = table.intensity?.[from] ?? Number.NaN;
      class_id[to] = table.class_id?.[from] ?? 0;
    }
    from -= rows;
  }
  return { x_m, y_m, z_m, intensity, class_id };
}
