// `understory join`: parts of one scan become the file of the whole.
import type { Command } from 'commander';
import { countText } from '#domain/shared/formats.ts';
import { addCommand } from '../command.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addJoin(program: Command, host: CommandHost): void {
  addCommand(program, host, 'scan.join', {
    says: ({ parts, rows, fromS, toS }, { request: { out } }) => [
      `${countText(parts)} parts, ${countText(rows)} rows, ${fromS} s to ${toS} s in ${out}`,
    ],
  });
}
