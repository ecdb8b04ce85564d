// `understory log`: logs of real and simulated sensors: import, show, export, ranges at a place.
import { resolve } from 'node:path';
import { existsSync } from 'node:fs';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { Columns } from '#contract/columns.ts';
import { type LogReturn, logReturns } from '#contract/log/log.ts';
import type { LogStatistics } from '#contract/host/logMethods.ts';
import { exportFormats, type ExportFormat } from '#contract/host/runMethods.ts';
import { countText } from '#domain/shared/formats.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { withSession, type Surroundings } from '../session.ts';
import { addRanges } from './logRanges.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface ImportOptions {
  out: string;
  sensor?: string;
  cloud?: string;
  poses?: string;
  trajectory?: string;
  frame?: string;
  inverse?: boolean;
  inferMisses: boolean;
  returns?: LogReturn;
  azimuth?: [number, number];
  range?: [number, number];
  body?: 'vehicle' | [[number, number, number], [number, number, number]];
  from?: number;
  to?: number;
  crs?: string;
  maxRange?: number;
  white?: number;
  force?: boolean;
  json?: boolean;
}

/** Points of a picture. */
const picturePoints = 1_000_000;

/** Adds the commands to the program. */
export function addLog(program: Command, host: CommandHost): void {
  const log = program
    .command('log')
    .description('beams of real and simulated sensors with their poses');
  addImport(log, host);
  addShow(log, host);
  addExport(log, host);
  addRanges(log, host);
}

