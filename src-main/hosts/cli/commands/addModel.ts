// `understory scenario add-model`: a learned model in a scenario that is there, or in a new one.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile } from '../files.ts';
import { withSession } from '../session.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface AddModelOptions {
  out: string;
  to?: string;
  log?: string;
  force?: boolean;
  json?: boolean;
}

/** Adds the command to `scenario`. */
export function addAddModel(scenario: Command, { surroundings, end }: CommandHost): void {
  const command = scenario
    .command('add-model')
    .description('a learned model in a scenario, or in a new one with level ground and a drive')
    .argument('<model>', 'a .ply of `learn`')
    .option('--to <scenario>', 'a scenario file, or the name of a sample; default: a new one')
    .option('--log <file>', 'of a new scenario: its ground and its drive are those of this log')
    .requiredOption('--out <file.yaml>', 'the scenario to write')
    .option('--force', 'replace the file where there is one')
    .option('--json', 'print the result as JSON')
    .action(async (name: string) => {
      const options = optionsOf<AddModelOptions>(command);
      const fileOf = (path: string): string => resolve(surroundings.workingFolder, path);
      const isFile = /\.(ya?ml|json)$/i.test(options.to ?? '');
      const to = options.to !== undefined && isFile ? fileOf(options.to) : options.to;
      const log = options.log === undefined ? undefined : fileOf(options.log);
      const model = fileOf(name);
      const inputs = [model, log, to].filter((one) => one !== undefined);
      const rules = { ...options, inputs, userFolders: ['scenarios'] };
      const out = prepareFile(surroundings, options.out, rules);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply } = await call('scenario.addModel', {
          ...{ model, out, isReplacing: options.force === true },
          ...defined({ scenario: to, log }),
        });
        terminal.endProgress();
        terminal.print(options.json === true ? JSON.stringify(reply, null, 2) : reply.file);
      });
      end(exitCodes.ok);
    });
}
