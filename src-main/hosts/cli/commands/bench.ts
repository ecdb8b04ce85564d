// `understory bench`: how fast this machine simulates. Each command prints a table and, with --json, writes
// the metrics to a file; `compare` sets two such files side by side.
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { badInput, UnderstoryError } from '#contract/errors.ts';
import { maxDocumentBytes } from '#files/regularFile.ts';
import { readTextSync } from '#files/regularFileSync.ts';
import { learnedKinds, type LearnedKind } from '#contract/worker/learnedModel.ts';
import type { Isa } from '#contract/worker/worker.ts';
import type { Pose } from '#contract/commands/commandOptions.ts';
import { parseNumber, parseNumbers, parsePose } from '../arguments.ts';
import { learnedScenes, sceneOfBench } from '../benchScenes.ts';
import { voxelScenes } from '../benchVoxels.ts';
import {
  blensorLines,
  growthLines,
  learnLines,
  memoryLines,
  navLines,
  scalingLines,
  scanLines,
} from '../benchReport.ts';
import { compareBenches } from '../benchCompare.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { hostBench, hostLines } from '../hostBench.ts';
import { withSession, type Session } from '../session.ts';
import { addKernels } from './benchKernels.ts';
import { addPair } from './benchPair.ts';
import {
  defined,
  optionsOf,
  withComputeOptions,
  withSettings,
  type CommandHost,
} from './shared.ts';

interface BenchOptions {
  scene: string;
  sensor: string;
  pose?: Pose;
  seconds?: number;
  repeats?: number;
  seed?: number;
  reference?: string;
  data?: string;
  threads?: number;
  ranks?: number[];
  isa?: Isa;
  json?: string;
  set?: string[];
}

export function addBench(program: Command, host: CommandHost): void {
  const bench = program.command('bench').description('how fast this machine simulates');
  addScan(bench, host);
  addNav(bench, host);
  addScaling(bench, host);
  addMemory(bench, host);
  addGrowth(bench, host);
  addLearning(bench, host);
  addBlensor(bench, host);
  addHost(bench, host);
  addKernels(bench, host);
  addCompare(bench, host);
  addPair(bench, host);
}

function addScan(bench: Command, host: CommandHost): void {
  const command = bench
    .command('scan')
    .description('raw Embree, native pipeline, hand-over, recording and survey, on the same rays');
  const reference = 'another scene, whose native pipeline is timed in every repeat, too';
  withScanOptions(command)
    .option('--reference <scenario>', reference)
    .addHelpText(
      'after',
      `\nScenes beside scenarios, made in the data folder the first time: ${learnedScenes.join(', ')}, learned from the courtyard, and ${voxelScenes.join(', ')}, voxel models of a stand and of discs. Their reference is what they are made from.`,
    )
    .action(() =>
      carryOut<BenchOptions>(command, host, async (session, options) => {
        const { sensor, seconds, repeats, threads, isa } = options;
        const asked = await sceneOfBench(session, options);
        const given = defined({ seconds, repeats, threads, isa, settings: options.set });
        const request = { ...asked, sensor, ...given };
        const { reply } = await session.call('bench.scan', request);
        const metrics = { ...reply, scene: options.scene };
        return { metrics, lines: scanLines(metrics) };
      }),
    );
}

function addNav(bench: Command, host: CommandHost): void {
  const command = withScene(
    bench.command('nav').description('a closed loop with everything on, against raw tracing'),
  )
    .option('--seconds <s>', 'simulated time', parseNumber)
    .option('--seed <n>', "default: the scenario's", parseNumber);
  withComputeOptions(withSettings(command)).action(() =>
    carryOut<BenchOptions>(command, host, async ({ call }, options) => {
      const { scene: scenario, sensor, seconds, seed, threads, isa } = options;
      const given = defined({ seconds, seed, threads, isa, settings: options.set });
      const { reply } = await call('bench.nav', { scenario, sensor, ...given });
      return { metrics: reply, lines: navLines(reply) };
    }),
  );
}

function addScaling(bench: Command, host: CommandHost): void {
  const command = bench
    .command('scaling')
    .description('the native pipeline with 1 to N threads (Goodin 2018, figure 3)')
    .option('--ranks <a,b>', 'instead: so many MPI ranks, against as many threads', parseNumbers);
  withScanOptions(command).action(() =>
    carryOut<BenchOptions>(command, host, async ({ call }, options) => {
      const { scene: scenario, sensor, pose, seconds, repeats, threads, isa } = options;
      const given = defined({
        pose,
        seconds,
        repeats,
        maxThreads: threads,
        ranks: options.ranks,
        isa,
        settings: options.set,
      });
      const { reply } = await call('bench.scaling', { scenario, sensor, ...given });
      return { metrics: reply, lines: scalingLines(reply) };
    }),
  );
}

function addMemory(bench: Command, host: CommandHost): void {
  const command = bench
    .command('memory')
    .description('bytes for each triangle and instance, by building growing scenes');
  withJson(command).action(() =>
    carryOut<{ json?: string }>(command, host, async ({ call }) => {
      const { reply } = await call('bench.memory', {});
      return { metrics: reply, lines: memoryLines(reply) };
    }),
  );
}

