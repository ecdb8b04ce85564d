// `understory runs pack` and `unpack`: runs into a file, and from one.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { exportFormats, type ExportFormat } from '#contract/host/runMethods.ts';
import { bytesText } from '#domain/shared/formats.ts';
import { parseList } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { withSession } from '../session.ts';
import { inOneSentence } from './refusals.ts';
import { optionsOf, type CommandHost } from './shared.ts';

/** Adds the commands. */
export function addBundles(runs: Command, host: CommandHost): void {
  addPack(runs, host);
  addUnpack(runs, host);
}

function addPack(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('pack')
    .description('runs as one file, to be unpacked and verified elsewhere; equal runs, equal bytes')
    .argument('<run...>', 'ids of runs, or the beginnings of them')
    .requiredOption('--out <file>', 'the bundle to write, such as x.understory')
    .option('--recording', 'with the recordings: the runs can be played and exported elsewhere')
    .option(
      '--clouds <a,b>',
      `with the points as files, of these formats: ${exportFormats.join(', ')}`,
      parseList,
    )
    .option('--pictures', 'with the cost map and the cloud of each run as pictures')
    .option('--html', 'with index.html, which shows the runs in any browser, from disk')
    .option('--force', 'replace the file where there is one')
    .option('--json', 'print the result as JSON')
    .action(async (runIds: string[]) => {
      const options = optionsOf<{
        out: string;
        recording?: boolean;
        clouds?: string[];
        pictures?: boolean;
        html?: boolean;
        force?: boolean;
        json?: boolean;
      }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const answer = call('runs.pack', {
          runIds,
          out: resolve(surroundings.workingFolder, options.out),
          isReplacing: options.force === true,
          recording: options.recording === true,
          // Why the cast: names are checked where all requests are.
          clouds: (options.clouds ?? []) as ExportFormat[],
          pictures: options.pictures === true,
          page: options.html === true,
        });
        const { reply } = await answer.catch((error: unknown) => {
          throw inOneSentence(error);
        });
        terminal.endProgress();
        if (options.json === true) return terminal.print(JSON.stringify(reply, null, 2));
        const { file, bytes, runs: packed } = reply;
        const count = packed.length === 1 ? '1 run' : `${packed.length} runs`;
        terminal.say(`${count} in ${file} (${bytesText(bytes)})`);
      });
      end(exitCodes.ok);
    });
}

function addUnpack(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('unpack')
    .description('take runs from elsewhere: bundles, recordings, or whole data folders')
    .argument('<file...>', 'bundles, recordings, or data folders')
    .option('--json', 'print the result as JSON')
    .action(async (files: string[]) => {
      const options = optionsOf<{ json?: boolean }>(command);
      const isWhole = await withSession(surroundings, options, async ({ call, terminal }) => {
        const replies = [];
        for (const file of files) {
          const path = resolve(surroundings.workingFolder, file);
          const { reply } = await call('runs.unpack', { path });
          terminal.endProgress();
          replies.push(reply);
          for (const { runId, name, isNew, hasRecording } of reply.runs) {
            const state = isNew ? 'new' : 'there already';
            const recording = hasRecording ? '' : ', without a recording';
            terminal.say(`run ${runId} (${name}): ${state}${recording}`);
          }
          for (const { runId, reason } of reply.refused) {
            terminal.say(`run ${runId} is left out: ${reason}`);
          }
        }
        const all = {
          runs: replies.flatMap((reply) => reply.runs),
          refused: replies.flatMap((reply) => reply.refused),
        };
        if (options.json === true) terminal.print(JSON.stringify(all, null, 2));
        return all.refused.length === 0;
      });
      end(isWhole ? exitCodes.ok : exitCodes.negative);
    });
}
