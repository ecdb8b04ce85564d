// `understory runs list|tag|note|trash|restore|empty`: finding runs, marking them, and the trash.
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  type RunListItem,
  type RunQueryInput,
  type RunSortKey,
  runSortKeys,
} from '#contract/host/runQueries.ts';
import { runStates } from '#contract/host/run.ts';
import { parseList, parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { listLines } from '../runLines.ts';
import { withSession } from '../session.ts';
import { bytesText, countText } from '#domain/shared/formats.ts';
import { defined, optionsOf, runArgument, type CommandHost } from './shared.ts';

interface ListOptions {
  search?: string;
  state?: RunListItem['state'];
  scenario?: string;
  sensor?: string;
  tag?: string;
  where?: string;
  from?: number;
  to?: number;
  trash?: boolean;
  onlyTrash?: boolean;
  sort: RunSortKey;
  ascending?: boolean;
  limit?: number;
  offset?: number;
  json?: boolean;
}

/** Adds the commands to `runs`. */
export function addRunsCollection(runs: Command, host: CommandHost): void {
  addList(runs, host);
  addTag(runs, host);
  addNote(runs, host);
  addTrash(runs, host);
  addRestore(runs, host);
  addEmpty(runs, host);
}

function addList(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('list')
    .description('the runs, the newest first')
    .option('--search <words>', 'in name, scenario, sensors, notes and tags; beginnings will do')
    .addOption(new Option('--state <state>', 'only these').choices(runStates))
    .option('--scenario <name>', "only this scenario's, by its name")
    .option('--sensor <id>', 'only those that this sensor took part in')
    .option('--tag <tag>', 'only those with this tag')
    .option('--where <condition>', 'only those for which it is true: "campaign.density > 200"')
    .option('--from <date>', 'started on this day or at this time, or later', parseDate)
    .option('--to <date>', 'started before this day or time', parseDate)
    .option('--trash', 'deleted ones too')
    .option('--only-trash', 'deleted ones only')
    .addOption(new Option('--sort <column>', 'by what').choices(runSortKeys).default('created'))
    .option('--ascending', 'the least first')
    .option('--limit <n>', 'at most so many', parseNumber)
    .option('--offset <n>', 'leave out the first so many', parseNumber)
    .option('--json', 'print as JSON')
    .action(async () => {
      const options = optionsOf<ListOptions>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply } = await call('runs.list', queryOf(options));
        if (options.json === true) return terminal.print(JSON.stringify(reply.runs, null, 2));
        if (reply.total === 0) return terminal.say(nothingText(options));
        for (const line of listLines(reply.runs)) terminal.print(line);
        if (reply.runs.length < reply.total) {
          terminal.say(`${countText(reply.runs.length)} of ${countText(reply.total)} runs`);
        }
      });
      end(exitCodes.ok);
    });
}

function queryOf(options: ListOptions): RunQueryInput {
  const { search, state, scenario, sensor, tag, where, limit, offset } = options;
  return {
    ...defined({ search, state, scenario, sensor, tag, where, limit, offset }),
    ...defined({ fromMs: options.from, toMs: options.to }),
    trash: options.onlyTrash === true ? 'only' : options.trash === true ? 'with' : 'without',
    sortBy: options.sort,
    isDescending: options.ascending !== true,
  };
}

function nothingText(options: ListOptions) {
  const { onlyTrash, search, state, scenario, sensor, tag, where, from, to } = options;
  if (onlyTrash === true) return 'the trash is empty';
  const filters = [search, state, scenario, sensor, tag, where, from, to];
  return filters.every((value) => value === undefined)
    ? 'no runs yet: understory drive clearing'
    : 'no run is like that';
}

function addTag(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('tag')
    .description('add tags to a run, or remove them; prints its tags afterwards')
    .argument(...runArgument)
    .option('--add <a,b>', 'tags to add', parseList)
    .option('--remove <a,b>', 'tags to remove', parseList)
    .action(async (runId: string) => {
      const options = optionsOf<{ add?: string[]; remove?: string[] }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { add, remove } = options;
        const { reply } = await call('runs.tag', { runIds: [runId], ...defined({ add, remove }) });
        for (const { tags } of reply) terminal.print(tags.join(', '));
      });
      end(exitCodes.ok);
    });
}

function addNote(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('note')
    .description('write the notes of a run, in place of those it had; without a text, print them')
    .argument(...runArgument)
    .argument('[text]', "the new notes; '' removes them")
    .action(async (runId: string, text?: string) => {
      await withSession(surroundings, optionsOf(command), async ({ call, terminal }) => {
        if (text !== undefined) await call('runs.note', { runId, notes: text });
        else terminal.print((await call('runs.show', { runId })).reply.notes);
      });
      end(exitCodes.ok);
    });
}

function addTrash(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('delete')
    .alias('trash')
    .description("move a run to the data folder's trash")
    .argument(...runArgument)
    .action(async (runId: string) => {
      const options = optionsOf(command);
      await withSession(surroundings, options, async ({ call, terminal, understory }) => {
        const { reply } = await call('runs.delete', { runIds: [runId] });
        const { dataFolder } = (await call('host.info', {})).reply;
        const [id = runId] = reply.runIds;
        understory.log.info('a run was deleted', { runId: id });
        terminal.say(`run ${id} is in ${dataFolder}/trash now`);
      });
      end(exitCodes.ok);
    });
}

function addRestore(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('restore')
    .description('take a run out of the trash')
    .argument(...runArgument)
    .action(async (runId: string) => {
      await withSession(surroundings, optionsOf(command), async ({ call, terminal }) => {
        const { reply } = await call('runs.restore', { runIds: [runId] });
        terminal.say(`run ${reply.runIds.join()} is back`);
      });
      end(exitCodes.ok);
    });
}

function addEmpty(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('empty')
    .description('remove the runs in the trash permanently, their recordings too')
    .argument('[runs...]', 'only these')
    .action(async (runIds: string[]) => {
      const options = optionsOf(command);
      await withSession(surroundings, options, async ({ call, terminal, understory }) => {
        const { reply } = await call('runs.empty', runIds.length === 0 ? {} : { runIds });
        terminal.endProgress();
        understory.log.info('the trash was emptied', { ...reply });
        terminal.say(`${countText(reply.removed)} runs removed, ${bytesText(reply.bytes)} freed`);
      });
      end(exitCodes.ok);
    });
}

/** '2026-11-20', local, or with a time. */
function parseDate(text: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text);
  const timeMs = Date.parse(isDay ? `${text}T00:00` : text);
  if (Number.isNaN(timeMs)) {
    throw new InvalidArgumentError(`expected a date such as 2026-11-20, found "${text}"`);
  }
  return timeMs;
}
