// The view on screen as a line for the command line: the same view, ray-traced.
import { clamp, degrees } from '#domain/shared/numbers.ts';
import { commandLine } from '#renderer/logic/commandLine.ts';

/** `eyeM` looks along `direction` (unit, world). */
export function viewCommand(
  scenario: string,
  eyeM: readonly [number, number, number],
  [x, y, z]: readonly [number, number, number],
  size: { widthPx: number; heightPx: number },
): string {
  const yawDeg = degrees(Math.atan2(y, x));
  // Positive down, as the command line has it.
  const pitchDeg = -degrees(Math.asin(clamp(z, -1, 1)));
  const camera = [...eyeM.map((value) => value.toFixed(3)), yawDeg.toFixed(2), pitchDeg.toFixed(2)];
  const short = scenario.split('/').at(-1)?.split('.')[0] ?? 'scene';
  return commandLine(['render', scenario], {
    camera: camera.join(','),
    size: `${Math.round(size.widthPx)}x${Math.round(size.heightPx)}`,
    out: `${short}.png`,
  });
}
