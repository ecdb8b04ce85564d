// `understory compare`: two logs, runs or clouds against each other, in the metrics that need no model.
import type { Command } from 'commander';
import type { LogReplies } from '#contract/host/logMethods.ts';
import { countText } from '#domain/shared/formats.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import {
  comparedBhattacharyyaNote,
  groupColumns,
  groupRows,
  metricColumns,
} from '../pictures/metricTables.ts';
import { withSession } from '../session.ts';
import { tableLines } from '../table.ts';
import { sourceOf } from './log.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface CompareOptions {
  threads?: number;
  json?: boolean;
}

/** Adds the command to the program. */
export function addCompare(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('compare')
    .description('two logs, runs or clouds against each other (Browning 2012, section 5)')
    .argument('<one>', 'a log, the id of a run, or any source of `log import`')
    .argument('<other>', 'likewise; hits and misses are those of the first that the other has, too')
    .option('--threads <n>', 'threads of the worker; never changes a metric', parseNumber)
    .option('--json', 'print the metrics as JSON');
  command.action(async (one: string, other: string) => {
    const options = optionsOf<CompareOptions>(command);
    await withSession(surroundings, options, async ({ call, terminal }) => {
      const { reply } = await call('log.compare', {
        one: sourceOf(surroundings, one),
        other: sourceOf(surroundings, other),
        ...defined({ threads: options.threads }),
      });
      terminal.endProgress();
      if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
      else for (const line of linesOf(reply, other)) terminal.print(line);
      const notes = [...reply.notes, comparedBhattacharyyaNote(reply.bhattacharyya)];
      for (const note of notes) terminal.say(`note: ${note}`);
    });
    end(exitCodes.ok);
  });
}

function linesOf(reply: LogReplies['log.compare'], name: string): string[] {
  const { haveSameBeams, beams, otherBeams, sweeps, classes, ranges } = reply;
  const named = [{ name, classes, ranges }];
  const groups = (kind: 'classes' | 'ranges'): string[] => {
    const rows = groupRows(named, kind);
    return rows.length === 0 ? [] : ['', ...tableLines(rows, groupColumns)];
  };
  const kind = haveSameBeams ? 'the same beams' : `${countText(sweeps)} pairs of sweeps`;
  return [
    `${countText(beams)} beams against ${countText(otherBeams)}, ${kind}`,
    ...tableLines([{ ...reply, name }], metricColumns),
    ...groups('classes'),
    ...groups('ranges'),
  ];
}
