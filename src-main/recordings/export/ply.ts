// Polygon file of points only, PLY 1.0 binary little-endian: for CloudCompare, MeshLab, Open3D, Blender.
// Pulses without an echo are vertices of NaN.
import type { Format } from './format.ts';
import { openHeader, packRows, rowFields } from './binaryRows.ts';

const types = { u8: 'uchar', u16: 'ushort', u32: 'uint', f32: 'float', f64: 'double' } as const;

/** Starts a PLY file. */
export const ply: Format = async (file, { columns, classes }) => {
  const fields = rowFields(columns);
  const header = await openHeader(file, (points, padding) =>
    [
      'ply',
      'format binary_little_endian 1.0',
      ...classes.map((name, id) => `comment class_id ${id}: ${name}`),
      `comment ${'.'.repeat(padding)}`,
      `element vertex ${points}`,
      ...fields.map(({ name, type }) => `property ${types[type]} ${name}`),
      'end_header',
      '',
    ].join('\n'),
  );
  return {
    write: (table, rows) => file.append(packRows(fields, table, rows)),
    finish: (points) => header.finish(points),
    leftOut: [],
  };
};
