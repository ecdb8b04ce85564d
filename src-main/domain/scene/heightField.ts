// Heights of the ground from a grey picture: what a person paints, north up, becomes metres by row from
// the south, as the worker and the terrain under the wheels read them.

/** Writes a row of a picture; the first row is north, black is zM[0], white zM[1]. */
export function writeHeights(
  heights: Float32Array,
  { row, rows, values }: { row: number; rows: number; values: Uint16Array },
  zM: readonly [number, number],
): void {
  const [black, white] = zM;
  const first = (rows - 1 - row) * values.length;
  for (const [column, value] of values.entries()) {
    heights[first + column] = black + ((white - black) * value) / 65535;
  }
}
