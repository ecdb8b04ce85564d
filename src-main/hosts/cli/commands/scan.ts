// `understory scan`: one sensor at one place, along poses, or along the scenario's survey, to a file.
import path from 'node:path';
import { Option, type Command } from 'commander';
import { columnSets, rayColumns, returnColumns, type ReturnColumnName } from '#contract/columns.ts';
import { type DatasetFormat, datasetFormats, exportFormats } from '#contract/host/runMethods.ts';
import { trajectoryFormats } from '#contract/documents/survey.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { returnModes } from '#contract/documents/sensorReturns.ts';
import type { Isa } from '#contract/worker/worker.ts';
import { parseColumns, parseNumber, parsePart, parsePose, type PoseDeg } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile } from '../files.ts';
import { withSession } from '../session.ts';
import { meshNotices } from '#domain/scene/meshNotices.ts';
import { countText } from '#domain/shared/formats.ts';
import type { TrajectoryFormat } from '#domain/trajectory/trajectoryText.ts';
import {
  defined,
  optionsOf,
  withComputeOptions,
  withSettings,
  type CommandHost,
} from './shared.ts';

interface ScanOptions {
  sensor?: string;
  pose?: PoseDeg;
  trajectory?: string;
  trajectoryFormat?: TrajectoryFormat;
  maxGap?: number;
  from?: number;
  to?: number;
  part?: { index: number; of: number };
  posesOut?: string;
  seconds?: number;
  out: string;
  format?: DatasetFormat;
  frame?: 'world' | 'sensor';
  seed?: number;
  rateHz?: number;
  mode?: string;
  misses?: boolean;
  columns?: string[];
  rays?: string;
  waveforms?: string;
  threads?: number;
  ranks?: number;
  isa?: Isa;
  json?: boolean;
  force?: boolean;
  set?: string[];
}

/** Adds the command to the program. */
export function addScan(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('scan')
    .description(
      'scan a scenario with one sensor: at one place, along poses, or as its survey says',
    )
    .argument('<scenario>', 'a scenario file, or the name of a sample')
    .option('--sensor <id>', 'a sensor file, or the id of a sample; default: of the survey')
    .option(
      '--pose <x,y,z,yaw_deg[,pitch_deg]>',
      "the sensor's own pose in the world: metres, degrees, pitch positive down",
      parsePose,
    )
    .option('--trajectory <file>', 'poses of the sensor over time, in place of --pose (below)')
    .addOption(
      new Option('--trajectory-format <format>', "default: by the file's name").choices(
        trajectoryFormats,
      ),
    )
    .option('--max-gap <s>', 'longest time between two poses; default: 2', parseNumber)
    .option('--from <s>', 'start; default: 0, or the first pose of the trajectory', parseNumber)
    .option('--to <s>', 'end, in place of --seconds', parseNumber)
    .option(
      '--seconds <s>',
      'simulated time; default: up to the last pose of the trajectory, or one panorama',
      parseNumber,
    )
    .option('--part <k/n>', 'the k-th of n equal parts, for `understory join`', parsePart)
    .requiredOption(
      '--out <file>',
      `ends in ${[...exportFormats, 'mcap', 'log'].map((format) => `.${format}`).join(', ')}`,
    )
    .addOption(
      new Option('--format <layout>', 'of a folder --out; default: the ending of the file').choices(
        datasetFormats,
      ),
    )
    .addOption(
      new Option(
        '--frame <frame>',
        "of the points; sensor: each at its pulse's own time; default: world",
      ).choices(['world', 'sensor']),
    )
    .option('--force', 'replace the files where there are some')
    .option('--seed <n>', "default: the scenario's", parseNumber)
    .option('--rate-hz <r>', "turns, scans or lines a second; default: the sensor's", parseNumber)
    .option('--mode <mode>', `${returnModes.slice(0, -1).join(', ')} or ${returnModes.at(-1)}`)
    .option('--misses', 'also one row for each pulse without an echo')
    .option('--columns <a,b>', 'names of columns, or of sets of them (below)', parseColumns)
    .option('--rays <file>', 'also every ray, hit by hit: .csv or .npz')
    .option('--waveforms <file>', 'also what a sensor with a waveform samples: .npz (below)')
    .option('--poses-out <file>', 'also the pose of each pulse time: .tum or .csv')
    .option('--ranks <n>', 'over MPI processes, of one thread without --threads', parseNumber)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', trajectoryHelp + columnsHelp + filesHelp);
  withComputeOptions(withSettings(command)).action(async (scenario: string) => {
    const options = optionsOf<ScanOptions>(command);
    checkTrajectoryOptions(options);
    await withSession(surroundings, options, async ({ call, terminal }) => {
      const { sensor, pose, seconds, seed, rateHz, mode, misses = false, threads, isa } = options;
      const { trajectory, trajectoryFormat: format, maxGap: maxGapS, from: fromS } = options;
      const { to: toS, part } = options;
      const fileOf = (name: string): string =>
        prepareFile(surroundings, name, {
          ...options,
          inputs: [
            scenario,
            ...(sensor === undefined ? [] : [sensor]),
            ...(options.trajectory === undefined ? [] : [options.trajectory]),
          ],
        });
      const out =
        options.format === undefined
          ? fileOf(options.out)
          : path.resolve(surroundings.workingFolder, options.out);
      const { posesOut: poses } = options;
      const [rays, waveforms, posesOut] = [options.rays, options.waveforms, poses].map((name) =>
        name === undefined ? undefined : fileOf(name),
      );
      const { reply } = await call('scan.start', {
        scenario,
        ...defined({ sensor }),
        misses,
        out,
        isReplacing: options.force === true,
        ...defined({ pose, fromS, toS, seconds, part, posesOut }),
        ...(trajectory !== undefined && {
          trajectory: {
            file: path.resolve(surroundings.workingFolder, trajectory),
            ...defined({ format, maxGapS }),
          },
        }),
        ...defined({ seed, rateHz, mode, threads, isa, rays, waveforms, settings: options.set }),
        ...defined({ format: options.format, frame: options.frame, ranks: options.ranks }),
        // Why the cast: names are checked where all requests are, with the others' problems.
        ...defined({ columns: options.columns as ReturnColumnName[] | undefined }),
      });
      terminal.endProgress();
      if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
      const { pulses, returns, rows, files, leftOut } = reply;
      terminal.say(
        `${countText(pulses)} pulses, ${countText(returns)} returns, ${countText(rows)} rows in ${files.join(', ')}`,
      );
      for (const leg of reply.legs) {
        terminal.say(
          `leg ${leg.leg} ${leg.name}: ${countText(leg.pulses)} pulses, ${countText(leg.returns)} returns`,
        );
      }
      for (const { path, message } of meshNotices(reply.summary.models)) {
        terminal.say(`${path}: ${message}`);
      }
      if (reply.rayRows !== null) terminal.say(`${countText(reply.rayRows)} rows of rays`);
      if (reply.waveforms !== null) terminal.say(`${countText(reply.waveforms)} waveforms`);
      for (const note of reply.notes) terminal.say(`note: ${note}`);
      if (leftOut.length > 0) terminal.say(`left out: ${leftOut.join(', ')}`);
    });
    end(exitCodes.ok);
  });
}

