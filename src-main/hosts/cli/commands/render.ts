// `understory render`: a ray-traced image of a scenario.
import { Option, type Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import { parseNumber, parsePose, parseSize, type PoseDeg } from '../arguments.ts';
import { cameraFileOf, writeCamera } from '../cameraFile.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { encodeRgb } from '../pictures/png.ts';
import { withSession } from '../session.ts';
import { defined, optionsOf, withSettings, type CommandHost } from './shared.ts';

interface RenderOptions {
  camera: PoseDeg;
  out: string;
  size: { widthPx: number; heightPx: number };
  fovDeg?: number;
  top?: number;
  samples?: number;
  seed?: number;
  force?: boolean;
  set?: string[];
}

/** Vertical; that of the request's schema (contract/host/scanMethods.ts). */
const defaultFovDeg = 50;

/** Adds the command to the program. */
export function addRender(program: Command, { surroundings, end }: CommandHost): void {
  const command = withSettings(program.command('render'))
    .description('a ray-traced picture of a scenario')
    .argument('<scenario>', 'a scenario file, or the name of a sample')
    .requiredOption(
      '--camera <x,y,z,yaw_deg,pitch_deg>',
      'metres and degrees, pitch positive down',
      parsePose,
    )
    .requiredOption(
      '--out <file>',
      'a PNG; FILE.camera.json beside it has the intrinsics and the pose',
    )
    .option('--force', 'replace the file where there is one')
    .addOption(
      new Option('--size <WxH>', 'in pixels')
        .argParser(parseSize)
        .default({ widthPx: 1280, heightPx: 720 }, '1280x720'),
    )
    .option('--fov-deg <deg>', 'vertical field of view', parseNumber)
    .option(
      '--top <m>',
      'parallel view, this many metres from edge to edge vertically',
      parseNumber,
    )
    .option('--samples <n>', 'rays per pixel', parseNumber)
    .option('--seed <n>', "default: the scenario's", parseNumber)
    .action(async (scenario: string) => {
      const options = optionsOf<RenderOptions>(command);
      const rules = { ...options, inputs: [scenario] };
      const out = prepareFile(surroundings, options.out, rules);
      const cameraFile = prepareFile(surroundings, cameraFileOf(options.out), rules);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply, columns } = await call('render.start', {
          scenario,
          camera: options.camera,
          ...options.size,
          ...defined({
            seed: options.seed,
            settings: options.set,
            verticalFovDeg: options.fovDeg,
            orthographicHeightM: options.top,
            samplesPerPixel: options.samples,
          }),
        });
        terminal.endProgress();
        const rgb = columns?.['rgb'];
        if (!(rgb instanceof Uint8Array)) {
          throw new UnderstoryError('protocol', 'the picture came without pixels');
        }
        writeWhole(out, encodeRgb(rgb, reply.widthPx, reply.heightPx));
        const { widthPx, heightPx } = reply;
        const fov =
          options.top === undefined
            ? { deg: options.fovDeg ?? defaultFovDeg, alongPx: heightPx }
            : null;
        writeCamera(
          cameraFile,
          { pose: options.camera, widthPx, heightPx, fov },
          options.top === undefined ? {} : { viewHeightM: options.top },
        );
        terminal.say(`${reply.widthPx} × ${reply.heightPx} pixels in ${out}`);
      });
      end(exitCodes.ok);
    });
}
