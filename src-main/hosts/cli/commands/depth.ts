// `understory depth`: what a camera sees of a scenario as distances, for NumPy or as a 16-bit PNG.
import { extname } from 'node:path';
import { Option, type Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import type { RequestInputOf } from '#contract/host/methods.ts';
import type { Isa } from '#contract/worker/worker.ts';
import { encodeNpy } from '#recordings/export/npy.ts';
import { parseNumber, parsePose, parseSize, type PoseDeg } from '../arguments.ts';
import { cameraFileOf, writeCamera } from '../cameraFile.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { encodeDepth } from '../pictures/depthPicture.ts';
import { withSession } from '../session.ts';
import { countText } from '#domain/shared/formats.ts';
import {
  defined,
  optionsOf,
  withComputeOptions,
  withSettings,
  type CommandHost,
} from './shared.ts';

interface DepthOptions {
  pose: PoseDeg;
  out: string;
  size: { widthPx: number; heightPx: number };
  kind: NonNullable<RequestInputOf<'render.depth'>['kind']>;
  fovDeg?: number;
  maxRange?: number;
  stepMm: number;
  seed?: number;
  threads?: number;
  isa?: Isa;
  json?: boolean;
  force?: boolean;
  set?: string[];
}

/** The default of the request's schema (contract/host/scanMethods.ts). */
const defaultFovDeg = 60;

/** Adds the command to the program. */
export function addDepth(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('depth')
    .description('a depth map of a scenario: one ray a pixel')
    .argument('<scenario>', 'a scenario file, or the name of a sample')
    .requiredOption(
      '--pose <x,y,z,yaw_deg[,pitch_deg]>',
      "the camera's pose in the world: metres, degrees, pitch positive down",
      parsePose,
    )
    .requiredOption('--out <file>', 'ends in .npy or .png (below)')
    .option('--force', 'replace the file where there is one')
    .addOption(
      new Option('--size <WxH>', 'in pixels')
        .argParser(parseSize)
        .default({ widthPx: 2000, heightPx: 2000 }, '2000x2000'),
    )
    .option('--fov-deg <deg>', 'horizontal field of view; default: 60', parseNumber)
    .addOption(
      new Option('--kind <kind>', "planar: ahead of the camera's plane; ray: along the ray")
        .choices(['planar', 'ray'])
        .default('planar'),
    )
    .option('--max-range <m>', 'what lies farther is not seen; default: 1000', parseNumber)
    .option('--step-mm <mm>', 'depth of one step of a PNG', parseNumber, 1)
    .option('--seed <n>', "default: the scenario's", parseNumber)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', formatsHelp);
  withComputeOptions(withSettings(command)).action(async (scenario: string) => {
    const options = optionsOf<DepthOptions>(command);
    const { pose: camera, size, kind, seed, threads, isa, stepMm } = options;
    checkOutput(options.out, stepMm);
    const rules = { ...options, inputs: [scenario] };
    const out = prepareFile(surroundings, options.out, rules);
    const cameraFile = prepareFile(surroundings, cameraFileOf(options.out), rules);
    await withSession(surroundings, options, async ({ call, terminal }) => {
      const { reply, columns } = await call('render.depth', {
        scenario,
        camera,
        ...size,
        kind,
        ...defined({
          horizontalFovDeg: options.fovDeg,
          maxRangeM: options.maxRange,
          seed,
          settings: options.set,
          threads,
          isa,
        }),
      });
      terminal.endProgress();
      const depthM = columns?.['depth_m'];
      if (!(depthM instanceof Float32Array)) {
        throw new UnderstoryError('protocol', 'the depth map came without depths');
      }
      const { widthPx, heightPx, pixelsMet, nearestM, farthestM } = reply;
      let clipped = 0;
      if (extname(out) === '.npy') {
        writeWhole(out, encodeNpy('f32', [heightPx, widthPx], depthM));
      } else {
        const picture = encodeDepth(depthM, size, stepMm / 1000);
        ({ clipped } = picture);
        writeWhole(out, picture.png);
      }
      const fov = { deg: options.fovDeg ?? defaultFovDeg, alongPx: widthPx };
      writeCamera(
        cameraFile,
        { pose: camera, widthPx, heightPx, fov },
        { kind, ...(extname(out) === '.png' && { stepM: stepMm / 1000 }) },
      );
      if (options.json === true) terminal.print(JSON.stringify({ ...reply, clipped }, null, 2));
      const depths =
        nearestM === null || farthestM === null
          ? 'nothing was met'
          : `${countText(pixelsMet)} met something, ${nearestM.toFixed(3)} to ${farthestM.toFixed(3)} m`;
      terminal.say(`${widthPx} × ${heightPx} pixels in ${out}: ${depths}`);
      if (clipped > 0) {
        terminal.say(
          `${countText(clipped)} lie beyond ${((65535 * stepMm) / 1000).toFixed(1)} m, the most that 16 bits hold in steps of ${stepMm} mm: --step-mm takes a coarser one`,
        );
      }
    });
    end(exitCodes.ok);
  });
}

/** @throws 'bad-input' before anything is worked for */
function checkOutput(out: string, stepMm: number): void {
  const problems = [
    ...(['.npy', '.png'].includes(extname(out))
      ? []
      : [['out', `expected a file that ends in .npy or .png, found '${out}'`] as const]),
    ...(stepMm > 0 ? [] : [['step-mm', `expected a number above 0, found ${stepMm}`] as const]),
  ].map(([path, message]) => ({ path, code: 'custom', message }));
  if (problems.length === 0) return;
  throw new UnderstoryError('bad-input', 'the depth map cannot be written', { problems });
}

const formatsHelp = `
.npy  float32, height × width, metres, row by row from the top left; NaN where nothing was met
.png  16-bit grey, depth in steps of --step-mm; 0 where nothing was met, 65535 also for all beyond
FILE.camera.json beside it has the intrinsics (fx, fy, cx, cy, fields of view) and the pose.`;
