// Polygon file of points only, PLY 1.0 binary little-endian: for CloudCompare, MeshLab, Open3D, Blender.
// Pulses without an echo are vertices of NaN. Why these names of types: Open3D 0.16 reads no ushort, uint or uint32 and
// leaves their properties out with a warning; ids are below 2^31.
import { binaryRows } from './binaryRows.ts';

const types = { u8: 'uchar', u16: 'uint16', u32: 'int', f32: 'float', f64: 'double' } as const;

export const ply = binaryRows(
  ({ fields, comments, points, dots }) => [
    'ply',
    'format binary_little_endian 1.0',
    ...comments.map((comment) => `comment ${comment}`),
    `comment ${dots}`,
    `element vertex ${points}`,
    ...fields.map(({ name, type }) => `property ${types[type]} ${name}`),
    'end_header',
  ],
  { lastLine: 'end_header', counts: ['element vertex '], padding: 'comment ' },
);