function addGrowth(bench: Command, host: CommandHost): void {
  const command = bench
    .command('growth')
    .description('speed and memory as a landscape grows, from 10⁶ to 10¹³ triangles')
    .option('--scene <scenario>', 'with a landscape', 'landscape')
    .option('--sensor <sensor>', 'above its middle', 'hdl-32e')
    .option('--seconds <s>', 'simulated time of a scan', parseNumber)
    .option('--max-power <n>', 'power of ten of the most triangles', parseNumber);
  withComputeOptions(withJson(command)).action(() =>
    carryOut<BenchOptions & { maxPower?: number }>(command, host, async ({ call }, options) => {
      const { scene: scenario, sensor, seconds, maxPower, threads, isa } = options;
      const given = defined({ seconds, maxPower, threads, isa });
      const { reply } = await call('bench.growth', { scenario, sensor, ...given });
      return { metrics: reply, lines: growthLines(reply) };
    }),
  );
}

function addLearning(bench: Command, host: CommandHost): void {
  const command = bench
    .command('learn')
    .description('seconds and memory of learning as a log grows, from 10⁵ beams on')
    .option('--model <names>', 'separated by commas; default: all')
    .option('--max-power <n>', 'power of ten of the most beams', parseNumber);
  withComputeOptions(withJson(command)).action(() =>
    carryOut<Omit<BenchOptions, 'scene'> & { model?: string; maxPower?: number }>(
      command,
      host,
      async ({ call }, { model, maxPower, threads, isa }) => {
        const models = model?.split(',').map(learnedKindOf);
        const { reply } = await call('bench.learn', defined({ models, maxPower, threads, isa }));
        return { metrics: reply, lines: learnLines(reply) };
      },
    ),
  );
}

/** @throws UnderstoryError 'bad-input' for a name that no model has */
function learnedKindOf(name: string): LearnedKind {
  const kind = learnedKinds.find((known) => known === name.trim());
  if (kind !== undefined) return kind;
  throw badInput('model', `expected one of ${learnedKinds.join(', ')}, found '${name}'`);
}

function addBlensor(bench: Command, host: CommandHost): void {
  const command = bench
    .command('blensor')
    .description('table 1 of Gschwandtner 2011: four outputs of 40 ms, beside its times')
    .option('--repeats <n>', 'the median of so many counts', parseNumber);
  withComputeOptions(withJson(command)).action(() =>
    carryOut<BenchOptions>(command, host, async ({ call }, { repeats, threads, isa }) => {
      const { reply } = await call('bench.blensor', defined({ repeats, threads, isa }));
      return { metrics: reply, lines: blensorLines(reply) };
    }),
  );
}

function addHost(bench: Command, host: CommandHost): void {
  const command = withScene(
    bench
      .command('host')
      .description("how long the host's own thread is held up by what a page asks of it"),
  ).option('--seconds <s>', 'simulated time of the run that is looked at', parseNumber, 5);
  command.action(() =>
    carryOut<BenchOptions & { seconds: number }>(command, host, async (session, options) => {
      const metrics = await hostBench(session, options);
      return { metrics, lines: hostLines(metrics) };
    }),
  );
}

function addCompare(bench: Command, { surroundings, end }: CommandHost): void {
  bench
    .command('compare')
    .description('two files of the same benchmark: every metric, and the second over the first')
    .argument('<a.json>')
    .argument('<b.json>')
    .action((a: string, b: string) => {
      const [first, second] = [a, b].map((file) =>
        readMetrics(resolve(surroundings.workingFolder, file)),
      );
      for (const line of compareBenches(first, second)) surroundings.output.stdout(`${line}\n`);
      end(exitCodes.ok);
    });
}

/** Runs a benchmark in a session, prints its lines and writes its metrics where --json says. */
async function carryOut<T extends { json?: string }>(
  command: Command,
  { surroundings, end }: CommandHost,
  work: (session: Session, options: T) => Promise<{ metrics: object; lines: string[] }>,
): Promise<void> {
  const options = optionsOf<T>(command);
  await withSession(surroundings, options, async (session) => {
    const { metrics, lines } = await work(session, options);
    session.terminal.endProgress();
    for (const line of lines) session.terminal.print(line);
    if (options.json === undefined) return;
    const file = prepareFile(surroundings, options.json, { ...options, force: true });
    writeWhole(file, `${JSON.stringify(metrics, null, 2)}\n`);
  });
  end(exitCodes.ok);
}

function withScene(command: Command): Command {
  return withJson(command)
    .option('--scene <scenario>', 'a scenario file, or the name of a sample', 'courtyard')
    .option('--sensor <id>', 'a sensor file, or the id of a sample', 'hdl-64e-goodin2018');
}

function withScanOptions(command: Command): Command {
  const options = withScene(command)
    .option(
      '--pose <x,y,z,yaw_deg[,pitch_deg]>',
      'where the sensor starts; it moves level at 2 m/s; default: the start of the mission',
      parsePose,
    )
    .option('--seconds <s>', 'simulated time of one repeat', parseNumber)
    .option('--repeats <n>', 'the median of so many counts', parseNumber);
  return withComputeOptions(withSettings(options));
}

function withJson(command: Command): Command {
  return command.option('--json <file>', 'write the metrics');
}

/** @throws UnderstoryError 'not-found' | 'bad-input' */
function readMetrics(file: string): unknown {
  const text = readTextSync(file, maxDocumentBytes);
  try {
    return JSON.parse(text);
  } catch {
    throw new UnderstoryError('bad-input', `${file} is not JSON`);
  }
}
