// Heights of the ground from a grey picture: what a person paints, north up, becomes metres by row from
// the south, as the worker and the terrain under the wheels read them.

/** Samples of a 16-bit grey picture, first row north. */
export interface GreyPicture {
  columns: number;
  rows: number;
  /** 0 black to 65535 white, row by row from the north, x fastest. */
  values: Uint16Array;
}

/** Heights in metres, row by row from the south, x fastest; black is zM[0], white zM[1]. */
export function heightsOf(picture: GreyPicture, zM: readonly [number, number]): Float32Array {
  const { columns, rows, values } = picture;
  const [black, white] = zM;
  const heights = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row += 1) {
    const north = values.subarray((rows - 1 - row) * columns, (rows - row) * columns);
    for (const [column, value] of north.entries()) {
      heights[row * columns + column] = black + ((white - black) * value) / 65535;
    }
  }
  return heights;
}
