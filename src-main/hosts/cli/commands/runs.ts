// `understory runs`: what has been simulated, and what can be done with it.
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { RequestInputOf } from '#contract/host/methods.ts';
import {
  type DatasetFormat,
  datasetFormats,
  exportFormats,
  type ExportFormat,
} from '#contract/host/runMethods.ts';
import { parseColumnWords, parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { detailLines, scanLines, timeText } from '../runLines.ts';
import { withSession } from '../session.ts';
import { countText } from '#domain/shared/formats.ts';
import { inOneSentence } from './refusals.ts';
import { addBundles } from './runsBundles.ts';
import { addVerify } from './runsVerify.ts';
import { addRunsCollection } from './runsCollection.ts';
import { defined, optionsOf, runArgument, type CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addRuns(program: Command, host: CommandHost): void {
  const runs = program
    .command('runs')
    .description('find, mark, show, export, verify and delete runs');
  addRunsCollection(runs, host);
  addShow(runs, host);
  addLog(runs, host);
  addScans(runs, host);
  addExport(runs, host);
  addVerify(runs, host);
  addBundles(runs, host);
  addAdopt(runs, host);
}

function addShow(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('show')
    .description('everything in the catalogue about a run')
    .argument(...runArgument)
    .option('--json', 'print as JSON')
    .action(async (runId: string) => {
      const options = optionsOf<{ json?: boolean }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply } = await call('runs.show', { runId });
        if (options.json === true) return terminal.print(JSON.stringify(reply, null, 2));
        for (const line of detailLines(reply)) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}

function addLog(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('log')
    .description('what was logged from the start of a run to its end')
    .argument(...runArgument)
    .option('--json', 'print as JSON')
    .action(async (runId: string) => {
      const options = optionsOf<{ json?: boolean }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { lines } = (await call('runs.log', { runId })).reply;
        if (options.json === true) return terminal.print(JSON.stringify(lines, null, 2));
        for (const { timeMs, level, message, details } of lines) {
          terminal.print(`${timeText(timeMs)} ${level}: ${message} ${details}`.trimEnd());
        }
        if (lines.length === 0) terminal.say('nothing was logged');
      });
      end(exitCodes.ok);
    });
}

function addScans(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('scans')
    .description('the scans of a run, with returns by class, or those that saw one instance')
    .argument(...runArgument)
    .option('--instance <name>', 'only scans with returns from this instance, such as tree-12')
    .option('--min-returns <n>', 'at least so many returns', parseNumber)
    .option('--json', 'print as JSON')
    .action(async (runId: string) => {
      const options = optionsOf<{ json?: boolean; instance?: string; minReturns?: number }>(
        command,
      );
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { instance, minReturns } = options;
        const { reply } = await call('runs.scans', { runId, ...defined({ instance, minReturns }) });
        if (options.json === true) return terminal.print(JSON.stringify(reply, null, 2));
        for (const line of scanLines(reply, instance)) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}

function addExport(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('export')
    .description('the points of a run, for other programs')
    .argument(...runArgument)
    .addOption(
      new Option('--format <format>')
        .choices([...exportFormats, ...datasetFormats])
        .makeOptionMandatory(),
    )
    .requiredOption('--out <file>', 'the file to write; with semantickitti a folder')
    .option('--sensor <name>', 'only the points of this one; default: all, with a column sensor')
    .option(
      '--columns <a,b>',
      'only these columns, or sets of them; default: all',
      parseColumnWords,
    )
    .addOption(
      new Option(
        '--frame <frame>',
        "of the points; sensor: each at its pulse's own time; default: world",
      ).choices(['world', 'sensor']),
    )
    .option('--from <s>', 'from this simulated time on', parseNumber)
    .option('--to <s>', 'up to this simulated time', parseNumber)
    .option('--force', 'replace the file where there is one')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', exportHelp)
    .action(async (runId: string) => {
      const options = optionsOf<{
        format: ExportFormat | DatasetFormat;
        frame?: 'world' | 'sensor';
        out: string;
        sensor?: string;
        columns?: string[];
        from?: number;
        to?: number;
        force?: boolean;
        json?: boolean;
      }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const answer = call('runs.export', {
          runId,
          format: options.format,
          idTables: true,
          out: resolve(surroundings.workingFolder, options.out),
          isReplacing: options.force === true,
          ...defined({ sensor: options.sensor, frame: options.frame }),
          ...defined({ fromS: options.from, toS: options.to }),
          // Why the cast: names are checked where all requests are.
          ...defined({ columns: options.columns as RequestInputOf<'runs.export'>['columns'] }),
        });
        const { reply } = await answer.catch((error: unknown) => {
          throw inOneSentence(error);
        });
        terminal.endProgress();
        if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
        terminal.say(`${countText(reply.points)} points in ${reply.files.join(', ')}`);
        if (reply.leftOut.length > 0) terminal.say(`left out: ${reply.leftOut.join(', ')}`);
      });
      end(exitCodes.ok);
    });
}

/** Formats that other programs write better. */
const exportHelp = [
  '\nBeside a file with object_id or material_id: FILE.objects.csv (id, name, class, model, pose), FILE.materials.csv.',
  'LAS: intensity is scaled by the factor in the record Understory 1; relative_intensity has the values themselves.',
  'The origin and direction of beams of a run follow the poses within each tick; of earlier recordings without them, straight lines between the ends of ticks.',
  'LAZ: pdal translate cloud.las cloud.laz. E57: pdal translate cloud.las cloud.e57, or CloudCompare.',
].join('\n');

function addAdopt(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('adopt')
    .description('take recordings into the catalogue: of one run, or of all that it does not have')
    .argument('[run]', 'id of a run; default: every folder in the data folder without a row')
    .option('--json', 'print the result as JSON')
    .action(async (runId?: string) => {
      const options = optionsOf<{ json?: boolean }>(command);
      const isWhole = await withSession(surroundings, options, async ({ call, terminal }) => {
        const runIds = runId === undefined ? {} : { runIds: [runId] };
        const { adopted, refused } = (await call('runs.adopt', runIds)).reply;
        terminal.endProgress();
        if (options.json === true) terminal.print(JSON.stringify({ adopted, refused }, null, 2));
        for (const { runId: id, scans, changes, simSeconds } of adopted) {
          const length = `${countText(scans)} scans, ${simSeconds.toFixed(1)} s`;
          terminal.say(`run ${id}: ${length}; ${countText(changes)} rows changed`);
        }
        for (const { runId: id, reason } of refused)
          terminal.say(`run ${id} is left out: ${reason}`);
        if (adopted.length + refused.length === 0) terminal.say('every run folder has a row');
        return refused.length === 0;
      });
      end(isWhole ? exitCodes.ok : exitCodes.negative);
    });
}
