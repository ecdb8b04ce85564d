// Point Cloud Library file, PCD 0.7 binary (pointclouds.org/documentation/tutorials/pcd_file_format.html):
// for PCL, Open3D, MATLAB, CloudCompare. Pulses without an echo are rows of NaN.
import type { Format } from './format.ts';
import { openHeader, packRows, rowFields } from './binaryRows.ts';

const types = { u8: 'U', u16: 'U', u32: 'U', f32: 'F', f64: 'F' } as const;

/** Starts a PCD file. */
export const pcd: Format = async (file, { columns, classes }) => {
  const fields = rowFields(columns);
  const list = (values: (string | number)[]): string => values.join(' ');
  const header = await openHeader(file, (points, padding) =>
    [
      '# .PCD v0.7 - Point Cloud Data file format',
      ...classes.map((name, id) => `# class_id ${id}: ${name}`),
      `# ${'.'.repeat(padding)}`,
      'VERSION 0.7',
      `FIELDS ${list(fields.map((field) => field.name))}`,
      `SIZE ${list(fields.map((field) => field.bytes))}`,
      `TYPE ${list(fields.map((field) => types[field.type]))}`,
      `COUNT ${list(fields.map(() => 1))}`,
      `WIDTH ${points}`,
      'HEIGHT 1',
      'VIEWPOINT 0 0 0 1 0 0 0',
      `POINTS ${points}`,
      'DATA binary',
      '',
    ].join('\n'),
  );
  return {
    write: (table, rows) => file.append(packRows(fields, table, rows)),
    finish: (points) => header.finish(points),
    leftOut: [],
  };
};
