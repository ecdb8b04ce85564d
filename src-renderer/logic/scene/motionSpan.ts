// The time that a timeline of a scene covers: from the first keyframe, or 0, until what ends has ended; where nothing
// ends, until every motion has come round.
import type { MotionLaw, MotionRecipe } from '#contract/worker/motions.ts';
import { clamp } from '#domain/shared/numbers.ts';

export interface TimeSpan {
  startS: number;
  endS: number;
}

const minSpanS = 10;
/** Longer motions are seen in part: a pixel would be seconds. */
const maxSpanS = 600;

export function motionSpan(motions: readonly MotionRecipe[]): TimeSpan {
  const startS = Math.min(0, ...motions.map(({ law }) => startOf(law)));
  const laws = motions.map(({ law }) => law);
  const ending = laws.filter((law) => !isEndless(law));
  const endS = Math.max(0, ...(ending.length > 0 ? ending : laws).map(endOf));
  // A keyframe at the end can be drawn farther.
  const roundS = (Math.floor(endS / 5) + 1) * 5;
  return { startS, endS: clamp(roundS, startS + minSpanS, startS + maxSpanS) };
}

function isEndless(law: MotionLaw): boolean {
  if (law.kind === 'path') return law.isClosed;
  return law.kind !== 'keyframes' || law.repeats;
}

function startOf(law: MotionLaw): number {
  return law.kind === 'keyframes' ? (law.keyframes[0]?.timeS ?? 0) : 0;
}

function endOf(law: MotionLaw): number {
  switch (law.kind) {
    case 'keyframes':
      return law.keyframes.at(-1)?.timeS ?? 0;
    case 'path': {
      const { pointsM, isClosed, speedMPerS, startS } = law;
      const corners = isClosed ? [...pointsM, ...pointsM.slice(0, 1)] : pointsM;
      const lengthM = corners.slice(1).reduce((sum, [x, y, z], leg) => {
        const [fromX = x, fromY = y, fromZ = z] = corners[leg] ?? [];
        return sum + Math.hypot(x - fromX, y - fromY, z - fromZ);
      }, 0);
      return startS + lengthM / speedMPerS;
    }
    case 'rotating':
      return law.rateRadPerS === 0 ? 0 : (2 * Math.PI) / Math.abs(law.rateRadPerS);
    case 'swinging':
      return law.periodS;
    // The vehicle itself is where its drive starts.
    case 'vehicle':
      return 0;
  }
}
