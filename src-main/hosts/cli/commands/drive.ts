// `understory drive`: a vehicle drives itself through a scenario, with one sensor or four of them,
// and what came of it: a table, pictures, a report.
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import type { Replies } from '#contract/host/methods.ts';
import type { RunView } from '#contract/host/run.ts';
import type { Isa } from '#contract/worker/worker.ts';
import { documentName } from '#services/documents/documentFiles.ts';
import { parseNumber, parsePlace } from '../arguments.ts';
import { driveReport, reportLines, shortfallText, type DriveReport } from '../driveReport.ts';
import { exitCodes, exitCodeOfCode } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { foxgloveOption, withFoxglove } from '../foxglove.ts';
import { printable } from '../printable.ts';
import { withSession, type Session, type SharedOptions } from '../session.ts';
import { shortCountText } from '#domain/shared/formats.ts';
import {
  defined,
  optionsOf,
  withComputeOptions,
  withSettings,
  type CommandHost,
} from './shared.ts';

/** From the sparsest to the densest: as built, and as Goodin 2018 models them. */
const sensorSets: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ['all', ['lms-291', 'vlp-16', 'hdl-32e', 'hdl-64e']],
  [
    'paper',
    ['lms-291-goodin2018', 'vlp-16-goodin2018', 'hdl-32e-goodin2018', 'hdl-64e-goodin2018'],
  ],
]);

interface DriveOptions {
  sensor?: string;
  seconds?: number;
  seed?: number;
  start?: [number, number];
  goal?: [number, number];
  commands?: string;
  planner?: string;
  plannerTimeout?: number;
  plannerHold?: number;
  foxglove?: number | true;
  speed?: number;
  out?: string;
  json?: string;
  pipeline: boolean;
  threads?: number;
  isa?: Isa;
  set?: string[];
  epoch?: string;
  truth: boolean;
  organised?: boolean;
  misses?: boolean;
}

/** Adds the command to the program. */
export function addDrive(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('drive')
    .description('drive through a scenario to its goal')
    .argument('[scenario]', 'a scenario file, or the name of a sample', 'courtyard')
    .option(
      '--sensor <id>',
      `instead of the scenario's own sensors, all of which look at once: a sensor file, the id of a sample, all (${sensorSets.get('all')?.join(', ')}) or paper (the presets of Goodin 2018), one drive each`,
    )
    .option('--seconds <s>', 'stop after this much simulated time', parseNumber)
    .option('--seed <n>', "default: the scenario's", parseNumber)
    .option('--start <x,y>', "in metres; default: the mission's", parsePlace)
    .option('--goal <x,y>', "in metres; default: the mission's", parsePlace)
    .option('--commands <run>', 'drive as this run was driven: by the commands in its recording')
    .option(
      '--planner <address>',
      'an external planner of this machine decides: tcp://127.0.0.1:PORT or unix:PATH, where it listens (PROTOCOL.md)',
    )
    .option(
      '--planner-timeout <s>',
      'wall time for which each tick waits for its command; then the last one holds; default: 1',
      parseNumber,
    )
    .option(
      '--planner-hold <s>',
      'simulated time for which a command holds without another; then the vehicle stops; default: 1',
      parseNumber,
    )
    .option('--speed <x>', 'simulated seconds a second at most; default: no limit', parseNumber)
    .option(
      '--epoch <time>',
      'wall time of the first tick in the recording: 2026-11-22T12:00:00Z, or seconds since 1970; default: 0',
    )
    .option('--no-truth', 'record the clouds of the sensors alone, without ground truth')
    .option(
      '--organised',
      'record clouds of the sensors as grids: a row for each ring, NaN where nothing returned',
    )
    .option('--misses', 'record pulses without an echo too, with the ground truth: for logs')
    .option(...foxgloveOption)
    .option('--out <dir>', 'folder for the pictures; default: out/SCENARIO')
    .option('--json <file>', 'write the report, an array with one entry a sensor')
    .option('--no-pipeline', 'scan, map and record one after another; never changes a byte');
  withComputeOptions(withSettings(command)).action(async (scenario: string) => {
    const options = optionsOf<DriveOptions>(command);
    const exitCode = await withSession(surroundings, options, (session) =>
      withFoxglove(session, options, () => driveAll(session, scenario, options)),
    );
    end(exitCode);
  });
}

/** One run after another; the report is written after each, so that a stop keeps the results so far. */
async function driveAll(
  session: Session,
  scenario: string,
  options: DriveOptions & SharedOptions,
): Promise<number> {
  const { terminal, surroundings } = session;
  const { stop, workingFolder } = surroundings;
  const sensors = sensorSets.get(options.sensor) ?? [options.sensor ?? null];
  const rules = { ...options, force: true, inputs: [scenario] };
  const json = options.json === undefined ? null : prepareFile(surroundings, options.json, rules);
  const outFolder = resolve(workingFolder, options.out ?? join('out', documentName(scenario)));
  prepareFile(surroundings, join(outFolder, 'picture.png'), rules);
  const reports: DriveReport[] = [];
  let exitCode: number = exitCodes.ok;
  for (const sensor of sensors) {
    if (stop.aborted) break;
    const { report, ending } = await driveOne(session, scenario, sensor, outFolder, options);
    reports.push(report);
    if (json !== null) writeWhole(json, `${JSON.stringify(reports, null, 2)}\n`);
    exitCode = Math.max(exitCode, exitCodeOfEnding(ending));
  }
  if (options.quiet !== true) for (const line of summaryLines(reports)) terminal.print(line);
  for (const report of reports) {
    const reason = shortfallText(report);
    if (reason !== null) surroundings.output.stderr(`understory: ${printable(reason)}\n`);
  }
  return exitCode;
}

