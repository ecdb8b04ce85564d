// `understory serve`: the web host, until SIGINT.
import type { Command } from 'commander';
import { dataFolderOf } from '#hosts/dataFolder.ts';
import { rendererFolder } from '#hosts/packageFolders.ts';
import { serve } from '#hosts/web/serve.ts';
import { webToken } from '#hosts/web/webToken.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { withSession } from '../session.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addServe(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('serve')
    .description('the runs and the live drive in a browser on this machine')
    .option('--port <n>', 'default: any free port', parseNumber)
    .action(async () => {
      const options = optionsOf<{ port?: number; data?: string }>(command);
      // Why not awaited: the recovery of a long recording takes minutes, and others can be seen meanwhile.
      const config = { isRecoveryAwaited: false };
      await withSession(
        surroundings,
        options,
        async ({ terminal, understory }) => {
          const { handlers, events, log } = understory;
          const { port } = options;
          const token = webToken(dataFolderOf({ ...surroundings, option: options.data }));
          const parts = { handlers, events, log, rendererFolder, token };
          const host = await serve({ ...parts, ...defined({ port }) });
          terminal.print(host.address);
          terminal.say('Ctrl+C ends it');
          await untilAborted(surroundings.stop);
          await host.close();
        },
        config,
      );
      end(exitCodes.ok);
    });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
