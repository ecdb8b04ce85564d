// `understory depth`: what a camera sees of a scenario as distances, for NumPy or as a 16-bit PNG.
import { extname } from 'node:path';
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import { requests } from '#contract/host/methods.ts';
import { countText } from '#domain/shared/formats.ts';
import { encodeNpy } from '#recordings/export/npy.ts';
import { cameraFileOf, writeCamera } from '../cameraFile.ts';
import { addAction, jsonText, type Given } from '../command.ts';
import { writeWhole } from '../files.ts';
import { encodeDepth } from '../pictures/depthPicture.ts';
import type { Session } from '../session.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addDepth(program: Command, host: CommandHost): void {
  const parts = {
    help: formatsHelp,
    check: checkOutput,
    besides: ({ options }: Given<'render.depth'>) => [cameraFileOf(options.out)],
  };
  addAction(program, host, 'render.depth', parts, depth);
}

async function depth({ call, terminal }: Session, given: Given<'render.depth'>): Promise<void> {
  const { out, stepMm } = given.options;
  const { reply, columns } = await call('render.depth', given.request);
  // Checked by the call.
  const { camera: pose, kind, horizontalFovDeg } = requests['render.depth'].parse(given.request);
  terminal.endProgress();
  const depthM = columns?.['depth_m'];
  if (!(depthM instanceof Float32Array)) {
    throw new UnderstoryError('protocol', 'the depth map came without depths');
  }
  const { widthPx, heightPx, pixelsMet, nearestM, farthestM } = reply;
  const isPicture = extname(out) === '.png';
  let clipped = 0;
  if (isPicture) {
    const picture = encodeDepth(depthM, { widthPx, heightPx }, stepMm / 1000);
    ({ clipped } = picture);
    writeWhole(out, picture.png);
  } else writeWhole(out, encodeNpy('f32', [heightPx, widthPx], depthM));
  const fov = { deg: horizontalFovDeg, alongPx: widthPx };
  writeCamera(
    cameraFileOf(out),
    { pose, widthPx, heightPx, fov },
    { kind, ...(isPicture && { stepM: stepMm / 1000 }) },
  );
  if (given.isJson) terminal.print(jsonText({ ...reply, clipped }));
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
}

/** @throws 'bad-input' before anything is worked for */
function checkOutput({ options: { out, stepMm } }: Given<'render.depth'>): void {
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
