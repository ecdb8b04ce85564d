// Stages of `npm run interop`: files of ours, read by programs of others. Each stage needs packages of Debian that
// nothing else here needs; the set-up level `interop` installs them.
import { suite, type Stage } from '../stages.ts';

export const interopStages: Stage[] = [
  suite('recordings in Fast-CDR', ['test/interop/fastcdr.test.ts']),
  suite('captures of packets in PCL', ['test/interop/captures.test.ts']),
  suite('points in NumPy, PCL, Open3D, CloudCompare, GDAL, copc and hyparquet', [
    'test/interop/clouds.test.ts',
  ]),
  suite('learned models in CloudCompare, MeshLab, PCL and Open3D', [
    'test/interop/learned.test.ts',
  ]),
];
