// A Wavefront OBJ under a linear map: vertices are multiplied, corners of a mirrored mesh turned, everything about
// normals, texture coordinates and material files left out.
import { apply3, determinant3, type Matrix3 } from './placement.ts';

/** @param bytes an OBJ in UTF-8; lines that are no vertices, faces or materials are dropped */
export function objUnderMap(bytes: Uint8Array, map: Matrix3): Uint8Array {
  const isMirrored = determinant3(map) < 0;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  const pieces: Uint8Array[] = [];
  let rest = '';
  const pieceBytes = 2 ** 22;
  for (let at = 0; at < bytes.length || rest !== ''; at += pieceBytes) {
    const isLast = at + pieceBytes >= bytes.length;
    const text = decoder.decode(bytes.subarray(at, at + pieceBytes), { stream: !isLast });
    const lines = (rest + text).split(/\r\n|\n|\r/);
    rest = isLast ? '' : (lines.pop() ?? '');
    const mapped = lines.flatMap((line) => lineUnderMap(line.trim(), map, isMirrored));
    pieces.push(encoder.encode(mapped.join('')));
  }
  const all = new Uint8Array(pieces.reduce((size, { length }) => size + length, 0));
  pieces.reduce((at, piece) => {
    all.set(piece, at);
    return at + piece.length;
  }, 0);
  return all;
}

/** The line with its end, or nothing. */
function lineUnderMap(line: string, map: Matrix3, isMirrored: boolean): string[] {
  const [statement, ...words] = line.split(/\s+/);
  if (statement === 'usemtl') return [`${line}\n`];
  if (statement === 'v') {
    const [x = NaN, y = NaN, z = NaN] = words.map(Number);
    const mapped = apply3(map, [x, y, z]).map((value) => Number(value.toPrecision(9)));
    return [`v ${mapped.join(' ')}\n`];
  }
  if (statement !== 'f') return [];
  const corners = words.map((word) => word.split('/')[0] ?? word);
  return [`f ${(isMirrored ? corners.reverse() : corners).join(' ')}\n`];
}
