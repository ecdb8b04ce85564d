// `understory render`: a ray-traced image of a scenario.
import type { Command } from 'commander';
import { UnderstoryError } from '#contract/errors.ts';
import { requests } from '#contract/host/methods.ts';
import { cameraFileOf, writeCamera } from '../cameraFile.ts';
import { addAction, type Given } from '../command.ts';
import { writeWhole } from '../files.ts';
import { encodeRgb } from '../pictures/png.ts';
import type { CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addRender(program: Command, host: CommandHost): void {
  const besides = ({ options }: Given<'render.start'>): string[] => [cameraFileOf(options.out)];
  addAction(program, host, 'render.start', { besides }, async ({ call, terminal }, given) => {
    const { out } = given.options;
    const { reply, columns } = await call('render.start', given.request);
    // Checked by the call.
    const request = requests['render.start'].parse(given.request);
    const { camera, orthographicHeightM, verticalFovDeg } = request;
    terminal.endProgress();
    const rgb = columns?.['rgb'];
    if (!(rgb instanceof Uint8Array)) {
      throw new UnderstoryError('protocol', 'the picture came without pixels');
    }
    const { widthPx, heightPx } = reply;
    writeWhole(out, encodeRgb(rgb, widthPx, heightPx));
    const isParallel = orthographicHeightM !== undefined;
    const fov = isParallel ? null : { deg: verticalFovDeg, alongPx: heightPx };
    const view = { pose: camera, widthPx, heightPx, fov };
    writeCamera(cameraFileOf(out), view, isParallel ? { viewHeightM: orthographicHeightM } : {});
    terminal.say(`${widthPx} × ${heightPx} pixels in ${out}`);
  });
}
