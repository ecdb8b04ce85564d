// Objects in line with each other, or evenly spread, seen from above: how far each is moved for it.
import type { PlaceM } from './groundShapes.ts';

/** Box of an object seen from above. */
export interface PlanBox {
  minM: PlaceM;
  maxM: PlaceM;
}

interface Rule {
  title: string;
  axis: 0 | 1;
  /** Share of the box: 0 its lower, 1 its upper side; null: centres are spread. */
  share: number | null;
}

/** By the axes of the world: x to the east, y to the north. */
export const alignments = {
  west: { title: 'Align west sides', axis: 0, share: 0 },
  centreX: { title: 'Align centres east–west', axis: 0, share: 0.5 },
  east: { title: 'Align east sides', axis: 0, share: 1 },
  south: { title: 'Align south sides', axis: 1, share: 0 },
  centreY: { title: 'Align centres north–south', axis: 1, share: 0.5 },
  north: { title: 'Align north sides', axis: 1, share: 1 },
  spreadX: { title: 'Distribute east–west', axis: 0, share: null },
  spreadY: { title: 'Distribute north–south', axis: 1, share: null },
} as const satisfies Record<string, Rule>;
export type Alignment = keyof typeof alignments;

/** At least so many objects are needed. */
export function minAligned(how: Alignment): number {
  return alignments[how].share === null ? 3 : 2;
}

/** For each box how far it is moved. Sides are those of all together; spread, the first and the last stay. */
export function alignmentShifts(boxes: readonly PlanBox[], how: Alignment): PlaceM[] {
  const { axis, share }: Rule = alignments[how];
  const shift = (byM: number): PlaceM => (axis === 0 ? [byM, 0] : [0, byM]);
  const placeOf = ({ minM, maxM }: PlanBox, at: number): number =>
    minM[axis] + at * (maxM[axis] - minM[axis]);
  if (share !== null) {
    const low = Math.min(...boxes.map(({ minM }) => minM[axis]));
    const high = Math.max(...boxes.map(({ maxM }) => maxM[axis]));
    const lineM = low + share * (high - low);
    return boxes.map((box) => shift(lineM - placeOf(box, share)));
  }
  const centresM = boxes.map((box) => placeOf(box, 0.5));
  const sortedM = centresM.toSorted((one, other) => one - other);
  const [firstM = 0, lastM = firstM] = [sortedM[0], sortedM.at(-1)];
  const order = centresM
    .map((centreM, index) => ({ centreM, index }))
    .toSorted((one, other) => one.centreM - other.centreM)
    .map(({ index }) => index);
  const stepM = boxes.length < 2 ? 0 : (lastM - firstM) / (boxes.length - 1);
  return centresM.map((centreM, index) => shift(firstM + order.indexOf(index) * stepM - centreM));
}
