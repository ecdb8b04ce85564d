// On which side of a view something lies that must not cover what it is about.

export type Side = 'left' | 'right';

/** A place this near the middle is covered from neither side. */
const middle = 0.08;

/** `share`: how far right the place is, 0 to 1; `before`: stays where both sides are free. */
export function freeSide(share: number, before: Side): Side {
  if (Math.abs(share - 0.5) < middle) return before;
  return share > 0.5 ? 'left' : 'right';
}

export function otherSide(side: Side): Side {
  return side === 'left' ? 'right' : 'left';
}
