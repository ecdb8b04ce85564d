// A grid over discs in the plane: which of thousands reach a place. Built once, asked at every step.

export interface Disc {
  xM: number;
  yM: number;
  radiusM: number;
}

export interface DiscIndex {
  /** Numbers of the discs that come nearer than `withinM` to the point, in increasing order. */
  near(xM: number, yM: number, withinM: number): number[];
}

const cellM = 4;
/** Beyond this many cells a disc (a long wall's) is looked at in every query rather than registered. */
const maxCellsPerDisc = 1024;

/** An index over discs that do not move. */
export function createDiscIndex(discs: Disc[]): DiscIndex {
  const cells = new Map<string, number[]>();
  const large: number[] = [];
  for (const [number, { xM, yM, radiusM }] of discs.entries()) {
    const span = cellsOver(xM, yM, radiusM);
    if (span.count > maxCellsPerDisc) {
      large.push(number);
      continue;
    }
    forEachCell(span, (key) => {
      const members = cells.get(key);
      if (members) members.push(number);
      else cells.set(key, [number]);
    });
  }
  return {
    near(xM, yM, withinM) {
      const found = new Set<number>();
      const consider = (number: number): void => {
        const disc = discs[number] as Disc;
        if (Math.hypot(disc.xM - xM, disc.yM - yM) < disc.radiusM + withinM) found.add(number);
      };
      large.forEach(consider);
      forEachCell(cellsOver(xM, yM, withinM), (key) => cells.get(key)?.forEach(consider));
      return [...found].sort((a, b) => a - b);
    },
  };
}

interface CellSpan {
  fromX: number;
  toX: number;
  fromY: number;
  toY: number;
  count: number;
}

function cellsOver(xM: number, yM: number, radiusM: number): CellSpan {
  const fromX = Math.floor((xM - radiusM) / cellM);
  const toX = Math.floor((xM + radiusM) / cellM);
  const fromY = Math.floor((yM - radiusM) / cellM);
  const toY = Math.floor((yM + radiusM) / cellM);
  return { fromX, toX, fromY, toY, count: (toX - fromX + 1) * (toY - fromY + 1) };
}

function forEachCell(span: CellSpan, visit: (key: string) => void): void {
  for (let y = span.fromY; y <= span.toY; y += 1) {
    for (let x = span.fromX; x <= span.toX; x += 1) visit(`${x},${y}`);
  }
}
