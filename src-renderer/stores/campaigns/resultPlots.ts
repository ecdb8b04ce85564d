// Data of the plots of results: the chosen axes and measures, all rows for heat map and scatter plot, and the
// groups that the host computes. Nothing is read for a plot that is not shown.
import { computed, reactive, ref, shallowRef, watch } from 'vue';
import type { ResultColumn, ResultRow } from '#contract/host/campaignMethods.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { Client } from '#renderer/client/client.ts';
import { createNewestRequest } from '#renderer/logic/newestRequest.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';
import {
  columnValues,
  plottable,
  plotViews,
  type PlotChoice,
  type PlotView,
} from '#renderer/logic/campaigns/plotChoice.ts';

export interface PlotSource {
  where: () => string;
  isShown: (view: PlotView) => boolean;
}

export interface ResultRows {
  columns: readonly ResultColumn[];
  rows: readonly ResultRow[];
}

/** Rows of one request, so that a message stays small. */
const rowsAtOnce = 5000;
/** Points that a plot has at most. */
const maxPlotRows = 100_000;
const noChoice = { x: '', y: '', measure: '', colour: '' };
/** Axes and measures that parallel axes begin with. */
const [firstAxes, firstMeasures] = [4, 3];
/** Reading everything again takes at most this share of the time. */
const readingShare = 0.2;

/** `campaign` null: nothing is planned. Within a set-up. */
export function createResultPlots(
  client: Client,
  campaign: () => string | null,
  { where, isShown }: PlotSource,
) {
  const all = shallowRef<ResultRows | null>(null);
  const groups = shallowRef<Replies['campaign.group'] | null>(null);
  const error = ref<string | null>(null);
  const choice = reactive<PlotChoice>({ ...noChoice, by: [], along: [] });
  const axes = computed(() => plottable(all.value?.columns ?? [], 'axis'));
  const measures = computed(() => plottable(all.value?.columns ?? [], 'measure'));
  const reading = createNewestRequest<void>(read);
  let generation = 0;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let earliestMs = 0;
  watch(
    () => choice.by.join(),
    () => isShown('groups') && reading.make(),
  );
  return reactive({ all, groups, error, choice, axes, measures, refresh, clear });

  /** Soon: where reading takes long, seldom. */
  function refresh(): void {
    if (waiting !== undefined) return;
    waiting = setTimeout(
      () => {
        waiting = undefined;
        reading.make();
      },
      Math.max(0, earliestMs - Date.now()),
    );
  }

  function clear(): void {
    generation += 1;
    earliestMs = 0;
    all.value = null;
    groups.value = null;
    error.value = null;
    Object.assign(choice, { ...noChoice, by: [], along: [] });
  }

  async function read(): Promise<void> {
    const name = campaign();
    if (name === null || !plotViews.some(isShown)) return;
    const mine = generation;
    const began = Date.now();
    try {
      const rows = await readAll(name, () => mine === generation);
      if (rows === null) return;
      all.value = rows;
      chooseFirst();
      if (isShown('groups')) await readGroups(name, mine);
      error.value = null;
    } catch (failure) {
      if (mine === generation) error.value = sentenceOf(failure);
    }
    earliestMs = Date.now() + (Date.now() - began) / readingShare;
  }

  async function readAll(name: string, isWanted: () => boolean): Promise<ResultRows | null> {
    const rows: ResultRow[] = [];
    for (;;) {
      const reply = await client.call('campaign.results', {
        campaign: name,
        hasPending: true,
        ...filtered(),
        limit: rowsAtOnce,
        offset: rows.length,
      });
      if (!isWanted()) return null;
      for (const row of reply.rows) rows.push(row);
      const most = Math.min(reply.total, maxPlotRows);
      if (reply.rows.length === 0 || rows.length >= most) return { columns: reply.columns, rows };
    }
  }

  async function readGroups(name: string, mine: number): Promise<void> {
    if (choice.by.length === 0) {
      groups.value = null;
      return;
    }
    const request = { campaign: name, by: [...choice.by], ...filtered() };
    const reply = await client.call('campaign.group', request);
    if (mine === generation) groups.value = reply;
  }

  function filtered(): { where?: string } {
    return where() === '' ? {} : { where: where() };
  }

  function isVaried(name: string): boolean {
    const { columns, rows } = all.value ?? { columns: [], rows: [] };
    return name !== 'seed' && new Set(columnValues(columns, rows, name)).size > 1;
  }

  /** Columns that a plot begins with; choices that are still there stay. */
  function chooseFirst(): void {
    const [first, second] = axes.value.toSorted(
      (one, other) => Number(isVaried(other.name)) - Number(isVaried(one.name)),
    );
    const names = new Set([...axes.value, ...measures.value].map(({ name }) => name));
    if (!names.has(choice.x)) choice.x = first?.name ?? measures.value[0]?.name ?? '';
    if (!names.has(choice.y)) choice.y = second?.name ?? 'seed';
    if (!names.has(choice.measure)) choice.measure = measures.value[0]?.name ?? '';
    if (choice.by.length === 0 && first !== undefined) choice.by = [first.name];
    choice.along = choice.along.filter((one) => names.has(one));
    if (choice.along.length > 0) return;
    const varied = axes.value.map(({ name }) => name).filter(isVaried);
    const measured = measures.value.map(({ name }) => name).filter(isVaried);
    choice.along = [...varied.slice(0, firstAxes), ...measured.slice(0, firstMeasures)];
  }
}