/** The table, and where the pictures are. */
function summaryLines(reports: readonly DriveReport[]): string[] {
  const pictures = reports.flatMap(({ runId, costMapPng, finalCostMapPng, cloudPng }) => [
    `run ${runId}`,
    ...[costMapPng, finalCostMapPng, cloudPng]
      .filter((file) => file !== null)
      .map((file) => `  ${file}`),
  ]);
  return [...reportLines(reports), ...pictures];
}

async function driveOne(
  session: Session,
  scenario: string,
  sensor: string | null,
  outFolder: string,
  options: DriveOptions,
): Promise<{ report: DriveReport; ending: Replies['drive.watch'] }> {
  const { call, terminal } = session;
  const { seconds, seed, threads, isa, speed, commands } = options;
  terminal.say(`${scenario} with ${sensor ?? 'its own sensors'}`);
  const start = await call('drive.start', {
    scenario,
    isPipelined: options.pipeline,
    viewPoints: 1,
    ...defined({ sensor: sensor ?? undefined, seconds, seed, threads, isa, speed, commands }),
    ...defined({ startM: options.start, goalM: options.goal, settings: settingsOf(options) }),
    ...defined({ planner: plannerOf(options, session.surroundings.workingFolder) }),
  });
  const { runId } = start.reply;
  const ending = await watchToTheEnd(session, runId);
  const run = (await call('runs.show', { runId }, { signal: never })).reply;
  const label = sensor ?? run.sensors.join('+');
  // Why here: drawing is not part of the drive.
  const hostPeakRssMB = process.resourceUsage().maxRSS / 1000;
  const hasRecording = run.recordingBytes !== null && ending.state !== 'failed';
  if (hasRecording) terminal.progress(() => 'drawing …');
  // Why only now: the charts' library would slow the start of every command.
  const { drawDrive } = await import('../drivePictures.ts');
  const pictures = hasRecording
    ? await drawDrive({ run, sensor: label, outFolder, signal: never })
    : { costMapPng: null, finalCostMapPng: null, cloudPng: null };
  terminal.endProgress();
  return { report: driveReport(label, run, ending, pictures, hostPeakRssMB), ending };
}

/** Settings of --set, then those of options about the recording. */
function settingsOf({ set, epoch, truth, organised, misses }: DriveOptions): string[] | undefined {
  const settings = [
    ...(set ?? []),
    ...(epoch === undefined ? [] : [`recording.epoch='${epoch}'`]),
    ...(truth ? [] : ['recording.truth=false']),
    ...(organised === true ? ['recording.organised=true'] : []),
    ...(misses === true ? ['recording.misses=true'] : []),
  ];
  return settings.length > 0 ? settings : undefined;
}

/** A planner's Unix socket is named from the working folder. */
function plannerOf(
  { planner, plannerTimeout: timeoutS, plannerHold: holdS }: DriveOptions,
  workingFolder: string,
): { address: string; timeoutS?: number; holdS?: number } | undefined {
  if (planner === undefined) return undefined;
  const path = /^unix:(?:\/\/)?(.+)$/s.exec(planner)?.[1];
  const address = path === undefined ? planner : `unix:${resolve(workingFolder, path)}`;
  return { address, ...defined({ timeoutS, holdS }) };
}

/** Follows a run; the first SIGINT stops it, and its end is still awaited. */
export async function watchToTheEnd(
  { call, terminal, surroundings }: Session,
  runId: string,
): Promise<Replies['drive.watch']> {
  const { stop } = surroundings;
  const onStop = (): void => {
    terminal.say('stopping; what was recorded is kept (once more: at once)');
    // Why: the call fails only where the run has just ended by itself, which is what was wanted.
    call('drive.stop', { runId }, { signal: never }).catch(() => undefined);
  };
  if (stop.aborted) onStop();
  stop.addEventListener('abort', onStop, { once: true });
  let isDriving = false;
  const onView = (view: RunView): void => {
    if (!isDriving) terminal.beginPhase();
    isDriving = true;
    terminal.progress(() => viewText(view));
  };
  try {
    const { reply } = await call(
      'drive.watch',
      { runId, maxPoints: 0 },
      {
        signal: never,
        onChunk: (body) => onView(body as RunView),
      },
    );
    return reply;
  } finally {
    stop.removeEventListener('abort', onStop);
    terminal.endProgress();
  }
}

const never = new AbortController().signal;

/** Fits a terminal of 80 columns. */
function viewText({ tick, wallSeconds, points }: RunView): string {
  const simSeconds = tick.timeNs / 1e9;
  const factor = wallSeconds > 0 ? simSeconds / wallSeconds : 0;
  return [
    `sim ${simSeconds.toFixed(1)} s`,
    `wall ${wallSeconds.toFixed(1)} s`,
    `${factor.toFixed(2)} x real time`,
    `${shortCountText(points)} points`,
    `${tick.distanceToGoalM.toFixed(1)} m to goal`,
    ...(tick.collisions > 0 ? [`${tick.collisions} collisions`] : []),
    ...(tick.activity === 'driving' ? [] : [tick.activity]),
  ].join(', ');
}

function exitCodeOfEnding({ state, end, errorCode }: Replies['drive.watch']): number {
  if (state === 'cancelled') return exitCodeOfCode('cancelled');
  if (errorCode !== null) return exitCodeOfCode(errorCode);
  if (state !== 'finished') return exitCodeOfCode('run-lost');
  return end === 'goal' || end === 'seconds' ? exitCodes.ok : exitCodes.notArrived;
}
