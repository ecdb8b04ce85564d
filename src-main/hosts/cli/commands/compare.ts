// `understory compare`: two logs, runs or clouds against each other, in the metrics that need no model.
import type { Command } from 'commander';
import type { LogReplies } from '#contract/host/logMethods.ts';
import { countText } from '#domain/shared/formats.ts';
import { addCommand } from '../command.ts';
import {
  comparedBhattacharyyaNote,
  groupColumns,
  groupRows,
  metricColumns,
} from '../pictures/metricTables.ts';
import { tableLines } from '../table.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addCompare(program: Command, host: CommandHost): void {
  addCommand(program, host, 'log.compare', {
    lines: (reply, { written }) => linesOf(reply, written.other),
    says: ({ notes, bhattacharyya }) =>
      [...notes, comparedBhattacharyyaNote(bhattacharyya)].map((note) => `note: ${note}`),
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
