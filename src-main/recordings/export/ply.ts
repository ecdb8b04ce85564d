// Polygon file of points only, PLY 1.0 binary little-endian: for CloudCompare, MeshLab, Open3D, Blender.
// Pulses without an echo are vertices of NaN.
import { binaryRows } from './binaryRows.ts';

const types = { u8: 'uchar', u16: 'ushort', u32: 'uint', f32: 'float', f64: 'double' } as const;

/** Starts a PLY file. */
export const ply = binaryRows(({ fields, comments, points, dots }) => [
  'ply',
  'format binary_little_endian 1.0',
  ...comments.map((comment) => `comment ${comment}`),
  `comment ${dots}`,
  `element vertex ${points}`,
  ...fields.map(({ name, type }) => `property ${types[type]} ${name}`),
  'end_header',
]);
