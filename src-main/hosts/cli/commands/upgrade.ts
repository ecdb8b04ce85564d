// `understory upgrade`: rewrites documents of older versions as the present one, with their comments.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCodes } from '../exitCodes.ts';
import { withSession } from '../session.ts';
import { optionsOf, type CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addUpgrade(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('upgrade')
    .description('rewrite documents of older versions; comments stay')
    .argument('<files...>', 'scenario, sensor, plant or campaign files')
    .option('--dry-run', 'say what would change, and write nothing')
    .option('--json', 'print as JSON')
    .action(async (files: string[]) => {
      const options = optionsOf<{ dryRun?: boolean; json?: boolean }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const isDryRun = options.dryRun === true;
        const replies = [];
        for (const name of files) {
          const file = resolve(surroundings.workingFolder, name);
          const { reply } = await call('document.upgrade', { file, isDryRun });
          replies.push({ file: name, ...reply });
          if (options.json === true) continue;
          const { format, from, to, notes } = reply;
          const change = from === to ? `version ${to}, up to date` : `version ${from} to ${to}`;
          terminal.print(
            `${name}: ${format}, ${change}${isDryRun && from < to ? ' (not written)' : ''}`,
          );
          for (const { path, message } of notes) terminal.print(`  ${path}: ${message}`);
        }
        if (options.json === true) terminal.print(JSON.stringify(replies, null, 2));
      });
      end(exitCodes.ok);
    });
}
