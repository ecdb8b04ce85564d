// Rows that are no beams, or that have values which no log holds (beamLimits.ts).
import { type Columns, neededBeamColumns } from '#contract/columns.ts';
import {
  beamStates,
  isLogRange,
  type LogColumnName,
  type OptionalLogColumn,
} from '#contract/log/log.ts';
import { createOriginLimit, expectedOf, isLogTime, rangeLimits, timeLimits } from './beamLimits.ts';
import { originOf, rangeOf, stateOf, timeOf } from './beamsOfRows.ts';

/** Columns of a log by their names in rows: of every beam, and of returns alone. */
const ofBeams: readonly (readonly [string, LogColumnName])[] = [
  ['ring', 'laser'],
  ['azimuth_rad', 'azimuth_rad'],
  ['sweep', 'sweep'],
  ['state', 'state'],
  ['label', 'label'],
];
const ofReturns: readonly (readonly [string, LogColumnName])[] = [
  ['intensity', 'intensity'],
  ['class_id', 'class_id'],
  ['object_id', 'object_id'],
  ['true_range_m', 'true_range_m'],
];

/**
 * Finds the first row of each table in turn that is no beam, and what was expected of it. Null: all are beams.
 * @param optional columns of the log
 */
export function beamRowFaults(
  optional: readonly OptionalLogColumn[],
): (columns: Columns, rows: number) => { row: number; message: string } | null {
  const originLimit = createOriginLimit();
  const isStored = (columns: Columns, [name, column]: readonly [string, LogColumnName]): boolean =>
    columns[name] !== undefined &&
    ((column !== 'label' && column !== 'class_id') || optional.includes(column));
  return (columns, rows) => {
    const [ofBeam, ofReturn] = [ofBeams, ofReturns].map((list) =>
      list.filter((pair) => isStored(columns, pair)),
    );
    let row = 0;
    const of = (name: string): number => Number(columns[name]?.[row] ?? NaN);
    const found = (name: string): string => `as ${name}, found ${columns[name]?.[row] ?? 'none'}`;
    const beyond = (pairs: typeof ofBeams = []): string | null => {
      for (const [name, column] of pairs) {
        const expected = expectedOf(column, of(name));
        if (expected !== null) return `expected ${expected} ${found(name)}`;
      }
      return null;
    };
    const faultOf = (): string | null => {
      const bad = neededBeamColumns.find((name) => !Number.isFinite(of(name)));
      if (bad !== undefined) return `expected a number ${found(bad)}`;
      if (!isLogTime(timeOf(columns, row))) {
        return `expected ${timeLimits.ns} ${found('time_ns')}`;
      }
      const direction = ['x', 'y', 'z'].map((axis) => of(`beam_direction_${axis}`));
      if (!(Math.hypot(...direction) > 0)) return 'expected a direction, found (0, 0, 0)';
      const origin = originOf(of, row);
      const fault = originLimit(origin) ?? beyond(ofBeam);
      if (fault !== null) return fault;
      const rangeM = rangeOf(of, row, origin);
      if (stateOf(of, row, rangeM) !== beamStates.returned) return null;
      if (!isLogRange(rangeM)) return `expected ${rangeLimits} of a return, found ${rangeM}`;
      return beyond(ofReturn);
    };
    for (; row < rows; row++) {
      const message = faultOf();
      if (message !== null) return { row, message };
    }
    return null;
  };
}
