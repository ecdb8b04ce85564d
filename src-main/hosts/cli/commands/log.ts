// `understory log`: logs of real and simulated sensors: import, show, export, ranges at a place.
import type { Command } from 'commander';
import type { Columns } from '#contract/columns.ts';
import type { LogStatistics } from '#contract/host/logMethods.ts';
import { logSourcesHelp } from '#contract/log/logSources.ts';
import { countText } from '#domain/shared/formats.ts';
import { addAction, addCommand, jsonText } from '../command.ts';
import { writeWhole } from '../files.ts';
import { addRanges } from './logRanges.ts';
import type { CommandHost } from './shared.ts';

/** Points of a picture. */
const picturePoints = 1_000_000;

/** Adds the commands to the program. */
export function addLog(program: Command, host: CommandHost): void {
  const log = program
    .command('log')
    .description('beams of real and simulated sensors with their poses');
  addCommand(log, host, 'log.import', {
    help: `\n${sourcesHelp}`,
    says: (reply, { request: { out } }) => [
      ...reply.notes.map((note) => `note: ${note}`),
      `${summaryOf(reply)} in ${out}`,
    ],
  });
  addShow(log, host);
  addCommand(log, host, 'log.export', {
    says: ({ points, files, leftOut }) => [
      `${countText(points)} beams in ${files.join(', ')}`,
      ...(leftOut.length > 0 ? [`left out: ${leftOut.join(', ')}`] : []),
    ],
  });
  addRanges(log, host);
}

function addShow(log: Command, host: CommandHost): void {
  addAction(log, host, 'log.show', {}, async ({ call, terminal }, given) => {
    const { out } = given.options;
    const parts: Columns[] = [];
    const onChunk = (_body: unknown, columns: Columns): void => void parts.push(columns);
    const maxPoints = out === undefined ? 0 : picturePoints;
    const { reply } = await call('log.show', { ...given.request, maxPoints }, { onChunk });
    terminal.endProgress();
    if (out !== undefined) {
      // Why here: the library that draws would slow the start of every command.
      const { drawLog } = await import('../pictures/logPicture.ts');
      writeWhole(out, drawLog(given.written.log, reply, parts));
    }
    for (const line of given.isJson ? [jsonText(reply)] : linesOf(reply)) terminal.print(line);
  });
}

function summaryOf({ beams, returns, misses, missesInferred, unknown }: LogStatistics): string {
  const parts = [`${countText(returns)} returns`];
  if (misses > 0) parts.push(`${countText(misses)} misses`);
  if (missesInferred > 0) parts.push(`${countText(missesInferred)} inferred misses`);
  if (unknown > 0) parts.push(`${countText(unknown)} unknown`);
  return `${countText(beams)} beams (${parts.join(', ')})`;
}

function linesOf(statistics: LogStatistics): string[] {
  const { extentM, seconds, lasers, hash, source, derived, missesAre, sensor, crs } = statistics;
  const isCut = missesAre === 'unknown' && statistics.misses > 0;
  const corner = (values: readonly number[]): string => values.map((m) => m.toFixed(1)).join(', ');
  return [
    `beams    ${summaryOf(statistics)}`,
    `misses   ${missesAre}${isCut ? ', but for beams that ended behind a span of ranges' : ''}`,
    `seconds  ${seconds.toFixed(3)}`,
    ...(extentM === null ? [] : [`extent   ${corner(extentM.minM)} to ${corner(extentM.maxM)} m`]),
    `sensor   ${sensor ?? 'unknown'}, ${lasers === 0 ? 'unknown lasers' : `${lasers} lasers`}`,
    `source   ${source}${derived.length > 0 ? `, derived: ${derived.join(', ')}` : ''}`,
    ...(crs === null ? [] : [`crs      ${crs.slice(0, 60)}`]),
    `hash     ${hash}`,
  ];
}

const sourcesHelp = `Sources:
${logSourcesHelp}
Misses that a source leaves out are inferred from the sensor's firing pattern where it has even times, and marked.`;
