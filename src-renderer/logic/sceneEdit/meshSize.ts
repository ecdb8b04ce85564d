// The size of a mesh file in the scene, before it is imported.
import type { LengthUnit } from '#contract/documents/quantities.ts';
import { metresPerUnit } from '#domain/shared/lengths.ts';

interface Bounds {
  min: readonly [number, number, number];
  max: readonly [number, number, number];
}

/** Objects on the ground begin there, within this share of their size. */
const footShare = 0.1;

/** Metres east, north and up, as texts; the height alone too. */
export function meshSize(
  { min, max }: Bounds,
  unit: LengthUnit,
  upAxis: string,
): { text: string; heightText: string } {
  const factor = metresPerUnit[unit];
  const [x, y, z] = [0, 1, 2].map((axis) => ((max[axis] ?? 0) - (min[axis] ?? 0)) * factor) as [
    number,
    number,
    number,
  ];
  const sizesM = upAxis === 'y' ? [x, z, y] : [x, y, z];
  const texts = sizesM.map((sizeM) => String(Number(sizeM.toPrecision(3))));
  return { text: `${texts.join(' × ')} m`, heightText: `${texts[2] ?? ''} m` };
}

/** The up axis of a mesh on the ground; y, as most programs write OBJ, where both or neither do. */
export function upAxisOf({ min, max }: Bounds): 'y' | 'z' {
  const largest = Math.max(...[0, 1, 2].map((axis) => (max[axis] ?? 0) - (min[axis] ?? 0)));
  const isUpright = (axis: 1 | 2): boolean =>
    Math.abs(min[axis]) <= footShare * largest && max[axis] - min[axis] > footShare * largest;
  return isUpright(2) && !isUpright(1) ? 'z' : 'y';
}
