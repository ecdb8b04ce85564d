// `understory join`: parts of one scan become the file of the whole.
import path from 'node:path';
import type { Command } from 'commander';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile } from '../files.ts';
import { withSession } from '../session.ts';
import { countText } from '#domain/shared/formats.ts';
import { optionsOf, type CommandHost } from './shared.ts';

interface JoinOptions {
  out: string;
  json?: boolean;
  force?: boolean;
}

/** Adds the command to the program. */
export function addJoin(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('join')
    .description('join parts of one scan (scan --part, --from, --to): the bytes of the whole')
    .argument('<part...>', 'files of parts, in any order; each with its .part.json beside it')
    .requiredOption('--out <file>', 'the whole, of the format of the parts')
    .option('--force', 'replace the file where there is one')
    .option('--json', 'print the result as JSON')
    .action(async (names: string[]) => {
      const options = optionsOf<JoinOptions>(command);
      const parts = names.map((name) => path.resolve(surroundings.workingFolder, name));
      const out = prepareFile(surroundings, options.out, { ...options, inputs: names });
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const isReplacing = options.force === true;
        const { reply } = await call('scan.join', { parts, out, isReplacing });
        terminal.endProgress();
        if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
        const { parts: joined, rows, fromS, toS } = reply;
        terminal.say(
          `${countText(joined)} parts, ${countText(rows)} rows, ${fromS} s to ${toS} s in ${out}`,
        );
      });
      end(exitCodes.ok);
    });
}
