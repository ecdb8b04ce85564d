// The size of a mesh file in the scene, before it is imported.

interface Bounds {
  min: readonly [number, number, number];
  max: readonly [number, number, number];
}

const unitM: Record<string, number> = { m: 1, cm: 0.01, mm: 0.001, in: 0.0254, ft: 0.3048 };
/** Objects on the ground begin there, within this share of their size. */
const footShare = 0.1;

/** Metres east, north and up, as texts; the height alone too. */
export function meshSize(
  { min, max }: Bounds,
  unit: string,
  upAxis: string,
): { text: string; heightText: string } {
  const factor = unitM[unit] ?? 1;
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