/** @throws UnderstoryError 'bad-input' for options of a trajectory without one */
function checkTrajectoryOptions({ trajectory, trajectoryFormat, maxGap }: ScanOptions): void {
  if (trajectory !== undefined) return;
  const given = Object.entries({ '--trajectory-format': trajectoryFormat, '--max-gap': maxGap });
  const [option] = given.flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (option === undefined) return;
  throw new UnderstoryError('bad-input', `${option} needs a --trajectory`);
}

/** The formats that --trajectory takes. */
const trajectoryHelp = [
  '\nTrajectories (worldFromSensor; straight and turning evenly between poses):',
  '  tum    time, x, y, z, qx, qy, qz, qw: seconds and metres, separated by spaces (.tum, .txt)',
  '  csv    named columns: time_s or time_ns, x_m, y_m, z_m, and qx, qy, qz, qw, or roll_deg, pitch_deg, yaw_deg (.csv)',
  '  kitti  3 × 4 matrices in camera axes, with times.txt beside the file',
  'Times since 1970 begin at their first whole second.',
  '',
].join('\n');

/** The files that --out writes. */
const filesHelp = [
  '\n\nFiles:',
  '  Beside a file with object_id or material_id: FILE.objects.csv (id, name, class, model, pose), FILE.materials.csv.',
  '  LAS: intensity is scaled by the factor in the record Understory 1; relative_intensity has the values themselves.',
  '  --misses writes pulses without an echo as withheld points at the largest range.',
  '  .log: every pulse with its pose, for `understory learn`; --misses is implied.',
  '  LAZ: pdal translate cloud.las cloud.laz. E57: pdal translate cloud.las cloud.e57, or CloudCompare.',
].join('\n');

/** Values of --columns: the sets, then every column with its unit. */
const columnsHelp = [
  '\nSets of columns:',
  ...Object.entries(columnSets).map(([name, { columns, meaning }]) => {
    const members = columns.length > 12 ? '' : `: ${columns.join(', ')}`;
    return `  ${name.padEnd(16)} ${meaning}${members}`;
  }),
  '\nWaveforms (numpy.load): pulse, time_ns, first_range_m (lower edge of the first bin), bins (one row a',
  "pulse, one column a bin: the share of the beam's energy sampled in it), bin_m (length of a bin).",
  '\nColumns (unit):',
  ...Object.entries(returnColumns).map(
    ([name, { unit, meaning }]) => `  ${name.padEnd(16)} ${meaning} (${unit})`,
  ),
  '\nColumns of rays (unit):',
  ...Object.entries(rayColumns).map(
    ([name, { unit, meaning }]) => `  ${name.padEnd(16)} ${meaning} (${unit})`,
  ),
].join('\n');
