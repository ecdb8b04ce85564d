// Views of a running drive: a thinned-out cloud, the cost map when it changed, the
// path. Paced by the wall clock and never recorded, so that it cannot change a run.
import type { Columns } from '#contract/columns.ts';
import type { DriveControl, RunEnd, RunView, TickRecord } from '#contract/host/run.ts';
import { shownPoints } from '#contract/host/shownPoints.ts';
import type { CostMapView } from '#domain/autonomy/signals.ts';
import type { Clock } from '#services/ports/system.ts';
import type { Pace } from './pace.ts';
import { createRates } from './rates.ts';
import type { SensedScan } from './sensing.ts';

export interface ViewerOptions {
  clock: Clock;
  pace: Pick<Pace, 'isPaused' | 'speed' | 'pausedSeconds'>;
  control: DriveControl;
  /** Most points in one view, as the scans are sampled; 0: there are no views. */
  viewPoints: number;
  /** False while the last view is still being sent: then views are left out, never queued. */
  isReady: () => boolean;
  onView: (view: RunView, columns: Columns) => void;
}

export interface ViewedTick {
  tick: TickRecord;
  scans: SensedScan[];
  map: CostMapView;
  /** The path being followed; null: there is none yet. */
  path: { xM: Float32Array; yM: Float32Array } | null;
  /** Points of the run so far. */
  points: number;
  /** How the run ends with the tick; null: it continues. */
  end: RunEnd | null;
}

export interface Viewer {
  /**
   * Shows the tick, unless the last view is too recent or still being sent. What `isAwaited` is always shown:
   * the last tick, and one at which the run is paused. A tick that was shown before brings no points again.
   */
  show(viewed: ViewedTick, isAwaited: boolean): void;
}

const shortestIntervalS = 0.1;

/** A viewer whose first view is due at once. */
export function createViewer(options: ViewerOptions): Viewer {
  const { clock, pace, control, viewPoints, isReady, onView } = options;
  const startS = clock.seconds();
  const rates = createRates();
  let nextS = startS;
  let sentCost: Uint8Array | null = null;
  let sentTick: TickRecord | null = null;
  return {
    show({ tick, scans, map, path, points, end }, isAwaited) {
      const nowS = clock.seconds();
      const isDue = nowS >= nextS && isReady();
      if (viewPoints === 0 || !(isDue || isAwaited)) return;
      nextS = nowS + shortestIntervalS;
      const wallSeconds = nowS - startS - pace.pausedSeconds();
      rates.add({ wallS: wallSeconds, simS: tick.timeNs / 1e9, points });
      const columns: Columns = sentTick === tick ? {} : pointsOf(scans);
      sentTick = tick;
      if (map.cost !== sentCost) {
        columns.cost = map.cost;
        sentCost = map.cost;
      }
      columns.path_x_m = path?.xM ?? new Float32Array();
      columns.path_y_m = path?.yM ?? new Float32Array();
      const { isPaused, speed } = pace;
      onView(
        {
          tick,
          end,
          map: map.geometry,
          control,
          isPaused,
          speed,
          wallSeconds,
          points,
          ...rates.metrics(),
        },
        columns,
      );
    },
  };
}

/** The samples of all scans. */
function pointsOf(scans: readonly SensedScan[]): Columns {
  return shownPoints(scans.map(({ sensor, result }) => ({ sensor, table: result.sample ?? {} })));
}
