// Input of a view of a run, live or from a recording: instants one after another, jumps in time, and what
// was there before it began to look.
import type { Columns } from '#contract/columns.ts';
import type { MapGeometry, TickRecord } from '#contract/host/run.ts';
import { rowAt } from '#renderer/logic/plots/plotLines.ts';
import type { PointColumns } from './pointColumns.ts';

/** Contents of a view at an instant. */
export interface ShownInstant {
  tick: TickRecord;
  /** Geometry of the column cost, where there is one. */
  map: MapGeometry | null;
}

/** The path to an instant: x, y, z of each tick, and of the position fixes, in turn. */
export interface DrivenPath {
  xyzM: Float32Array;
  fixesM: Float32Array;
}

export interface RunDisplay {
  /** Another run from now on. */
  reset(): void;
  /** The next instant. Columns as in RunView (contract/host/run.ts). */
  show(instant: ShownInstant, columns: Columns): void;
  /** The next instant does not follow the one before: all points go. */
  jump(path: DrivenPath): void;
  /** The driven path so far, known late: points stay. */
  setPath(path: DrivenPath): void;
  /** Scans from before the instant that is shown; those that are not of the newest are thinned out already. */
  addHistory(points: PointColumns, isNewest: boolean): void;
  /** Resolves once what was shown is on screen and the next instant may come. */
  drawn(): Promise<void>;
}

/** All ticks of a run, and the fixes of those that had one: NaN elsewhere. */
export interface DrivenTicks {
  timeS: Float64Array;
  xyzM: Float32Array;
  gpsM: Float32Array;
}

/** From the columns of runs.ticks. @throws TypeError where one is missing: a bug of the host */
export function drivenTicks(columns: Columns): DrivenTicks {
  const f64 = (name: string): Float64Array => {
    const column = columns[name];
    if (!(column instanceof Float64Array)) throw new TypeError(`the column ${name} is missing`);
    return column;
  };
  const inTurn = (names: readonly [string, string, string]): Float32Array => {
    const parts = names.map(f64);
    const all = new Float32Array(3 * (parts[0]?.length ?? 0));
    for (const [part, values] of parts.entries()) {
      for (const [row, value] of values.entries()) all[3 * row + part] = value;
    }
    return all;
  };
  return {
    timeS: f64('time_s'),
    xyzM: inTurn(['truth_x_m', 'truth_y_m', 'truth_z_m']),
    gpsM: inTurn(['gps_x_m', 'gps_y_m', 'gps_z_m']),
  };
}

/** The path up to a time, its tick included. */
export function pathUntil({ timeS, xyzM, gpsM }: DrivenTicks, atS: number): DrivenPath {
  const row = rowAt(timeS, atS);
  const ticks = (timeS[row] ?? Infinity) <= atS + 1e-4 ? row + 1 : 0;
  const fixesM: number[] = [];
  for (let at = 0; at < 3 * ticks; at += 3) {
    const fix = gpsM.subarray(at, at + 3);
    if (!fix.some(Number.isNaN)) fixesM.push(...fix);
  }
  return { xyzM: xyzM.subarray(0, 3 * ticks), fixesM: Float32Array.from(fixesM) };
}
