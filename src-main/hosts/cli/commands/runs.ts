// `understory runs`: what has been simulated, and what can be done with it.
import { resolve } from 'node:path';
import { Option, type Command } from 'commander';
import type { ReturnColumnName } from '#contract/columns.ts';
import {
  exportFormats,
  type ExportFormat,
  type Replies,
  type RunDetails,
} from '#contract/methods.ts';
import { parseColumns, parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { withSession, type Session } from '../session.ts';
import { bytesText, countText, tableLines } from '../table.ts';
import { addRunsCollection, timeText } from './runsCollection.ts';
import { defined, optionsOf, runArgument, type CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addRuns(program: Command, host: CommandHost): void {
  const runs = program
    .command('runs')
    .description('find, mark, show, export, verify and delete runs');
  addRunsCollection(runs, host);
  addShow(runs, host);
  addScans(runs, host);
  addExport(runs, host);
  addVerify(runs, host);
}

function addShow(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('show')
    .description('everything the catalogue knows of a run')
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

function detailLines(run: RunDetails): string[] {
  const { figures, scene } = run;
  const byName: Record<string, number | boolean | string[] | null> = { ...figures };
  const facts: [string, string | null][] = [
    ['run', run.id],
    ['scenario', `${run.scenarioName} (${run.scenarioHash})`],
    ['state', run.end === null ? run.state : `${run.state}: ${run.end}`],
    ['error', run.error],
    ['tags', run.tags.length === 0 ? null : run.tags.join(', ')],
    ['notes', run.notes === '' ? null : run.notes],
    ['started', timeText(run.createdMs)],
    ['ended', run.endedMs === null ? null : timeText(run.endedMs)],
    ['host', run.hostName],
    ['version', `${run.version}${run.isa === null ? '' : `, ${run.isa}`}`],
    ['seed', String(run.seed)],
    ['sensors', run.sensors.join(', ')],
    ['scene', run.sceneHash],
    [
      'triangles',
      scene === null
        ? null
        : `${countText(scene.instancedTriangles)} instanced, ${countText(scene.uniqueTriangles)} unique`,
    ],
    ['ticks, scans', `${countText(run.ticks)}, ${countText(run.scans)}`],
    [
      'recording',
      `${run.recordingFile}${run.recordingBytes === null ? ' (none)' : ` (${bytesText(run.recordingBytes)})`}`,
    ],
    ...(figures === null
      ? []
      : Object.entries(byName).map(([name, value]): [string, string | null] => [
          name,
          value === null ? null : figureText(value),
        ])),
  ];
  return facts
    .filter((fact): fact is [string, string] => fact[1] !== null)
    .map(([name, value]) => `${name.padEnd(22)}${value}`);
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

function scanLines(scans: Replies['runs.scans'], instance: string | undefined): string[] {
  return tableLines(scans, [
    { title: 'tick', value: ({ tick }) => String(tick), align: 'right' },
    { title: 'sensor', value: ({ sensor }) => String(sensor), align: 'right' },
    { title: 'from s', value: ({ fromNs }) => (fromNs / 1e9).toFixed(2), align: 'right' },
    { title: 'pulses', value: ({ pulses }) => countText(pulses), align: 'right' },
    { title: 'returns', value: ({ returns }) => countText(returns), align: 'right' },
    instance === undefined
      ? { title: 'by class', value: ({ classReturns = {} }) => classText(classReturns) }
      : {
          title: instance,
          value: ({ objectReturns = 0 }) => countText(objectReturns),
          align: 'right',
        },
    { title: 'hash', value: ({ hash }) => hash },
  ]);
}

function addExport(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('export')
    .description('the points of a run, for other programs')
    .argument(...runArgument)
    .addOption(new Option('--format <format>').choices(exportFormats).makeOptionMandatory())
    .requiredOption('--out <file>', 'the file to write')
    .option('--sensor <name>', 'only the points of this one; default: all, with a column sensor')
    .option('--columns <a,b>', 'only these columns, or sets of them; default: all', parseColumns)
    .option('--from <s>', 'from this simulated time on', parseNumber)
    .option('--to <s>', 'up to this simulated time', parseNumber)
    .option('--json', 'print the figures as JSON')
    .action(async (runId: string) => {
      const options = optionsOf<{
        format: ExportFormat;
        out: string;
        sensor?: string;
        columns?: string[];
        from?: number;
        to?: number;
        json?: boolean;
      }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply } = await call('runs.export', {
          runId,
          format: options.format,
          out: resolve(surroundings.workingFolder, options.out),
          ...defined({ sensor: options.sensor, fromS: options.from, toS: options.to }),
          // Why the cast: names are checked where all requests are.
          ...defined({ columns: options.columns as ReturnColumnName[] | undefined }),
        });
        terminal.endProgress();
        if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
        terminal.say(`${countText(reply.points)} points in ${reply.files.join(', ')}`);
        if (reply.leftOut.length > 0) terminal.say(`left out: ${reply.leftOut.join(', ')}`);
      });
      end(exitCodes.ok);
    });
}

function addVerify(runs: Command, { surroundings, end }: CommandHost): void {
  const command = runs
    .command('verify')
    .description('simulate a run again and compare the hash of every scan')
    .argument(...runArgument)
    .option('--threads <n>', 'threads of the worker; never changes a byte', parseNumber)
    .option('--json', 'print the result as JSON')
    .action(async (runId: string) => {
      const options = optionsOf<{ json?: boolean; threads?: number }>(command);
      const isSame = await withSession(surroundings, options, (session) =>
        verify(session, runId, options),
      );
      end(isSame ? exitCodes.ok : exitCodes.negative);
    });
}

async function verify(
  { call, terminal }: Session,
  runId: string,
  options: { json?: boolean; threads?: number },
): Promise<boolean> {
  const run = (await call('runs.show', { runId })).reply;
  terminal.say(
    `recorded by version ${run.version} with ${run.isa ?? 'an unknown instruction set'}`,
  );
  const { threads } = options;
  const { reply } = await call('runs.verify', { runId: run.id, ...defined({ threads }) });
  terminal.endProgress();
  if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
  const { differs, scans, here, recordedWith } = reply;
  if (differs === null) {
    terminal.say(`${countText(scans)} scans simulated again: all hashes agree`);
    return true;
  }
  const { tick, sensor, recorded, simulated } = differs;
  terminal.say(
    `tick ${tick}, sensor ${sensor} differs first: recorded ${recorded}, simulated ${simulated}`,
  );
  for (const key of ['version', 'isa', 'sceneHash'] as const) {
    if (here[key] === recordedWith[key] || here[key] === null) continue;
    terminal.say(`${key} differs: recorded ${recordedWith[key] ?? 'unknown'}, here ${here[key]}`);
  }
  return false;
}

/** Sorted by count: 'grass 1,200, ground 340'. */
function classText(classReturns: Record<string, number>): string {
  return Object.entries(classReturns)
    .filter(([, returns]) => returns > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([name, returns]) => `${name} ${countText(returns)}`)
    .join(', ');
}

function figureText(value: number | boolean | string[]): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ');
  return typeof value === 'number' ? String(Number(value.toFixed(4))) : String(value);
}
