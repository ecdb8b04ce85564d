// The results of the chosen campaign as they are shown: the table with its sort and filter, the focused and chosen runs,
// and what the plots show. They follow while runs end.
import { defineStore } from 'pinia';
import { computed, reactive, ref, watch } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import type { PlotView } from '#renderer/logic/campaigns/plotChoice.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';
import { useConnection } from '../host/connection.ts';
import { useCampaigns } from './campaigns.ts';
import { createPickedCells } from './pickedCells.ts';
import { createResultPages, type ResultQuery } from './resultPages.ts';
import { createResultPlots } from './resultPlots.ts';

export type ResultView = 'table' | PlotView;

/** Typing is over when nothing came for so long. */
const settleMs = 250;

export const useCampaignResults = defineStore('campaignResults', () => {
  const client = useClient();
  const campaigns = useCampaigns();
  const connection = useConnection();
  const view = ref<ResultView>('table');
  const filter = reactive({ where: '', hasPending: false, hasTiming: false });
  /** Null: in plan order. */
  const sortBy = ref<string | null>(null);
  const isDescending = ref(false);
  /** Names of columns that the table leaves out. */
  const hidden = ref<readonly string[]>([]);
  const focused = ref(0);
  /** Ids of runs to be compared. */
  const chosen = ref<readonly string[]>([]);
  const isPlanned = computed(() => campaigns.known?.counts !== null && campaigns.known !== null);
  const pages = createResultPages(client, () => tableQuery());
  const plots = createResultPlots(client, () => (isPlanned.value ? campaigns.chosen : null), {
    where: () => filter.where.trim(),
    isShown: (asked) => view.value === asked,
  });
  const cells = createPickedCells(client, () => plots.all?.columns ?? []);
  const { picked } = cells;
  let settling: ReturnType<typeof setTimeout> | undefined;

  watch(
    () => campaigns.chosen,
    () => {
      pages.clear();
      plots.clear();
      Object.assign(filter, { where: '', hasPending: false });
      [sortBy.value, isDescending.value, focused.value] = [null, false, 0];
      hidden.value = [];
      [picked.value, chosen.value] = [null, []];
    },
    { flush: 'sync' },
  );
  watch(
    () => [campaigns.chosen, campaigns.changes, isPlanned.value] as const,
    () => refresh(),
  );
  watch(
    () => [filter.where, filter.hasPending, filter.hasTiming, sortBy.value, isDescending.value],
    () => {
      focused.value = 0;
      clearTimeout(settling);
      settling = setTimeout(refresh, settleMs);
    },
  );
  watch(hidden, refresh);
  watch(view, () => {
    picked.value = null;
    plots.refresh();
  });
  connection.whenOpen(refresh);
  const { columns: tableColumns, available: columns, total, hasLoaded, error, rowAt, see } = pages;
  return {
    view,
    filter,
    sortBy,
    isDescending,
    focused,
    ...cells,
    chosen,
    columns,
    tableColumns,
    hidden,
    total,
    hasLoaded,
    error,
    isPlanned,
    rowAt,
    see,
    sort,
    toggle,
    toggleColumn,
    showWhere,
    plots,
    command: computed(() => commandOf('campaign.results', queryOf(campaigns.chosen ?? ''))),
  };

  function refresh(): void {
    if (!isPlanned.value || connection.state !== 'open') return;
    void pages.refresh();
    plots.refresh();
  }

  function tableQuery(): ResultQuery | null {
    const { chosen: name } = campaigns;
    return name === null || !isPlanned.value ? null : queryOf(name);
  }

  function queryOf(campaign: string): ResultQuery {
    const where = filter.where.trim();
    return {
      campaign,
      hasPending: filter.hasPending,
      hasTiming: filter.hasTiming,
      ...(where !== '' && { where }),
      ...(hidden.value.length > 0 && { columns: ['run', ...(chosenColumns() ?? [])] }),
      ...(sortBy.value !== null && { sortBy: sortBy.value, isDescending: isDescending.value }),
    };
  }

  /** By another column; by the same in reverse order, then in plan order again. */
  function sort(by: string, startsDescending: boolean): void {
    if (sortBy.value !== by) [sortBy.value, isDescending.value] = [by, startsDescending];
    else if (isDescending.value === startsDescending) isDescending.value = !startsDescending;
    else sortBy.value = null;
  }

  /** Names of the columns that are shown, but for the run; null: all are. */
  function chosenColumns(): string[] | null {
    if (hidden.value.length === 0) return null;
    const names = columns.value.map(({ name }) => name);
    return names.filter((name) => name !== 'run' && !hidden.value.includes(name));
  }

  /** Shows a column of the table, or no longer. */
  function toggleColumn(name: string): void {
    const others = hidden.value.filter((one) => one !== name);
    hidden.value = others.length < hidden.value.length ? others : [...others, name];
  }

  /** Chooses a run for a comparison, or no longer. */
  function toggle(runId: string): void {
    const others = chosen.value.filter((id) => id !== runId);
    chosen.value = others.length < chosen.value.length ? others : [...others, runId];
  }

  /** The table of the runs for which this is true. */
  function showWhere(where: string): void {
    filter.where = where;
    view.value = 'table';
  }
});
