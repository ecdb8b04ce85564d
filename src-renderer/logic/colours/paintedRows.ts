// Colours of points as bytes: red, green and blue after one another, a row each.
import { scaleColour, type Rgb, type ScaleName } from '#domain/shared/colours.ts';
import type { ValueRange } from './valueRange.ts';

export function paintedRows(rows: number, colourOf: (row: number) => Rgb): Uint8Array {
  const bytes = new Uint8Array(3 * rows);
  for (let row = 0; row < rows; row += 1) {
    const [red, green, blue] = colourOf(row);
    bytes[3 * row] = red;
    bytes[3 * row + 1] = green;
    bytes[3 * row + 2] = blue;
  }
  return bytes;
}

const tableSize = 256;
/** Colour of values that are no numbers. */
const grey: Rgb = [128, 128, 128];

/**
 * Colours of values on a scale; those outside of the range have the colour of its end.
 * Why a table: two million colours that are mixed each would take half a second.
 */
export function scalePainter(scale: ScaleName, [from, to]: ValueRange): (value: number) => Rgb {
  const table = Array.from({ length: tableSize }, (_, at) =>
    scaleColour(scale, at / (tableSize - 1)),
  );
  const factor = (tableSize - 1) / Math.max(to - from, 1e-9);
  return (value) => {
    const at = Math.round((value - from) * factor);
    return table[Math.min(Math.max(at, 0), tableSize - 1)] ?? grey;
  };
}
