// At which edge of a view something lies that must not cover what it is about.

export type Side = 'top' | 'bottom';

/** Share of the height: places nearer to an edge are covered there. */
const near = 0.2;

/** `share`: how far down the place is, 0 to 1; `before`: stays where both edges are free. */
export function freeSide(share: number, before: Side): Side {
  if (share < near) return 'bottom';
  return share > 1 - near ? 'top' : before;
}
