// PNG files of 16-bit grey as far as heights need them (w3.org/TR/png-3): what the head says, and rows out of the
// inflated bytes, however those are cut. Guarantees: the size of the decoded image is known from its first 33 bytes.

/** Bytes from the start of a file to the end of its first chunk: signature and IHDR. */
export const pngHeadBytes = 33;

/** Rows and columns that are read at most. */
const maxPngSide = 16_384;

export interface GreyPng {
  columns: number;
  rows: number;
}

/** The contents of a file's head, or the end of a sentence about what was expected and found. */
export function readGreyHead(head: Uint8Array): GreyPng | string {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const isPng = head.length >= pngHeadBytes && signature.every((byte, at) => head[at] === byte);
  if (!isPng || view.getUint32(12) !== headType) return 'expected a PNG, found something else';
  const [columns, rows] = [view.getUint32(16), view.getUint32(20)];
  const [depth = 0, colour = 0, , , interlace] = head.subarray(24, 29);
  if (depth !== 16 || colour !== 0) {
    return `expected 16-bit grey, found ${depth} bits and ${channelsOf[colour] ?? 0} channels`;
  }
  if (columns < 2 || rows < 2) {
    return `expected at least 2 × 2 samples, found ${columns} × ${rows}`;
  }
  if (columns > maxPngSide || rows > maxPngSide) {
    const most = `at most ${maxPngSide} × ${maxPngSide} samples`;
    return `expected ${most}, found ${columns} × ${rows}`;
  }
  return interlace === 0
    ? { columns, rows }
    : 'expected a PNG without interlacing, found one with it';
}

/** Takes inflated bytes in pieces and gives rows from the top, each in the same array. */
export interface GreyRows {
  /** False: these are more bytes than the rows take, or a row has a filter that PNG does not define. */
  push(bytes: Uint8Array): boolean;
  /** Rows given so far. */
  readonly rows: number;
}

/** Rows of a picture. @param onRow row from the top, samples 0 black to 65535 white */
export function createGreyRows(
  { columns, rows: allRows }: GreyPng,
  onRow: (row: number, values: Uint16Array) => void,
): GreyRows {
  const rowBytes = 1 + 2 * columns;
  const values = new Uint16Array(columns);
  let row = new Uint8Array(rowBytes);
  let above = new Uint8Array(rowBytes);
  let filled = 0;
  let rows = 0;
  return {
    get rows() {
      return rows;
    },
    push(bytes) {
      for (let at = 0; at < bytes.length;) {
        if (rows === allRows) return false;
        const take = Math.min(rowBytes - filled, bytes.length - at);
        row.set(bytes.subarray(at, at + take), filled);
        filled += take;
        at += take;
        if (filled < rowBytes) continue;
        if (!unfilter(row, above)) return false;
        for (let column = 0; column < columns; column += 1) {
          values[column] = ((row[1 + 2 * column] ?? 0) << 8) | (row[2 + 2 * column] ?? 0);
        }
        onRow(rows, values);
        [row, above] = [above, row];
        rows += 1;
        filled = 0;
      }
      return true;
    },
  };
}

const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** 'IHDR'. */
const headType = 0x49484452;
/** Channels by type of colour. */
const channelsOf: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const sampleBytes = 2;

/** In place (PNG, 9.2). The first byte is the filter. */
function unfilter(row: Uint8Array, above: Uint8Array): boolean {
  const [filter = 0] = row;
  if (filter > 4) return false;
  if (filter === 0) return true;
  for (let at = 1; at < row.length; at += 1) {
    const isFirst = at <= sampleBytes;
    const left = isFirst ? 0 : (row[at - sampleBytes] ?? 0);
    const up = above[at] ?? 0;
    const upLeft = isFirst ? 0 : (above[at - sampleBytes] ?? 0);
    const predicted =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : paeth(left, up, upLeft);
    row[at] = (row[at] ?? 0) + predicted;
  }
  return true;
}

function paeth(left: number, up: number, upLeft: number): number {
  const estimate = left + up - upLeft;
  const toLeft = Math.abs(estimate - left);
  const toUp = Math.abs(estimate - up);
  const toUpLeft = Math.abs(estimate - upLeft);
  if (toLeft <= toUp && toLeft <= toUpLeft) return left;
  return toUp <= toUpLeft ? up : upLeft;
}
