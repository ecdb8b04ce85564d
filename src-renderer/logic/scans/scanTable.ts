// The returns of a scan as typed arrays: gathered from the chunks of scene.scan.
import {
  cleanColumns,
  pointColumns,
  type Columns,
  type ReturnColumnName,
} from '#contract/columns.ts';

/** Of the contract's columns those that a kept scan has. */
export const scanColumns = [
  'time_ns',
  'pulse',
  'ring',
  'return_no',
  ...pointColumns,
  ...cleanColumns,
] as const satisfies readonly ReturnColumnName[];

/** A row a return. Places in the world, x y z after one another. */
export interface ScanTable {
  rows: number;
  timeNs: BigInt64Array;
  pulse: BigUint64Array;
  ring: Uint16Array;
  returnNo: Uint8Array;
  rangeM: Float32Array;
  rangeCleanM: Float32Array;
  intensity: Float32Array;
  beamShare: Float32Array;
  objectId: Uint32Array;
  classId: Uint16Array;
  /** As reported, noise included. */
  noisyM: Float32Array;
  cleanM: Float32Array;
}

/** All chunks in one. @throws Error where a column is missing: the host is another version. */
export function scanTable(chunks: readonly Columns[]): ScanTable {
  const rows = chunks.reduce((sum, { pulse }) => sum + (pulse?.length ?? 0), 0);
  const number = <A extends Float32Array | Uint16Array | Uint8Array | Uint32Array>(
    name: string,
    into: A,
  ): A => {
    let at = 0;
    for (const chunk of chunks) {
      const part = chunk[name];
      if (part === undefined || typeof part[0] === 'bigint')
        throw new Error(`a scan without ${name}`);
      into.set(part as A, at);
      at += part.length;
    }
    return into;
  };
  const big = <A extends BigInt64Array | BigUint64Array>(name: string, into: A): A => {
    let at = 0;
    for (const chunk of chunks) {
      const part = chunk[name];
      if (part === undefined || typeof part[0] === 'number')
        throw new Error(`a scan without ${name}`);
      into.set(part as A, at);
      at += part.length;
    }
    return into;
  };
  return {
    rows,
    timeNs: big('time_ns', new BigInt64Array(rows)),
    pulse: big('pulse', new BigUint64Array(rows)),
    ring: number('ring', new Uint16Array(rows)),
    returnNo: number('return_no', new Uint8Array(rows)),
    rangeM: number('range_m', new Float32Array(rows)),
    rangeCleanM: number('range_clean_m', new Float32Array(rows)),
    intensity: number('intensity', new Float32Array(rows)),
    beamShare: number('beam_share', new Float32Array(rows)),
    objectId: number('object_id', new Uint32Array(rows)),
    classId: number('class_id', new Uint16Array(rows)),
    noisyM: interleaved(
      rows,
      ['x_m', 'y_m', 'z_m'].map((name) => number(name, new Float32Array(rows))),
    ),
    cleanM: interleaved(
      rows,
      ['x_clean_m', 'y_clean_m', 'z_clean_m'].map((name) => number(name, new Float32Array(rows))),
    ),
  };
}

function interleaved(rows: number, axes: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(3 * rows);
  for (const [axis, values] of axes.entries()) {
    for (let row = 0; row < rows; row += 1) all[3 * row + axis] = values[row] ?? 0;
  }
  return all;
}
