// `understory bench kernels`: the micro-benchmarks of the worker's hot kernels, a program of their own that
// setup.mjs builds for this command and for `npm test` (native-workers/bench).
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import { kernelBenchBinary } from '#hosts/packageFolders.ts';
import { exitCodes } from '../exitCodes.ts';
import type { Surroundings } from '../session.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface KernelOptions {
  filter?: string;
  minSeconds?: string;
  json?: string;
}

/** Adds the command to `bench`. */
export function addKernels(bench: Command, { surroundings, end }: CommandHost): void {
  const command = bench
    .command('kernels')
    .description("the worker's hot kernels, one by one (google-benchmark)")
    .option('--filter <regex>', 'only those whose name matches')
    .option('--min-seconds <s>', 'measure each for so long at least')
    .option('--json <file>', "write the metrics, in google-benchmark's own form")
    .action(async () => {
      const options = optionsOf<KernelOptions>(command);
      const args = kernelArguments(surroundings.workingFolder, options);
      await runKernels(kernelBenchBinary, args, surroundings);
      end(exitCodes.ok);
    });
}

/** Arguments of google-benchmark. */
export function kernelArguments(
  workingFolder: string,
  { filter, minSeconds, json }: KernelOptions,
): string[] {
  const values = defined({
    filter,
    min_time: minSeconds,
    out: json === undefined ? undefined : resolve(workingFolder, json),
    out_format: json === undefined ? undefined : 'json',
  });
  return Object.entries(values).map(([name, value]) => `--benchmark_${name}=${value}`);
}

/** Its output is passed on. @throws UnderstoryError 'unsupported' (it is missing), 'cancelled', 'bad-input' */
export async function runKernels(
  program: string,
  args: readonly string[],
  { output, stop }: Pick<Surroundings, 'output' | 'stop'>,
): Promise<void> {
  if (!existsSync(program)) {
    const message = `'${program}' was not built: npx understory bench kernels does that`;
    throw new UnderstoryError('unsupported', message);
  }
  await new Promise<void>((done, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const onStop = (): void => void child.kill();
    stop.addEventListener('abort', onStop, { once: true });
    child.stdout.on('data', (text: Buffer) => output.stdout(text.toString()));
    child.stderr.on('data', (text: Buffer) => output.stderr(text.toString()));
    child.on('error', (error) => reject(new UnderstoryError('io', error.message)));
    child.on('close', (code) => {
      stop.removeEventListener('abort', onStop);
      if (code === 0) done();
      else if (stop.aborted) reject(new UnderstoryError('cancelled', 'the benchmark was stopped'));
      else reject(new UnderstoryError('bad-input', 'the micro-benchmarks refused these options'));
    });
  });
}
