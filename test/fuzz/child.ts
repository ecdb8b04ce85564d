// Child process of files.ts: runs the inputs of a target one after another, each by its seed.   child.ts TARGET FOLDER
// Inputs below the count of seeds are the valid ones as they are. Everything is written below FOLDER; Node's permissions
// refuse the rest.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { mutatedFile } from './mutate/file.ts';
import { createRandom } from './random.ts';
import type { Input } from './target.ts';
import { targets } from './targets.ts';

/** Asks for an input. */
export interface Order {
  seed: number;
}

/** First the bytes of the input, then what became of it. */
export type Report =
  | { kind: 'ready'; seeds: number }
  | { kind: 'begun'; bytes: number }
  | { kind: 'accepted' }
  | { kind: 'refused'; code: string; message: string }
  | { kind: 'exception'; message: string };

const [name = '', folder = ''] = process.argv.slice(2);
const target = targets.find((one) => one.name === name);
if (target === undefined) throw new Error(`there is no target '${name}'`);
const [inFolder, outFolder] = [join(folder, 'in'), join(folder, 'out')];
const made = join(folder, 'seeds');
mkdirSync(made, { recursive: true });
const seeds = await target.seeds(made);
rmSync(made, { recursive: true });
const run = await target.open();
const report = (message: Report): void => void process.send?.(message);

process.on('message', ({ seed }: Order) => void answer(seed));
report({ kind: 'ready', seeds: seeds.length });

async function answer(seed: number): Promise<void> {
  try {
    const input = inputOf(seed);
    const file = written(input);
    const bytes = Object.values(input).reduce((sum, { length }) => sum + length, 0);
    report({ kind: 'begun', bytes });
    await run(file, outFolder);
    report({ kind: 'accepted' });
  } catch (error) {
    report(reportOf(error));
  }
}

function inputOf(seed: number): Input {
  const random = createRandom(seed);
  const whole = seeds[seed];
  if (whole !== undefined) return whole;
  const input = { ...random.of(seeds) };
  const names = Object.keys(input).filter((file) => target?.isFixed?.(file) !== true);
  for (const file of random.oneIn(4) ? names : [random.of(names)]) {
    input[file] = mutatedFile(file, input[file] ?? new Uint8Array(), random);
  }
  return input;
}

/** The path of the first file. */
function written(input: Input): string {
  for (const own of [inFolder, outFolder]) {
    rmSync(own, { recursive: true, force: true });
    mkdirSync(own);
  }
  const paths = Object.entries(input).map(([file, bytes]) => {
    const path = join(inFolder, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    return path;
  });
  return paths[0] ?? '';
}

function reportOf(error: unknown): Report {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  if (!(error instanceof UnderstoryError) || error.code === 'internal') {
    return { kind: 'exception', message: text };
  }
  const { code, message, details } = error;
  const all = `${message} ${JSON.stringify(details['problems'] ?? [])}`;
  // A write that Node's permissions refused, or a limit of the engine that was met.
  const isOdd = /Access to this API|call stack|allocation failed/;
  if (isOdd.test(all)) return { kind: 'exception', message: `${code}: ${all}` };
  return { kind: 'refused', code, message: all };
}
