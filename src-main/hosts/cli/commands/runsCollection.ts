// `understory runs list|tag|note|trash|restore|empty`: finding runs, marking them, and the trash.
import type { Command } from 'commander';
import type { RunQueryInput } from '#contract/host/runQueries.ts';
import { bytesText, countText } from '#domain/shared/formats.ts';
import { addAction, addCommand } from '../command.ts';
import { listLines } from '../runLines.ts';
import type { CommandHost } from './shared.ts';

/** Adds the commands to `runs`. */
export function addRunsCollection(runs: Command, host: CommandHost): void {
  addCommand(runs, host, 'runs.list', {
    json: (reply) => reply.runs,
    lines: (reply) => (reply.total === 0 ? [] : listLines(reply.runs)),
    says: (reply, { request, isJson }) => {
      if (isJson || (reply.total > 0 && reply.runs.length >= reply.total)) return [];
      if (reply.total === 0) return [nothingText(request)];
      return [`${countText(reply.runs.length)} of ${countText(reply.total)} runs`];
    },
  });
  addCommand(runs, host, 'runs.tag', {
    lines: (reply) => reply.map(({ tags }) => tags.join(', ')),
  });
  addNote(runs, host);
  addTrash(runs, host);
  addCommand(runs, host, 'runs.restore', {
    says: ({ runIds }) => [`run ${runIds.join()} is back`],
  });
  addEmpty(runs, host);
}

function nothingText({
  trash,
  search,
  state,
  scenario,
  sensor,
  tag,
  where,
  fromMs,
  toMs,
}: RunQueryInput) {
  if (trash === 'only') return 'the trash is empty';
  const filters = [search, state, scenario, sensor, tag, where, fromMs, toMs];
  return filters.every((value) => value === undefined)
    ? 'no runs yet: understory drive clearing'
    : 'no run is like that';
}

function addNote(runs: Command, host: CommandHost): void {
  addAction(runs, host, 'runs.note', {}, async ({ call, terminal }, { request }) => {
    if (request.notes === undefined) terminal.print((await call('runs.show', request)).reply.notes);
    else await call('runs.note', request);
  });
}

function addTrash(runs: Command, host: CommandHost): void {
  addAction(runs, host, 'runs.delete', {}, async ({ call, terminal, understory }, given) => {
    const { reply } = await call('runs.delete', given.request);
    const { dataFolder } = (await call('host.info', {})).reply;
    const id = reply.runIds[0] ?? given.args[0];
    understory.log.info('a run was deleted', { runId: id });
    terminal.say(`run ${id} is in ${dataFolder}/trash now`);
  });
}

function addEmpty(runs: Command, host: CommandHost): void {
  addAction(runs, host, 'runs.empty', {}, async ({ call, terminal, understory }, { request }) => {
    const { reply } = await call('runs.empty', request);
    terminal.endProgress();
    understory.log.info('the trash was emptied', { ...reply });
    terminal.say(`${countText(reply.removed)} runs removed, ${bytesText(reply.bytes)} freed`);
  });
}
