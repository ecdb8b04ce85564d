// `understory scan`: one sensor at one place, to a file.
import type { Command } from 'commander';
import { columnSets, rayColumns, returnColumns, type ReturnColumnName } from '#contract/columns.ts';
import { exportFormats } from '#contract/host/runMethods.ts';
import { returnModes } from '#contract/documents/sensorReturns.ts';
import type { Isa } from '#contract/worker/worker.ts';
import { parseColumns, parseNumber, parsePose, type PoseDeg } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile } from '../files.ts';
import { withSession } from '../session.ts';
import { meshNotices } from '#domain/scene/meshNotices.ts';
import { countText } from '#domain/shared/formats.ts';
import {
  defined,
  optionsOf,
  withComputeOptions,
  withSettings,
  type CommandHost,
} from './shared.ts';

interface ScanOptions {
  sensor: string;
  pose: PoseDeg;
  seconds: number;
  out: string;
  seed?: number;
  rateHz?: number;
  mode?: string;
  misses?: boolean;
  columns?: string[];
  rays?: string;
  waveforms?: string;
  threads?: number;
  isa?: Isa;
  json?: boolean;
  force?: boolean;
  set?: string[];
}

/** Adds the command to the program. */
export function addScan(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('scan')
    .description('scan a scenario with one sensor at one place')
    .argument('<scenario>', 'a scenario file, or the name of a sample')
    .requiredOption('--sensor <id>', 'a sensor file, or the id of a sample')
    .requiredOption(
      '--pose <x,y,z,yaw_deg[,pitch_deg]>',
      "the sensor's own pose in the world: metres, degrees, pitch positive down",
      parsePose,
    )
    .requiredOption('--seconds <s>', 'simulated time', parseNumber)
    .requiredOption(
      '--out <file>',
      `ends in ${[...exportFormats, 'mcap'].map((format) => `.${format}`).join(', ')}`,
    )
    .option('--force', 'replace the files where there are some')
    .option('--seed <n>', "default: the scenario's", parseNumber)
    .option('--rate-hz <r>', "revolutions or scans per second; default: the sensor's", parseNumber)
    .option('--mode <mode>', `${returnModes.slice(0, -1).join(', ')} or ${returnModes.at(-1)}`)
    .option('--misses', 'also one row for each pulse without an echo')
    .option('--columns <a,b>', 'names of columns, or of sets of them (below)', parseColumns)
    .option('--rays <file>', 'also every ray, hit by hit: .csv or .npz')
    .option('--waveforms <file>', 'also what a sensor with a waveform samples: .npz (below)')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', columnsHelp);
  withComputeOptions(withSettings(command)).action(async (scenario: string) => {
    const options = optionsOf<ScanOptions>(command);
    await withSession(surroundings, options, async ({ call, terminal }) => {
      const { sensor, pose, seconds, seed, rateHz, mode, misses = false, threads, isa } = options;
      const fileOf = (name: string): string =>
        prepareFile(surroundings, name, { ...options, inputs: [scenario, sensor] });
      const out = fileOf(options.out);
      const [rays, waveforms] = [options.rays, options.waveforms].map((name) =>
        name === undefined ? undefined : fileOf(name),
      );
      const { reply } = await call('scan.start', {
        scenario,
        sensor,
        pose,
        seconds,
        misses,
        out,
        isReplacing: options.force === true,
        ...defined({ seed, rateHz, mode, threads, isa, rays, waveforms, settings: options.set }),
        // Why the cast: names are checked where all requests are, with the others' problems.
        ...defined({ columns: options.columns as ReturnColumnName[] | undefined }),
      });
      terminal.endProgress();
      if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
      const { pulses, returns, rows, files, leftOut } = reply;
      terminal.say(
        `${countText(pulses)} pulses, ${countText(returns)} returns, ${countText(rows)} rows in ${files.join(', ')}`,
      );
      for (const { path, message } of meshNotices(reply.summary.models)) {
        terminal.say(`${path}: ${message}`);
      }
      if (reply.rayRows !== null) terminal.say(`${countText(reply.rayRows)} rows of rays`);
      if (reply.waveforms !== null) terminal.say(`${countText(reply.waveforms)} waveforms`);
      if (leftOut.length > 0) terminal.say(`left out: ${leftOut.join(', ')}`);
    });
    end(exitCodes.ok);
  });
}

/** What --columns takes: the sets, then every column with its unit. */
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
