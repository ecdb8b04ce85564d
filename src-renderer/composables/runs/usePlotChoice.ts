// Plots of runs: over time, or one column over another; which columns, of all that the runs have.
import { computed, ref, watch, type ComputedRef, type Ref } from 'vue';
import { rowAt } from '#renderer/logic/plots/plotLines.ts';
import type { XyCurve } from '#renderer/logic/plots/plotView.ts';
import {
  columnText,
  offeredColumns,
  plotColumns,
  type PlotColumn,
} from '#renderer/logic/runs/plotColumns.ts';
import type { Playback } from '#renderer/stores/runs/playback.ts';

export interface PlotChoice {
  x: Ref<string>;
  y: Ref<string>;
  offered: ComputedRef<Pick<PlotColumn, 'id' | 'title' | 'unit'>[]>;
  /** One a run that has both columns. */
  curves: ComputedRef<XyCurve[]>;
  /** Row of each curve that is shown now. */
  rows: ComputedRef<number[]>;
  xTitle: ComputedRef<string>;
  yTitle: ComputedRef<string>;
  /** The time of a row of a curve. */
  timeOf: (curve: number, row: number) => number | null;
}

interface PlottedRun {
  name: string;
  colour: string;
  playback: Playback;
}

/** Columns of runs over one another. `nowS`: the time that is shown. */
export function usePlotChoice(runs: () => readonly PlottedRun[], nowS: () => number): PlotChoice {
  const x = ref('true-x');
  const y = ref('true-y');
  const tables = computed(() =>
    runs().flatMap(({ name, colour, playback: { series, costs, details } }) =>
      series === null
        ? []
        : [{ name, colour, columns: plotColumns(series, costs, details?.originM ?? [0, 0, 0]) }],
    ),
  );
  const offered = computed(() => offeredColumns(tables.value.map(({ columns }) => columns)));
  const shown = computed(() =>
    tables.value.flatMap(({ name, colour, columns }) => {
      const of = (id: string): ArrayLike<number> | undefined =>
        columns.find((column) => column.id === id)?.values;
      const [across, up, timeS] = [of(x.value), of(y.value), of('time')];
      if (across === undefined || up === undefined || timeS === undefined) return [];
      return [{ curve: { name, colour, x: across, y: up }, timeS }];
    }),
  );
  // Runs of another scene may not have a class that was chosen.
  watch(offered, (all) => {
    if (all.length === 0) return;
    for (const chosen of [x, y]) {
      if (!all.some(({ id }) => id === chosen.value)) chosen.value = 'time';
    }
  });
  const titleOf = (id: string): string => {
    const column = offered.value.find((one) => one.id === id);
    return column === undefined ? '' : columnText(column);
  };
  return {
    x,
    y,
    offered,
    curves: computed(() => shown.value.map(({ curve }) => curve)),
    rows: computed(() => shown.value.map(({ timeS }) => rowAt(timeS, nowS()))),
    xTitle: computed(() => titleOf(x.value)),
    yTitle: computed(() => titleOf(y.value)),
    timeOf: (curve, row) => shown.value[curve]?.timeS[row] ?? null,
  };
}