function addImport(log: Command, { surroundings, end }: CommandHost): void {
  const command = log
    .command('import')
    .description('a log from a run, an MCAP file or rosbag2, KITTI, PCD, PLY, LAS, NPZ or CSV')
    .argument('<source>', 'id of a run or its beginning; a file; a folder')
    .requiredOption('--out <x.log>', 'the log to write')
    .option('--force', 'replace the file where there is one')
    .option('--sensor <name>', 'of a run with several')
    .option('--cloud <topic>', 'of the clouds; default: the only one')
    .option('--poses <topic>', 'TF, Odometry or PoseStamped; default: detected')
    .option('--trajectory <file>', 'poses of the sensor for files of clouds: .tum, .txt or .csv')
    .option('--frame <name>', 'of the log; default: the uppermost frame above the clouds')
    .option('--inverse', 'the poses are those of the world in the sensor')
    .option('--no-infer-misses', 'misses that the source leaves out stay unknown')
    .addOption(
      new Option('--returns <which>', 'of a pulse with several; default: strongest').choices([
        ...logReturns,
      ]),
    )
    .option('--azimuth <from,to>', 'only this sector: degrees counter-clockwise', parsePair)
    .option('--range <from,to>', 'returns outside are left out: metres', parsePair)
    .option(
      '--body [x,y,z,x,y,z]',
      "leave out returns of the vehicle: of a run's, or in this box of its frame; of other sources, of the sensor's",
      parseBox,
    )
    .option('--from <s>', 'since the first beam', parseNumber)
    .option('--to <s>', 'since the first beam', parseNumber)
    .option('--crs <epsg|wkt>', 'coordinate system of the world, such as EPSG:25832')
    .option('--max-range <m>', "the sensor's, where the source does not state it", parseNumber)
    .option('--white <intensity>', 'of a white diffuse wall that faces the sensor', parseNumber)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\n${sourcesHelp}`)
    .action(async (name: string) => {
      const options = optionsOf<ImportOptions>(command);
      const source = sourceOf(surroundings, name);
      const inputs = [name, ...(options.trajectory === undefined ? [] : [options.trajectory])];
      const out = prepareFile(surroundings, options.out, { ...options, inputs });
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { sensor, cloud, poses, frame, returns, crs, azimuth, range } = options;
        const { from: fromS, to: toS, maxRange: maxM, white, body } = options;
        const { trajectory } = options;
        const { reply } = await call('log.import', {
          source,
          out,
          isReplacing: options.force === true,
          isInverse: options.inverse === true,
          infersMisses: options.inferMisses,
          ...defined({ sensor, cloud, poses, frame, returns, crs, fromS, toS, maxM, body }),
          ...defined({ azimuthDeg: azimuth, rangeM: range, intensityOfWhite: white }),
          ...(trajectory !== undefined && {
            trajectory: resolve(surroundings.workingFolder, trajectory),
          }),
        });
        terminal.endProgress();
        if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
        for (const note of reply.notes) terminal.say(`note: ${note}`);
        terminal.say(`${summaryOf(reply)} in ${out}`);
      });
      end(exitCodes.ok);
    });
}

/** A run by its id, anything else by its absolute name. */
export function sourceOf({ workingFolder }: Surroundings, name: string): string {
  const path = resolve(workingFolder, name);
  return existsSync(path) || /[/.]/.test(name) ? path : name;
}

function addShow(log: Command, { surroundings, end }: CommandHost): void {
  const command = log
    .command('show')
    .description('what a log holds; a damaged one is refused')
    .argument('<x.log>')
    .option('--out <picture.png>', 'a top view, coloured by height')
    .option('--force', 'replace the picture where there is one')
    .option('--json', 'print as JSON')
    .action(async (name: string) => {
      const options = optionsOf<{ out?: string; force?: boolean; json?: boolean }>(command);
      const { out } = options;
      const picture =
        out === undefined ? null : prepareFile(surroundings, out, { ...options, inputs: [name] });
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const parts: Columns[] = [];
        const onChunk = (_body: unknown, columns: Columns): void => void parts.push(columns);
        const file = resolve(surroundings.workingFolder, name);
        const maxPoints = picture === null ? 0 : picturePoints;
        const { reply } = await call('log.show', { log: file, maxPoints }, { onChunk });
        terminal.endProgress();
        if (picture !== null) {
          // Why here: the library that draws would slow the start of every command.
          const { drawLog } = await import('../pictures/logPicture.ts');
          writeWhole(picture, drawLog(name, reply, parts));
        }
        if (options.json === true) return terminal.print(JSON.stringify(reply, null, 2));
        for (const line of linesOf(reply)) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}

function addExport(log: Command, { surroundings, end }: CommandHost): void {
  const command = log
    .command('export')
    .description('the beams of a log for other programs')
    .argument('<x.log>')
    .requiredOption('--out <file>', `ends in ${exportFormats.map((name) => `.${name}`).join(', ')}`)
    .addOption(
      new Option('--format <name>', 'default: the ending of the file').choices([...exportFormats]),
    )
    .option('--misses', 'also beams without a return')
    .option('--force', 'replace the file where there is one')
    .option('--json', 'print the result as JSON')
    .action(async (name: string) => {
      const options = optionsOf<{
        out: string;
        format?: ExportFormat;
        misses?: boolean;
        force?: boolean;
        json?: boolean;
      }>(command);
      const out = prepareFile(surroundings, options.out, { ...options, inputs: [name] });
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply } = await call('log.export', {
          log: resolve(surroundings.workingFolder, name),
          out,
          isReplacing: options.force === true,
          misses: options.misses === true,
          ...defined({ format: options.format }),
        });
        terminal.endProgress();
        if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
        terminal.say(`${countText(reply.points)} beams in ${reply.files.join(', ')}`);
        if (reply.leftOut.length > 0) terminal.say(`left out: ${reply.leftOut.join(', ')}`);
      });
      end(exitCodes.ok);
    });
}

function summaryOf({ beams, returns, misses, missesInferred, unknown }: LogStatistics): string {
  const parts = [`${countText(returns)} returns`];
  if (misses > 0) parts.push(`${countText(misses)} misses`);
  if (missesInferred > 0) parts.push(`${countText(missesInferred)} inferred misses`);
  if (unknown > 0) parts.push(`${countText(unknown)} unknown`);
  return `${countText(beams)} beams (${parts.join(', ')})`;
}

function linesOf(statistics: LogStatistics): string[] {
  const { extentM, seconds, lasers, hash, source, derived, missesAre, sensor, crs } = statistics;
  const corner = (values: readonly number[]): string => values.map((m) => m.toFixed(1)).join(', ');
  return [
    `beams    ${summaryOf(statistics)}`,
    `misses   ${missesAre}`,
    `seconds  ${seconds.toFixed(3)}`,
    ...(extentM === null ? [] : [`extent   ${corner(extentM.minM)} to ${corner(extentM.maxM)} m`]),
    `sensor   ${sensor ?? 'unknown'}, ${lasers === 0 ? 'unknown lasers' : `${lasers} lasers`}`,
    `source   ${source}${derived.length > 0 ? `, derived: ${derived.join(', ')}` : ''}`,
    ...(crs === null ? [] : [`crs      ${crs.slice(0, 60)}`]),
    `hash     ${hash}`,
  ];
}

function parsePair(text: string): [number, number] {
  const [from, to, ...more] = text.split(',').map(Number);
  if (from === undefined || to === undefined || more.length > 0 || !Number.isFinite(from + to)) {
    throw new InvalidArgumentError(`expected "from,to", found "${text}"`);
  }
  return [from, to];
}

function parseBox(text: string): [[number, number, number], [number, number, number]] {
  const [a, b, c, d, e, f, ...more] = text.split(',').map(Number);
  const values = [a, b, c, d, e, f];
  if (more.length > 0 || !values.every((value) => value !== undefined && Number.isFinite(value))) {
    throw new InvalidArgumentError(
      `expected "x,y,z,x,y,z", two corners in metres, found "${text}"`,
    );
  }
  return [
    [a ?? 0, b ?? 0, c ?? 0],
    [d ?? 0, e ?? 0, f ?? 0],
  ];
}

const sourcesHelp = `Sources:
  a run: its sensor's beams; 'drive --misses' records pulses without a return
  .mcap, .db3, a folder of rosbag2: PointCloud2 (Velodyne, Ouster, Autoware or plain fields) with TF, Odometry or PoseStamped
  a folder of KITTI odometry: velodyne/, poses.txt, calib.txt, times.txt; times and lasers are derived
  .pcd, .ply (sensor's frame), .las (world), or a folder of them, with --trajectory
  .las, .npz, .pcd, .ply of 'scan --misses --columns default,beam' and 'log export': no trajectory, their rows have beams
  .csv: time_s or time_ns; origin_x_m, origin_y_m, origin_z_m; direction_x, direction_y, direction_z and range_m, or x_m, y_m, z_m;
  also azimuth_rad (--azimuth needs it), intensity, laser, state (0 unknown, 1 return, 2 miss, 3 inferred miss), return_no (0: no return)
Misses that a source leaves out are inferred from the sensor's firing pattern where it has even times, and marked.`;
