// Discs in the plane in square cells, so that a new one is compared with its neighbours only.
type Place = readonly [number, number];

export interface TrunkGrid {
  add: (positionM: Place, radiusM: number) => void;
  /** Centre of a disc that one here would overlap; null: none. */
  overlapping: (positionM: Place, radiusM: number) => Place | null;
}

export function createTrunkGrid(cellM = 1): TrunkGrid {
  const cells = new Map<string, { positionM: Place; radiusM: number }[]>();
  let maxRadiusM = 0;
  const keyOf = ([x, y]: Place, column: number, row: number): string =>
    `${Math.floor(x / cellM) + column} ${Math.floor(y / cellM) + row}`;
  return {
    add(positionM, radiusM) {
      maxRadiusM = Math.max(maxRadiusM, radiusM);
      const key = keyOf(positionM, 0, 0);
      cells.set(key, [...(cells.get(key) ?? []), { positionM, radiusM }]);
    },
    overlapping(positionM, radiusM) {
      const reach = Math.ceil((maxRadiusM + radiusM) / cellM);
      for (let column = -reach; column <= reach; column += 1) {
        for (let row = -reach; row <= reach; row += 1) {
          const near = (cells.get(keyOf(positionM, column, row)) ?? []).find((other) => {
            const [dx, dy] = [other.positionM[0] - positionM[0], other.positionM[1] - positionM[1]];
            return Math.hypot(dx, dy) < other.radiusM + radiusM;
          });
          if (near !== undefined) return near.positionM;
        }
      }
      return null;
    },
  };
}
