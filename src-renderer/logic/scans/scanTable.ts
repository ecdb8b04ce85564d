// The returns of a scan as typed arrays: gathered from the chunks of scene.scan.
import {
  cleanColumns,
  pointColumns,
  type Columns,
  type ReturnColumnName,
} from '#contract/columns.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';

/** Columns of the contract that a saved scan has. */
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

/** All chunks in one. @throws UnderstoryError 'protocol' where a column is missing: the host is another version. */
export function scanTable(chunks: readonly Columns[]): ScanTable {
  const joined = joinReturns(chunks, scanColumns);
  const rows = joined.pulse.length;
  return {
    rows,
    timeNs: joined.time_ns,
    pulse: joined.pulse,
    ring: joined.ring,
    returnNo: joined.return_no,
    rangeM: joined.range_m,
    rangeCleanM: joined.range_clean_m,
    intensity: joined.intensity,
    beamShare: joined.beam_share,
    objectId: joined.object_id,
    classId: joined.class_id,
    noisyM: interleaved(rows, [joined.x_m, joined.y_m, joined.z_m]),
    cleanM: interleaved(rows, [joined.x_clean_m, joined.y_clean_m, joined.z_clean_m]),
  };
}

function interleaved(rows: number, axes: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(3 * rows);
  for (const [axis, values] of axes.entries()) {
    for (let row = 0; row < rows; row += 1) all[3 * row + axis] = values[row] ?? 0;
  }
  return all;
}
