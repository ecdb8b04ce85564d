// `understory serve`: the web host, until SIGINT; with --stdio the host of the program that started it.
import type { Command } from 'commander';
import { foxglove } from '#contract/commands/sharedOptions.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { dataFolderOf } from '#hosts/dataFolder.ts';
import { rendererFolder } from '#hosts/packageFolders.ts';
import { serveStdio } from '#hosts/stdio/serveStdio.ts';
import { serve } from '#hosts/web/serve.ts';
import { webToken } from '#hosts/web/webToken.ts';
import { declaredOption, parsePort } from '../arguments.ts';
import { withFoxglove } from '../foxglove.ts';
import { exitCodes } from '../exitCodes.ts';
import { withSession, type Session, type SharedOptions } from '../session.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface ServeCommandOptions {
  port?: number;
  foxglove?: number | true;
  stdio?: boolean;
}

/** Adds the command to the program. */
export function addServe(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('serve')
    .description('the runs and the live drive in a browser on this machine')
    .option('--port <n>', 'default: any free port', parsePort)
    .addOption(declaredOption(foxglove))
    .option(
      '--stdio',
      'no browser: frames on stdin and stdout, for the program that starts this one (PROTOCOL.md); ends with stdin',
    )
    .action(async () => {
      const options = optionsOf<ServeCommandOptions>(command);
      // Why not awaited: the recovery of a long recording takes minutes, and others can be seen meanwhile.
      const config = { isRecoveryAwaited: false };
      const serveAll = options.stdio === true ? serveProgram : servePage;
      await withSession(surroundings, options, (session) => serveAll(session, options), config);
      end(exitCodes.ok);
    });
}

async function servePage(
  session: Session,
  options: ServeCommandOptions & SharedOptions,
): Promise<void> {
  const { terminal, understory, surroundings } = session;
  const { port, data } = options;
  const { handlers, events, log } = understory;
  const token = webToken(dataFolderOf({ ...surroundings, option: data }));
  const parts = { handlers, events, log, rendererFolder, token };
  const host = await serve({ ...parts, ...defined({ port }) });
  terminal.print(host.address);
  await withFoxglove(session, options, async () => {
    terminal.say('Ctrl+C ends it');
    await untilAborted(surroundings.stop);
  });
  await host.close();
}

async function serveProgram({ understory, surroundings }: Session): Promise<void> {
  const { handlers, events } = understory;
  const { stdio, stop } = surroundings;
  if (stdio === undefined) throw new UnderstoryError('unsupported', 'there is no stdin here');
  await serveStdio({ handlers, events, stop, ...stdio() });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
