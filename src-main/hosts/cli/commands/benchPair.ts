// `understory bench pair`: two worker binaries on the same scan, alternately, and whether the second is slower than
// allowed. A command only: a host that pages can reach starts no binaries by name.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { Isa } from '#contract/worker/worker.ts';
import { cacheFolderOf } from '#hosts/dataFolder.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { benchPair, type PairBench } from '#services/bench/pairBench.ts';
import { createMutex } from '#services/mutex.ts';
import { missionStart } from '#services/bench/slowSensor.ts';
import { createDocuments } from '#services/documents/documents.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { createWorkerLauncher } from '#workers/workerLauncher.ts';
import { eitherProtocol } from '#workers/workerProtocol010.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { writeWhole } from '../files.ts';
import type { Surroundings } from '../session.ts';
import { createTerminal } from '../terminal.ts';
import { optionsOf, withComputeOptions, type CommandHost } from './shared.ts';

interface PairOptions {
  scene: string;
  sensor: string;
  seconds: number;
  repeats: number;
  maxSlowdown: number;
  threads?: number;
  isa?: Isa;
  json?: string | true;
}

/** Exit code of a comparison above the allowed slowdown: a script sees a failed test. */
const tooSlow = 1;

/** Adds the command to `bench`. */
export function addPair(bench: Command, { surroundings, end }: CommandHost): void {
  const command = bench
    .command('pair')
    .description(
      'two worker binaries on the same scan, alternately; exits 1 where the second is too slow',
    )
    .argument('<worker-a>', 'a scanWorker binary, of this or an earlier version')
    .argument('<worker-b>', 'the one to compare with it')
    .option('--scene <scenario>', 'a scenario file, or the name of a sample', 'courtyard')
    .option('--sensor <id>', 'a sensor file, or the id of a sample', 'hdl-64e-goodin2018')
    .option('--seconds <s>', 'simulated time of one pass', parseNumber, 0.5)
    .option('--repeats <n>', 'pairs of passes', parseNumber, 11)
    .option('--max-slowdown <x>', 'the median of the paired ratios, less 1', parseNumber, 0.03)
    .option('--json [file]', 'print the metrics as JSON, or write them to a file');
  withComputeOptions(command).action(async (a: string, b: string) => {
    const options = optionsOf<PairOptions>(command);
    const metrics = await compare(surroundings, [a, b], options);
    report(surroundings, metrics, options);
    end(metrics.slowdown > options.maxSlowdown ? tooSlow : exitCodes.ok);
  });
}

async function compare(
  surroundings: Surroundings,
  binaries: [string, string],
  options: PairOptions,
): Promise<PairBench> {
  const terminal = createTerminal(surroundings.output, { isQuiet: options.json === true });
  const say = (message: string): void => terminal.say(message);
  const log = { debug: () => undefined, info: () => undefined, warn: say, error: say };
  const cacheFolder = join(cacheFolderOf(surroundings), 'meshes');
  const launcherOf = (name: string): WorkerLauncher => {
    const binary = resolve(surroundings.workingFolder, name);
    if (!existsSync(binary))
      throw new UnderstoryError('not-found', `there is no worker '${binary}'`);
    return createWorkerLauncher({ log, binary, cacheFolder, adapt: eitherProtocol });
  };
  const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
  const loaded = await documents.compile(options.scene, {}, { sensor: options.sensor });
  const start = missionStart(loaded.compiled, loaded.heights);
  const { seconds, repeats, threads = null, isa = null } = options;
  const launchers: [WorkerLauncher, WorkerLauncher] = [
    launcherOf(binaries[0]),
    launcherOf(binaries[1]),
  ];
  const order = { loaded, start, seconds, repeats, threads, isa };
  const ports = { machine: createNodeMachine(), builds: createMutex() };
  const metrics = await benchPair(ports, launchers, order, {
    signal: surroundings.stop,
    progress: ({ done, total }) => terminal.progress(() => `measuring: pass ${done} of ${total}`),
    chunk: () => Promise.resolve(),
  });
  terminal.endProgress();
  return metrics;
}

function report(
  { output, workingFolder }: Surroundings,
  metrics: PairBench,
  { maxSlowdown, json }: PairOptions,
): void {
  const text = `${JSON.stringify({ ...metrics, maxSlowdown }, null, 2)}\n`;
  if (json === true) {
    output.stdout(text);
    return;
  }
  if (json !== undefined) writeWhole(resolve(workingFolder, json), text);
  for (const line of pairLines(metrics, maxSlowdown)) output.stdout(`${line}\n`);
}

/** The metrics for a person. */
function pairLines(metrics: PairBench, maxSlowdown: number): string[] {
  const { mraysPerSecond, slowdown, cpuSlowdown, repeats, isa, threads, isSame } = metrics;
  const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
  return [
    `first worker    ${mraysPerSecond[0].toFixed(2)} Mrays/s`,
    `second worker   ${mraysPerSecond[1].toFixed(2)} Mrays/s`,
    `slowdown        ${percent(slowdown)} (processor time ${percent(cpuSlowdown)}), allowed ${percent(maxSlowdown)}`,
    `rows            ${isSame ? 'the same' : 'different'}`,
    `median of ${repeats} pairs, ${isa}, ${threads} threads`,
  ];
}
