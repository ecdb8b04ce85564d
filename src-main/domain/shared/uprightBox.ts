// A box that stands upright, turned about the vertical: what a view or an export is limited to.

export interface UprightBox {
  centreM: readonly [number, number, number];
  /** From the x axis to its length, counterclockwise seen from above. */
  yawRad: number;
  /** Length, width, height. */
  sizeM: readonly [number, number, number];
}

/** Whether a place is in the box; its faces belong to it. */
export function insideBox({
  centreM: [centreX, centreY, centreZ],
  yawRad,
  sizeM: [length, width, height],
}: UprightBox): (xM: number, yM: number, zM: number) => boolean {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return (xM, yM, zM) => {
    const [x, y] = [xM - centreX, yM - centreY];
    return (
      Math.abs(cos * x + sin * y) <= length / 2 &&
      Math.abs(cos * y - sin * x) <= width / 2 &&
      Math.abs(zM - centreZ) <= height / 2
    );
  };
}
