// A filter of the list of runs, as a request and as a command.
import type { RunState } from '#contract/host/run.ts';
import type { RunQueryInput, RunSortKey } from '#contract/host/runQueries.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';

/** As the controls hold it: '' is no filter. */
export interface RunFilterChoice {
  search: string;
  state: RunState | '';
  scenario: string;
  sensor: string;
  tag: string;
  /** A condition, such as 'campaign.density > 200 and goal = 1'. */
  where: string;
  /** Local days, '2026-11-20', both included. */
  fromDay: string;
  toDay: string;
  isTrash: boolean;
  sortBy: RunSortKey;
  isDescending: boolean;
}

/** No filter, the newest first. */
export function everything(): RunFilterChoice {
  return {
    search: '',
    state: '',
    scenario: '',
    sensor: '',
    tag: '',
    where: '',
    fromDay: '',
    toDay: '',
    isTrash: false,
    sortBy: 'created',
    isDescending: true,
  };
}

/** Whether anything is left out; the trash is a place, not a filter. */
export function isFiltered(choice: RunFilterChoice): boolean {
  const { search, where, state, scenario, sensor, tag, fromDay, toDay } = choice;
  return [search.trim(), where.trim(), state, scenario, sensor, tag, fromDay, toDay].some(
    (text) => text !== '',
  );
}

/** The request for a page; left out: for all. */
export function queryOf(
  choice: RunFilterChoice,
  page: { limit?: number; offset?: number } = {},
): RunQueryInput {
  const { state, scenario, sensor, tag, sortBy, isDescending } = choice;
  const search = choice.search.trim();
  const where = choice.where.trim();
  const fromMs = dayMs(choice.fromDay, 0);
  const toMs = dayMs(choice.toDay, 1);
  return {
    ...(search !== '' && { search }),
    ...(state !== '' && { state }),
    ...(scenario !== '' && { scenario }),
    ...(sensor !== '' && { sensor }),
    ...(tag !== '' && { tag }),
    ...(where !== '' && { where }),
    ...(fromMs !== null && { fromMs }),
    ...(toMs !== null && { toMs }),
    trash: choice.isTrash ? 'only' : 'without',
    sortBy,
    isDescending,
    ...page,
  };
}

/** The command that prints the same list. */
export function listCommand(choice: RunFilterChoice): string {
  return commandOf('runs.list', queryOf(choice));
}

/** Start of the local day, or of one so many days later; null where there is no day. */
function dayMs(day: string, laterDays: number): number | null {
  const [year = NaN, month = NaN, date = NaN] = day.split('-').map(Number);
  const ms = new Date(year, month - 1, date + laterDays).getTime();
  return Number.isNaN(ms) ? null : ms;
}
