// `understory drive`: a vehicle drives itself through a scenario, with one sensor or four of them,
// and what came of it: a table, pictures, a report.
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { sensorSets } from '#contract/commands/scanCommands.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { RunView } from '#contract/host/run.ts';
import { documentName } from '#services/documents/documentFiles.ts';
import { addAction, type Given } from '../command.ts';
import { driveReport, reportLines, shortfallText, type DriveReport } from '../driveReport.ts';
import { exitCodes, exitCodeOfCode } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { withFoxglove } from '../foxglove.ts';
import { printable } from '../printable.ts';
import type { Session } from '../session.ts';
import { shortCountText } from '#domain/shared/formats.ts';
import { defined, type CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addDrive(program: Command, host: CommandHost): void {
  addAction(program, host, 'drive.start', { rules: { force: true } }, (session, given) =>
    withFoxglove(session, given.options, () => driveAll(session, given)),
  );
}

type DriveGiven = Given<'drive.start'>;

/** One run after another; the report is written after each, so that a stop keeps the results so far. */
async function driveAll(session: Session, given: DriveGiven): Promise<number> {
  const { terminal, surroundings } = session;
  const { request, options } = given;
  const { stop, workingFolder } = surroundings;
  const { sensor: named = null, ...others } = request;
  const { scenario } = others;
  const sets: Record<string, readonly string[]> = sensorSets;
  const sensors = sets[named ?? ''] ?? [named];
  const { json, out = join('out', documentName(scenario)) } = options;
  const outFolder = resolve(workingFolder, out);
  const rules = { ...options, force: true, inputs: [scenario] };
  prepareFile(surroundings, join(outFolder, 'picture.png'), rules);
  const reports: DriveReport[] = [];
  let exitCode: number = exitCodes.ok;
  for (const sensor of sensors) {
    if (stop.aborted) break;
    const { report, ending } = await driveOne(session, sensor, outFolder, {
      ...given,
      request: others,
    });
    reports.push(report);
    if (json !== undefined) writeWhole(json, `${JSON.stringify(reports, null, 2)}\n`);
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
  sensor: string | null,
  outFolder: string,
  { request, options }: DriveGiven,
): Promise<{ report: DriveReport; ending: Replies['drive.watch'] }> {
  const { call, terminal, surroundings } = session;
  terminal.say(`${request.scenario} with ${sensor ?? 'its own sensors'}`);
  const start = await call('drive.start', {
    ...request,
    viewPoints: 1,
    ...(sensor !== null && { sensor }),
    ...defined({
      settings: settingsOf(request.settings, options),
      planner: plannerOf(request, surroundings.workingFolder),
    }),
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
function settingsOf(
  set: readonly string[] = [],
  { epoch, truth, organised, misses }: DriveGiven['options'],
): string[] | undefined {
  const settings = [
    ...set,
    ...(epoch === undefined ? [] : [`recording.epoch='${epoch}'`]),
    ...(truth === false ? ['recording.truth=false'] : []),
    ...(organised === true ? ['recording.organised=true'] : []),
    ...(misses === true ? ['recording.misses=true'] : []),
  ];
  return settings.length > 0 ? settings : undefined;
}

/** A planner's Unix socket is named from the working folder. */
function plannerOf(
  { planner }: DriveGiven['request'],
  workingFolder: string,
): DriveGiven['request']['planner'] {
  const path = /^unix:(?:\/\/)?(.+)$/s.exec(planner?.address ?? '')?.[1];
  if (planner === undefined || path === undefined) return planner;
  return { ...planner, address: `unix:${resolve(workingFolder, path)}` };
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
