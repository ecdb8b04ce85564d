// Clouds packed and unpacked: 64-bit columns across a carry, noise, few columns, and what cannot be packed.
import { expect, test } from 'vitest';
import {
  defaultScanColumns,
  returnColumnNames,
  returnColumns,
  type ReturnTable,
} from '#contract/columns.ts';
import { decodeCloud, encodeCloud } from '#recordings/ros/pointCloud.ts';
import { sampleTable } from './samples.ts';

test('times and pulses come back across a carry of their lower half', () => {
  const fromNs = 3 * 2 ** 32 - 1000;
  const rows = 100; // 37 ns apart: the carry lies inside
  const table = sampleTable(rows, { seed: 1, fromNs });
  table.pulse = BigUint64Array.from({ length: rows }, (_, i) => (1n << 40n) - 50n + BigInt(i));
  const { bytes, firstPulse } = encodeCloud({ fromNs, table, rows });
  expect(decodeCloud(bytes, firstPulse)).toEqual({ fromNs, table, rows });
});

test('a range with noise is kept beside the clean one', () => {
  const table = sampleTable(50, { seed: 2, fromNs: 0, noise: true });
  const { bytes, firstPulse } = encodeCloud({ fromNs: 0, table, rows: 50 });
  const back = decodeCloud(bytes, firstPulse).table;
  expect(back.range_clean_m).toEqual(table.range_clean_m);
  expect(back.range_m).not.toEqual(back.range_clean_m);
});

test('columns that are not there are not made up, and arrays may be longer than the rows', () => {
  const { x_m, return_no, class_id } = sampleTable(10, { seed: 3, fromNs: 0 });
  if (x_m === undefined || return_no === undefined || class_id === undefined) throw new Error();
  const { bytes, firstPulse } = encodeCloud({
    fromNs: 5,
    table: { x_m, return_no, class_id },
    rows: 7,
  });
  expect(decodeCloud(bytes, firstPulse)).toEqual({
    fromNs: 5,
    rows: 7,
    table: {
      x_m: x_m.subarray(0, 7),
      return_no: return_no.subarray(0, 7),
      class_id: class_id.subarray(0, 7),
    },
  });
});

test('every column of a return comes back, the stamps of a clock that runs elsewhere too', () => {
  const rows = 5;
  const table: ReturnTable = sampleTable(rows, { seed: 6, fromNs: 0, noise: true });
  table.sensor_time_ns = BigInt64Array.from([-3n, 1n << 40n, (1n << 62n) + 7n, -(1n << 33n), 0n]);
  table.triangle_id = Uint32Array.from([0, 1, 4_000_000_000, 3, 4]);
  table.mirrors = Uint8Array.from([0, 1, 2, 255, 4]);
  table.red = Uint8Array.from([255, 0, 1, 2, 3]);
  table.green = Uint8Array.from([0, 255, 4, 5, 6]);
  table.blue = Uint8Array.from([7, 8, 255, 0, 9]);
  table.learned_part = Uint8Array.from([0, 1, 2, 3, 0]);
  table.is_moving = Uint8Array.from([0, 1, 1, 0, 1]);
  table.support = Uint32Array.from([0, 7, 4_000_000_000, 1, 0]);
  table.material_id = Uint16Array.from([0, 1, 2, 3, 65535]);
  for (const name of returnColumnNames) {
    if (returnColumns[name].type !== 'f32' || table[name] !== undefined) continue;
    Object.assign(table, { [name]: Float32Array.from({ length: rows }, (_, i) => i + 0.1) });
  }
  expect(Object.keys(table).sort()).toEqual([...returnColumnNames].sort());
  const { bytes, firstPulse } = encodeCloud({ fromNs: 0, table, rows });
  expect(decodeCloud(bytes, firstPulse).table).toEqual(table);
});

test('a cloud without points is a cloud', () => {
  const table = sampleTable(0, { seed: 4, fromNs: 0 });
  const { bytes, firstPulse } = encodeCloud({ fromNs: 0, table, rows: 0 });
  const back = decodeCloud(bytes, firstPulse);
  expect(back.rows).toBe(0);
  expect(Object.keys(back.table).sort()).toEqual([...defaultScanColumns].sort());
});

test('a scan longer than its time field is refused, not wrapped', () => {
  const table = sampleTable(2, { seed: 5, fromNs: 1000 });
  const cloud = { table, rows: 2 };
  expect(() => encodeCloud({ ...cloud, fromNs: 1001 })).toThrow(RangeError);
  table.time_ns = BigInt64Array.of(1000n, 1000n + (1n << 32n));
  expect(() => encodeCloud({ ...cloud, fromNs: 1000 })).toThrow(RangeError);
});

test('a field of another type than its column is refused', () => {
  const table = sampleTable(3, { seed: 6, fromNs: 0 });
  const { bytes, firstPulse } = encodeCloud({ fromNs: 0, table, rows: 3 });
  const nameAt = Buffer.from(bytes).indexOf('intensity\0');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  // CDR: the offset and the datatype follow the name, aligned from the fourth byte on.
  const datatypeAt = Math.ceil((nameAt + 'intensity\0'.length - 4) / 4) * 4 + 4 + 4;
  expect(view.getUint8(datatypeAt)).toBe(7);
  view.setUint8(datatypeAt, 5);
  expect(() => decodeCloud(bytes, firstPulse)).toThrow(
    "the field 'intensity' of a point cloud: expected datatype 7 within a point, found datatype 5",
  );
});
