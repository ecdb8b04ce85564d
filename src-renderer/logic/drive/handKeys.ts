// Driving with keys: which keys are held says how fast and how sharply. Speeds are requests: the vehicle's own
// limits hold them.
import type { DriveCommand } from '#contract/host/run.ts';

export type HandKey = 'ahead' | 'back' | 'left' | 'right';

const byCode: Record<string, HandKey> = {
  KeyW: 'ahead',
  ArrowUp: 'ahead',
  KeyS: 'back',
  ArrowDown: 'back',
  KeyA: 'left',
  ArrowLeft: 'left',
  KeyD: 'right',
  ArrowRight: 'right',
};

/** More than any vehicle does: then it goes as fast as it can. */
const maxMPerS = 100;
const maxRadPerS = 0.6;

/** The purpose of a key, by KeyboardEvent.code; null: none. */
export function handKey(code: string): HandKey | null {
  return byCode[code] ?? null;
}

/** The command for the keys that are held; opposite ones undo each other. Backwards is half as fast. */
export function commandFor(held: ReadonlySet<HandKey>, maxSpeedMPerS = maxMPerS): DriveCommand {
  const is = (key: HandKey): number => (held.has(key) ? 1 : 0);
  const ahead = is('ahead') - is('back');
  return {
    speedMPerS: ahead < 0 ? -maxSpeedMPerS / 2 : ahead * maxSpeedMPerS,
    yawRateRadPerS: (is('left') - is('right')) * maxRadPerS,
  };
}
