// A sequence of KITTI's odometry benchmark (Geiger et al. 2012) as a source of logs: velodyne/NNNNNN.bin, poses.txt,
// calib.txt, times.txt; labels/NNNNNN.label of SemanticKITTI where they are there. Its clouds are motion-compensated, so
// that all points of a frame are seen from one pose. Times follow from azimuths: the sensor turns counter-clockwise and
// faces ahead at the time of the frame. The world has the axes of the first frame's sensor.
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { badInput, throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import type { LogSourceReader, OpenOptions, SourceCloud } from '#services/ports/logSources.ts';
import { naming } from '#files/appendFile.ts';
import { readWhole } from '#files/regularFile.ts';
import { statedSystem } from '#domain/shared/systemUnits.ts';
import { filled } from '#domain/shared/filledArrays.ts';
import type { ForeignSource } from './foreignSource.ts';
import { semanticKittiClasses } from './semanticKittiClasses.ts';

const pointBytes = 16;
/** A hundred times those of a turn of the benchmark's sensor. */
const maxPoints = 1.3e7;
/** Twelve numbers a frame, of several hours. */
const maxTextBytes = 6.4e7;
/** The HDL-64E of the benchmark turns ten times a second. */
const turnNs = 1e8;

/** Elevations of an HDL-64E S2, from the lowest: 32 lasers in steps of half a degree, 32 in steps of a third. */
const elevationsDeg = [
  ...Array.from({ length: 32 }, (_, laser) => -24.33 + laser * 0.5),
  ...Array.from({ length: 32 }, (_, laser) => -8.33 + laser / 3),
];

export const kittiSource: ForeignSource = {
  detects: ({ path, isFolder }) => isFolder && existsSync(join(path, 'velodyne')),
  open: ({ path }, options) => openKitti(path, options),
};

/** @throws 'bad-input' where poses or frames are missing */
async function openKitti(folder: string, { signal }: OpenOptions): Promise<LogSourceReader> {
  const frames = (await naming(folder, () => readdir(join(folder, 'velodyne'))))
    .filter((name) => name.endsWith('.bin'))
    .sort();
  const poses = await posesOf(folder);
  if (poses.length < frames.length) {
    const message = `expected a pose for each of ${frames.length} frames in poses.txt, found ${poses.length}`;
    throw badInput('source', message, { title: 'the poses do not cover the log' });
  }
  const stampsNs = await timesOf(folder, frames.length);
  const hasLabels = existsSync(join(folder, 'labels'));
  return {
    kind: 'kitti',
    streams: [{ name: 'velodyne', layout: 'kitti' }],
    baseNs: 0n,
    originM: [0, 0, 0],
    system: statedSystem(null),
    volumeClasses: null,
    classes: hasLabels ? await semanticKittiClasses(folder) : [],
    poses: [
      {
        name: 'poses.txt',
        kind: 'file',
        parent: 'world',
        child: 'velodyne',
        isStatic: false,
        timesNs: stampsNs,
        poses: poses.slice(0, frames.length),
      },
    ],
    traits: {
      isWorld: false,
      isCompensated: true,
      hasTimes: false,
      elevationsRad: elevationsDeg.map((deg) => (deg * Math.PI) / 180),
    },
    notes: [],
    async *clouds(_stream, report) {
      for (const [sweep, name] of frames.entries()) {
        throwIfCancelled(signal);
        const labels = hasLabels ? join(folder, 'labels', name.replace(/bin$/, 'label')) : null;
        const stampNs = stampsNs[sweep] ?? 0;
        yield await frameOf(join(folder, 'velodyne', name), labels, { sweep, stampNs });
        report(sweep + 1, frames.length);
      }
    },
    close: () => Promise.resolve(),
  };
}

async function frameOf(
  file: string,
  labelFile: string | null,
  { sweep, stampNs }: { sweep: number; stampNs: number },
): Promise<SourceCloud> {
  const bytes = await readWhole(file, { maxBytes: maxPoints * pointBytes });
  if (bytes.length % pointBytes !== 0) {
    const message = `${file}: expected points of ${pointBytes} bytes, found ${bytes.length} bytes`;
    throw new UnderstoryError('corrupt', message, { file });
  }
  const points = bytes.length / pointBytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [xM, yM, zM] = [0, 4, 8].map((offset) =>
    filled(new Float64Array(points), (at) => view.getFloat32(pointBytes * at + offset, true)),
  ) as [Float64Array, Float64Array, Float64Array];
  return {
    sweep,
    stampNs,
    frameId: 'velodyne',
    points,
    xM,
    yM,
    zM,
    intensity: filled(new Float32Array(points), (at) => {
      return view.getFloat32(pointBytes * at + 12, true);
    }),
    laser: null,
    timeNs: filled(new Float64Array(points), (at) => {
      return stampNs + (Math.atan2(yM[at] ?? 0, xM[at] ?? 0) / (2 * Math.PI)) * turnNs;
    }),
    timeField: null,
    classId: labelFile === null ? null : await labelsOf(labelFile, points),
    isOrganised: false,
  };
}

/** The lower half of each label is its class, the upper one its object. */
async function labelsOf(file: string, points: number): Promise<Uint16Array> {
  const bytes = await readWhole(file, { maxBytes: maxPoints * 4 });
  if (bytes.length !== 4 * points) {
    const message = `${file}: expected ${points} labels, found ${bytes.length / 4}`;
    throw new UnderstoryError('corrupt', message, { file });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return filled(new Uint16Array(points), (at) => view.getUint16(4 * at, true));
}

async function textOf(file: string): Promise<string> {
  return new TextDecoder().decode(await readWhole(file, { maxBytes: maxTextBytes }));
}

type Row = [number, number, number, number];
type Matrix = [Row, Row, Row];

/** worldFromSensor of each frame: Tr⁻¹ · P · Tr, with P of poses.txt and Tr of calib.txt. */
async function posesOf(folder: string): Promise<Pose[]> {
  const name = basename(folder);
  const places = [
    join(folder, 'poses.txt'),
    join(dirname(dirname(folder)), 'poses', `${name}.txt`),
  ];
  const file = places.find((place) => existsSync(place));
  if (file === undefined) {
    const message = `expected poses.txt in '${folder}', or poses/${name}.txt above 'sequences', found none`;
    throw badInput('source', message, { title: 'the source has no poses' });
  }
  const calibration = join(folder, 'calib.txt');
  const cameraFromSensor = existsSync(calibration)
    ? calibrationOf(calibration, await textOf(calibration))
    : usualCalibration;
  const back = inverse(cameraFromSensor);
  const text = await textOf(file);
  return text.split('\n').flatMap((line, index): Pose[] => {
    if (line.trim() === '') return [];
    const camera = matrixOf(line);
    if (camera === null) {
      throw badInput('source', `${file}: line ${index + 1}: expected 12 numbers of a rigid motion`);
    }
    return [poseOf(product(product(back, camera), cameraFromSensor))];
  });
}

/** From x ahead, y left, z up to x right, y down, z ahead. */
const usualCalibration: Matrix = [
  [0, -1, 0, 0],
  [0, 0, -1, 0],
  [1, 0, 0, 0],
];

function calibrationOf(file: string, text: string): Matrix {
  const line = /^Tr(?:_velo_to_cam)?:(.*)$/m.exec(text)?.[1];
  const matrix = line === undefined ? null : matrixOf(line);
  if (matrix !== null) return matrix;
  throw badInput('source', `${file}: expected a line 'Tr:' with 12 numbers of a rigid motion`);
}

/** Null: these are not twelve numbers, or their left part is no rotation within 1e-2. */
function matrixOf(line: string): Matrix | null {
  const numbers = line.trim().split(/\s+/).map(Number);
  if (numbers.length !== 12 || !numbers.every(Number.isFinite)) return null;
  const rows = [0, 4, 8].map((from) => numbers.slice(from, from + 4)) as Matrix;
  const isUnit = rows.every((a, i) =>
    rows.every((b, j) => {
      const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
      return Math.abs(dot - (i === j ? 1 : 0)) < 1e-2;
    }),
  );
  return isUnit ? rows : null;
}

function product(a: Matrix, b: Matrix): Matrix {
  return a.map(([x, y, z, t]) =>
    [0, 1, 2, 3].map((column) => {
      const sum = x * (b[0][column] ?? 0) + y * (b[1][column] ?? 0) + z * (b[2][column] ?? 0);
      return sum + (column === 3 ? t : 0);
    }),
  ) as Matrix;
}

function inverse([a, b, c]: Matrix): Matrix {
  return [0, 1, 2].map((axis) => {
    const [x, y, z] = [a[axis] ?? 0, b[axis] ?? 0, c[axis] ?? 0];
    return [x, y, z, -(x * a[3] + y * b[3] + z * c[3])];
  }) as Matrix;
}

function poseOf([[xx, xy, xz, x], [yx, yy, yz, y], [zx, zy, zz, z]]: Matrix): Pose {
  // The largest of the four parts first, so that nothing cancels (Shepperd's method).
  const parts = [1 + xx - yy - zz, 1 - xx + yy - zz, 1 - xx - yy + zz, 1 + xx + yy + zz];
  const candidates: Pose['rotation'][] = [
    [parts[0] ?? 0, yx + xy, xz + zx, zy - yz],
    [yx + xy, parts[1] ?? 0, zy + yz, xz - zx],
    [xz + zx, zy + yz, parts[2] ?? 0, yx - xy],
    [zy - yz, xz - zx, yx - xy, parts[3] ?? 0],
  ];
  const largest = parts.indexOf(Math.max(...parts));
  const [qx, qy, qz, qw] = candidates[largest] ?? [0, 0, 0, 1];
  const norm = Math.hypot(qx, qy, qz, qw);
  return { positionM: [x, y, z], rotation: [qx / norm, qy / norm, qz / norm, qw / norm] };
}

/** Nanoseconds of the frames; ten a second where there is no times.txt. */
async function timesOf(folder: string, frames: number): Promise<number[]> {
  const file = join(folder, 'times.txt');
  if (!existsSync(file)) return Array.from({ length: frames }, (_, frame) => frame * turnNs);
  const text = await textOf(file);
  const timesS = text.split(/\s+/).flatMap((word) => (word === '' ? [] : [Number(word)]));
  if (timesS.length >= frames && timesS.every(Number.isFinite)) {
    return timesS.slice(0, frames).map((timeS) => Math.round(timeS * 1e9));
  }
  throw badInput(
    'source',
    `${file}: expected a time for each of ${frames} frames, found ${timesS.length}`,
  );
}
