// A finished run's metrics over time, from the columns of runs.ticks.
import type { Columns } from '#contract/columns.ts';
import { drivenTicks, type DrivenTicks } from '#renderer/logic/cloud/runDisplay.ts';

export interface RunSeries extends DrivenTicks {
  speedMPerS: Float64Array;
  positionErrorM: Float64Array;
  distanceToGoalM: Float64Array;
  collisions: Uint32Array;
  /** Returns of a class tick by tick, the classes with the most returns first; those without none. */
  classes: { name: string; classId: number; returns: Float64Array }[];
}

/** The cost at the vehicle's position, a row a recorded map. */
export interface RunCosts {
  timeS: Float64Array;
  /** 0 to 100, NaN: unknown. */
  costHere: Float64Array;
  plans: RunPlans;
}

/** The planned paths, a row each. */
export interface RunPlans {
  timeS: Float64Array;
  /** Largest distance from the path before it; NaN: there is none. */
  changeM: Float64Array;
}

/** From the columns of runs.costs. @throws TypeError where one is missing: a bug of the host */
export function runCosts({ time_s: timeS, cost_here: costHere, ...columns }: Columns): RunCosts {
  const { plan_time_s: plansS, plan_change_m: changeM } = columns;
  if (!(timeS instanceof Float64Array && costHere instanceof Float64Array)) {
    throw new TypeError('the columns of costs are missing');
  }
  if (!(plansS instanceof Float64Array && changeM instanceof Float64Array)) {
    throw new TypeError('the columns of plans are missing');
  }
  return { timeS, costHere, plans: { timeS: plansS, changeM } };
}

/** From the columns of runs.ticks. @throws TypeError where one is missing: a bug of the host */
export function runSeries(columns: Columns, classNames: readonly string[]): RunSeries {
  const f64 = (name: string): Float64Array => {
    const column = columns[name];
    if (!(column instanceof Float64Array)) throw new TypeError(`the column ${name} is missing`);
    return column;
  };
  const { collisions, class_returns: counts } = columns;
  if (!(collisions instanceof Uint32Array && counts instanceof Uint32Array)) {
    throw new TypeError('the columns of counts are missing');
  }
  const driven = drivenTicks(columns);
  const classes = classNames.map((name, classId) => ({
    name,
    classId,
    returns: Float64Array.from(
      driven.timeS,
      (_, row) => counts[row * classNames.length + classId] ?? 0,
    ),
  }));
  const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
  return {
    ...driven,
    speedMPerS: f64('speed_m_per_s'),
    positionErrorM: f64('position_error_m'),
    distanceToGoalM: f64('distance_to_goal_m'),
    collisions,
    classes: classes
      .filter(({ returns }) => returns.some((count) => count > 0))
      .sort((a, b) => sum(b.returns) - sum(a.returns)),
  };
}
