// `understory learn`: a model of a site from logs; `learn evaluate`: models against the log of another drive.
import { resolve } from 'node:path';
import { InvalidArgumentError, Option, type Command } from 'commander';
import {
  learnPresetNames,
  type LearnPreset,
  type LearnReplies,
} from '#contract/host/learnMethods.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';
import { countingRules, learnedKinds } from '#contract/worker/learnedModel.ts';
import { countText } from '#domain/shared/formats.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile } from '../files.ts';
import { withSession } from '../session.ts';
import { addEvaluate } from './learnEvaluate.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

type Request = RequestInputOf<'learn.start'>;
type Parameters = NonNullable<Request['parameters']>;

/** A parameter of one of the parts. */
interface SetParameter {
  part: keyof Parameters;
  name: string;
  value: number | boolean | string;
}

interface LearnOptions {
  model?: Request['model'];
  out?: string;
  preset: LearnPreset;
  counting?: (typeof countingRules)[number];
  voxel?: number | 'auto';
  minPoints?: number;
  tau?: number;
  means?: number;
  stopPoints?: number;
  restarts?: number;
  grid?: number;
  kernel?: number;
  hitOffset?: number;
  pointRadius?: number;
  sphericity?: number;
  labels: boolean;
  set: SetParameter[];
  seed?: number;
  threads?: number;
  force?: boolean;
  json?: boolean;
}

/** Adds the commands to the program. */
export function addLearn(program: Command, host: CommandHost): void {
  const { surroundings, end } = host;
  const command = program
    .command('learn')
    .description('a model of a site from logs: elements, surfaces or points that beams meet')
    .argument('<log...>', 'files of `log import`')
    .addOption(
      new Option('--model <kind>', 'what the model is made of (below)').choices([...learnedKinds]),
    )
    .option('--out <file>', 'a .ply, which CloudCompare and MeshLab open, too')
    .option('--force', 'replace the file where there is one')
    .addOption(
      new Option('--preset <name>', 'parameters as they were published')
        .choices([...learnPresetNames])
        .default('browning-2012'),
    )
    .option('--voxel <m>', 's, edge of a voxel, or auto: by held-out likelihood', parseVoxel)
    .option('--tau <n>', 'Mahalanobis distance at which an element ends', parseNumber)
    .addOption(
      new Option('--counting <rule>', 'which elements a beam counts for').choices([
        ...countingRules,
      ]),
    )
    .option('--min-points <n>', 'N_v: returns that an element needs', parseNumber)
    .option('--means <n>', 'K: clusters of a split', parseNumber)
    .option('--stop-points <n>', 'N_p: clusters with fewer returns are not split', parseNumber)
    .option('--restarts <n>', 'starts of k-means', parseNumber)
    .option('--grid <m>', "s of surfaces: edge of the grid's cubes", parseNumber)
    .option('--kernel <m>', 'K_s: radius of the kernel of surfaces and normals', parseNumber)
    .option('--hit-offset <m>', 'Δ_r: returns so near to a triangle are hits of it', parseNumber)
    .option('--point-radius <m>', 'd_max: beams meet points nearer than this', parseNumber)
    .option('--sphericity <n>', 's_vol: above it lies a volume; with --no-labels', parseNumber)
    .option('--no-labels', 'do not learn what separates surfaces from volumes')
    .option('--set <path=value>', 'any parameter, such as volume.minSigmaM=0.002', parseSet, [])
    .option('--seed <n>', 'of clusters and labels', parseNumber)
    .option('--threads <n>', 'threads of the worker; never changes a byte', parseNumber)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', modelsHelp);
  command.action(async (logs: string[]) => {
    const options = optionsOf<LearnOptions>(command);
    const { model } = options;
    // Why here: a mandatory option would be one of `learn evaluate`, too.
    if (model === undefined) return command.error("error: required option '--model' not specified");
    if (options.out === undefined) {
      return command.error("error: required option '--out' not specified");
    }
    const out = prepareFile(surroundings, options.out, { ...options, inputs: logs });
    await withSession(surroundings, options, async ({ call, terminal }) => {
      const { reply } = await call('learn.start', {
        logs: logs.map((log) => resolve(surroundings.workingFolder, log)),
        model,
        out,
        isReplacing: options.force === true,
        preset: options.preset,
        parameters: parametersOf(options),
        ...defined({ seed: options.seed, threads: options.threads }),
      });
      terminal.endProgress();
      const { peakRssBytes, ...rest } = reply;
      const result = { ...rest, peakRssMB: Math.round(peakRssBytes / 1e6) };
      if (options.json === true) terminal.print(JSON.stringify(result, null, 2));
      terminal.say(sentence(reply));
      for (const note of reply.notes) terminal.say(`note: ${note}`);
    });
    end(exitCodes.ok);
  });
  addEvaluate(command, host);
}

function parseVoxel(text: string): number | 'auto' {
  return text === 'auto' ? 'auto' : parseNumber(text);
}

const parts = ['volume', 'surface', 'classifier'] as const;

/** Adds to those that were given before. The host checks names and values. */
function parseSet(text: string, before: SetParameter[]): SetParameter[] {
  const [, part, name, value] = /^(\w+)\.(\w+)=(.+)$/.exec(text) ?? [];
  const known = parts.find((one) => one === part);
  if (known === undefined || name === undefined || value === undefined) {
    throw new InvalidArgumentError(`expected ${parts.join('|')}.NAME=VALUE, found "${text}"`);
  }
  const words: Record<string, boolean> = { true: true, false: false };
  const number = Number(value);
  const read = words[value] ?? (Number.isNaN(number) ? value : number);
  return [...before, { part: known, name, value: read }];
}

/** Named options, and over them those of --set. */
function parametersOf(options: LearnOptions): Parameters {
  const named: Record<keyof Parameters, Record<string, unknown>> = namedParameters(options);
  for (const { part, name, value } of options.set) named[part][name] = value;
  return named;
}

function namedParameters(options: LearnOptions) {
  const { voxel } = options;
  return {
    volume: defined({
      counting: options.counting,
      voxelM: voxel === 'auto' ? undefined : voxel,
      choosesVoxel: voxel === 'auto' ? true : undefined,
      minPoints: options.minPoints,
      mahalanobisLimit: options.tau,
      means: options.means,
      stopPoints: options.stopPoints,
      restarts: options.restarts,
    }),
    surface: defined({
      gridM: options.grid,
      kernelM: options.kernel,
      hitOffsetM: options.hitOffset,
      pointRadiusM: options.pointRadius,
    }),
    classifier: defined({
      isLearned: options.labels ? undefined : false,
      volumeSphericity: options.sphericity,
    }),
  };
}

function sentence(reply: LearnReplies['learn.start']): string {
  const { elements, triangles, points, beams, seconds, file } = reply;
  const parts = [
    ...(elements > 0 ? [`${countText(elements)} elements`] : []),
    ...(triangles > 0 ? [`${countText(triangles)} triangles`] : []),
    ...(points > 0 ? [`${countText(points)} points`] : []),
  ];
  const size = parts.length > 0 ? parts.join(' and ') : 'nothing';
  return `${size} of ${countText(beams)} beams in ${seconds.toFixed(1)} s: ${file}`;
}

const modelsHelp = `
Models (Browning 2012):
nearest-neighbors  the returns and their normals
surface            triangles of an implicit surface
permeable-surface  the same, each triangle with the share of beams that pass it
voxel              a Gaussian for each voxel, with the share of beams that pass it
top-down           a Gaussian for each cluster of a hierarchy
hybrid             permeable-surface for surfaces, top-down for volumes`;
