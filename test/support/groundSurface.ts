// Surfaces over a square grid of cells, row by row from the south: a limit on their slope, and the filling of gaps.

/**
 * Lowers `heights` to the greatest surface below them that rises by at most `riseM` from a cell to the next: low
 * returns from a crown or a wall exceed it and are cut off. Infinity: a cell without a height; it gets the limit of
 * its neighbours. Two passes over the grid (a chamfer transform).
 */
export function limitSlope(heights: Float32Array, size: number, riseM: number): void {
  const diagonalM = riseM * Math.SQRT2;
  const lower = (cell: number, other: number, stepM: number): void => {
    const bound = (heights[other] as number) + stepM;
    if (bound < (heights[cell] as number)) heights[cell] = bound;
  };
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) {
      const cell = row * size + column;
      if (column > 0) lower(cell, cell - 1, riseM);
      if (row === 0) continue;
      lower(cell, cell - size, riseM);
      if (column > 0) lower(cell, cell - size - 1, diagonalM);
      if (column < size - 1) lower(cell, cell - size + 1, diagonalM);
    }
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    for (let column = size - 1; column >= 0; column -= 1) {
      const cell = row * size + column;
      if (column < size - 1) lower(cell, cell + 1, riseM);
      if (row === size - 1) continue;
      lower(cell, cell + size, riseM);
      if (column < size - 1) lower(cell, cell + size + 1, diagonalM);
      if (column > 0) lower(cell, cell + size - 1, diagonalM);
    }
  }
}

/** Gives each unknown cell the mean of the known cells around it, or 0 where there is none. */
export function fillGaps(
  heights: Float32Array,
  size: number,
  isKnown: (cell: number) => boolean,
): void {
  for (let cell = 0; cell < heights.length; cell += 1) {
    if (isKnown(cell)) continue;
    const column = cell % size;
    const row = Math.floor(cell / size);
    let sum = 0;
    let count = 0;
    for (let y = Math.max(0, row - 1); y <= Math.min(size - 1, row + 1); y += 1) {
      for (let x = Math.max(0, column - 1); x <= Math.min(size - 1, column + 1); x += 1) {
        const other = y * size + x;
        if (!isKnown(other)) continue;
        sum += heights[other] as number;
        count += 1;
      }
    }
    heights[cell] = count === 0 ? 0 : sum / count;
  }
}
