// Point Cloud Library file, PCD 0.7 binary (pointclouds.org/documentation/tutorials/pcd_file_format.html):
// for PCL, Open3D, MATLAB, CloudCompare. Pulses without an echo are rows of NaN. Colours
// are one field `rgb`, as PCL reads them. The viewpoint is the sensor's pose where the sensor was at rest, else the
// origin: normals are turned towards it. Positions stay relative to the origin of the scene, which a comment states:
// PCL's points are single precision, and it reads no double x, y and z.
import type { Pose } from '#contract/host/run.ts';
import { binaryRows } from './binaryRows.ts';

const types = { u8: 'U', u16: 'U', u32: 'U', f32: 'F', f64: 'F' } as const;

export const pcd = binaryRows(
  ({ fields, comments, points, dots, viewpoint }) => [
    '# .PCD v0.7 - Point Cloud Data file format',
    ...comments.map((comment) => `# ${comment}`),
    `# ${dots}`,
    'VERSION 0.7',
    `FIELDS ${fields.map(({ name }) => name).join(' ')}`,
    `SIZE ${fields.map(({ bytes }) => bytes).join(' ')}`,
    `TYPE ${fields.map(({ type }) => types[type]).join(' ')}`,
    `COUNT ${fields.map(() => 1).join(' ')}`,
    `WIDTH ${points}`,
    'HEIGHT 1',
    `VIEWPOINT ${viewpointText(viewpoint)}`,
    `POINTS ${points}`,
    'DATA binary',
  ],
  { lastLine: 'DATA binary', counts: ['WIDTH ', 'POINTS '], padding: '# ' },
  { packsColours: true, isRelative: true },
);

/** Position, then the rotation as w, x, y, z. */
function viewpointText(pose: Pose | undefined): string {
  if (pose === undefined) return '0 0 0 1 0 0 0';
  const [x, y, z, w] = pose.rotation;
  return [...pose.positionM, w, x, y, z].join(' ');
}
