// The view on screen as a line for the command line: the same view, ray-traced.
import { clamp, degrees } from '#domain/shared/numbers.ts';
import { commandOf } from '#renderer/logic/commandLine.ts';

/** `eyeM` looks along `direction` (unit, world), at a time of what moves. */
export function viewCommand(
  scenario: string,
  eyeM: readonly [number, number, number],
  [x, y, z]: readonly [number, number, number],
  size: { widthPx: number; heightPx: number },
  timeS: number,
): string {
  const yawDeg = degrees(Math.atan2(y, x));
  // Positive down, as the command line has it.
  const pitchDeg = -degrees(Math.asin(clamp(z, -1, 1)));
  const short = scenario.split('/').at(-1)?.split('.')[0] ?? 'scene';
  const [eyeX, eyeY, eyeZ] = eyeM;
  const camera = {
    positionM: [rounded(eyeX, 3), rounded(eyeY, 3), rounded(eyeZ, 3)] as [number, number, number],
    yawDeg: rounded(yawDeg, 2),
    pitchDeg: rounded(pitchDeg, 2),
  };
  const [widthPx, heightPx] = [Math.round(size.widthPx), Math.round(size.heightPx)];
  return commandOf(
    'render.start',
    { scenario, camera, widthPx, heightPx, ...(timeS !== 0 && { atS: rounded(timeS, 2) }) },
    { out: `${short}.png` },
  );
}

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals));
}
