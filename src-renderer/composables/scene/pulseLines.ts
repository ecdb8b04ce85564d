// The rays of a pulse as lines in a scene: each from the sensor to what it hit, in the class's colour; the marked one
// in white.
import { classColour, type Rgb } from '#domain/shared/colours.ts';
import { rayDirection } from '#renderer/logic/pulse/rayDirection.ts';
import type { ShownPulse } from '#renderer/stores/sensor/pulse.ts';
import type { PulseLine } from '#renderer/viewer/scans/pulseMarks.ts';

const maxRays = 400;
/** Rays that met nothing are drawn so far. */
const missM = 40;
const white = [1, 1, 1] as const;
const grey = [0.55, 0.58, 0.57] as const;

/** `marked`: a ray by its number; null: none. Rays that met nothing have no direction where the pulse has no return. */
export function pulseLines(
  { scan, rays, returns }: Pick<ShownPulse, 'scan' | 'rays' | 'returns'>,
  marked: number | null,
): PulseLine[] {
  const { pose } = scan.settings;
  const fromM = pose.positionM;
  const stride = Math.ceil(rays.length / maxRays);
  const [axis] = returns;
  const missLengthM = Math.min(missM, scan.recipe.maxRangeM);
  return rays.flatMap(({ ray, left, up, hits }, index): PulseLine[] => {
    const isMarked = ray === marked;
    if (index % stride !== 0 && !isMarked) return [];
    if (hits.length > 0) {
      return hits.map(({ positionM: toM, classId }) => {
        const rgb = isMarked ? white : unit(classColour(classId));
        return { fromM, toM, rgb, isHit: true };
      });
    }
    if (axis === undefined) return [];
    const [x, y, z] = rayDirection(axis, { left, up }, pose);
    const toM: [number, number, number] = [
      fromM[0] + missLengthM * x,
      fromM[1] + missLengthM * y,
      fromM[2] + missLengthM * z,
    ];
    return [{ fromM, toM, rgb: isMarked ? white : grey, isHit: false }];
  });
}

function unit([red, green, blue]: Rgb): [number, number, number] {
  return [red / 255, green / 255, blue / 255];
}
