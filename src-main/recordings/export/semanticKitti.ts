// A sequence in the layout of SemanticKITTI (Behley et al. 2019; github.com/PRBonn/semantic-kitti-api), as a folder:
// velodyne/NNNNNN.bin (x, y, z, intensity as f32), labels/NNNNNN.label (u32: class_id + 1, 0 for none; the id of the
// object in the upper half), poses.txt and calib.txt in the axes of KITTI's camera, times.txt, semantic-kitti.yaml
// (what the labels mean), world_from_first.txt; where objects move, tracking_labels.txt (Geiger et al. 2012, tracking:
// their boxes in each frame). Points are in the frame of the sensor at the end of their frame's
// interval:
// its motion within is taken out, as in KITTI's sequences. The folder takes its name when it is whole.
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Pose } from '#contract/host/run.ts';
import type { FramesExporter, FramesOptions } from '#services/ports/exporters.ts';
import { naming } from '#files/appendFile.ts';
import {
  kittiBox,
  kittiCalibration,
  kittiPose,
  rigidOf,
  type Rigid,
  toBody,
} from './kittiPoses.ts';
import { partNameOf, removeLeftovers } from './partName.ts';

/** All that an export writes into its folder. */
const contents = [
  'velodyne',
  'labels',
  'poses.txt',
  'calib.txt',
  'times.txt',
  'semantic-kitti.yaml',
  'world_from_first.txt',
  'tracking_labels.txt',
];
const maxInstance = 0xffff;

/**
 * Starts a sequence. @throws UnderstoryError 'bad-input' where the folder has contents of another kind, or any and none
 * are to be replaced
 */
export async function createSemanticKitti(
  folder: string,
  options: FramesOptions & { isReplacing: boolean },
): Promise<FramesExporter> {
  await checkContents(folder, options.isReplacing);
  removeLeftovers(folder);
  const aside = partNameOf(folder);
  const abort = (): Promise<void> =>
    naming(folder, () => rm(aside, { recursive: true, force: true }));
  try {
    for (const name of ['velodyne', 'labels']) {
      await naming(aside, () => mkdir(join(aside, name), { recursive: true }));
    }
  } catch (error) {
    await abort();
    throw error;
  }
  const write = (name: string, bytes: Uint8Array | string): Promise<void> =>
    naming(join(folder, name), () => writeFile(join(aside, name), bytes));
  const frames: { timeNs: number; pose: Pose }[] = [];
  const tracks = new Map<string, number>();
  let trackingLabels = '';
  let points = 0;
  let misses = 0;
  let withoutInstance = 0;
  return {
    async write({ timeNs, pose, table, rows, objects = [] }) {
      for (const object of objects) {
        const track = tracks.get(object.name) ?? tracks.size;
        tracks.set(object.name, track);
        trackingLabels += `${frames.length} ${track} ${kittiBox(object, pose)}\n`;
      }
      const name = String(frames.length).padStart(6, '0');
      const { bin, labels, beyond } = packFrame(table, rows, rigidOf(pose));
      await write(`velodyne/${name}.bin`, bin);
      await write(`labels/${name}.label`, labels);
      frames.push({ timeNs, pose });
      points += labels.byteLength / 4;
      misses += rows - labels.byteLength / 4;
      withoutInstance += beyond;
    },
    async close() {
      const first = frames[0];
      if (first === undefined) throw new UnderstoryError('bad-input', 'there is no frame to write');
      await write(
        'poses.txt',
        frames.map(({ pose }) => `${kittiPose(first.pose, pose)}\n`).join(''),
      );
      const seconds = frames.map(({ timeNs }) => (timeNs - first.timeNs) / 1e9);
      await write('times.txt', seconds.map((time) => `${time.toExponential(9)}\n`).join(''));
      await write('calib.txt', kittiCalibration);
      if (tracks.size > 0) await write('tracking_labels.txt', trackingLabels);
      await write('semantic-kitti.yaml', labelMap(options.classes));
      await write('world_from_first.txt', `${worldText(first.pose, options.originM)}\n`);
      await checkContents(folder, options.isReplacing);
      await naming(folder, async () => {
        await rm(folder, { recursive: true, force: true });
        await rename(aside, folder);
      });
      const leftOut = [
        ...(misses > 0 ? [`${misses} pulses without an echo`] : []),
        ...(withoutInstance > 0
          ? [`instances of ${withoutInstance} points, whose ids need more than 16 bits`]
          : []),
        'all columns but x, y, z, intensity, class_id and object_id',
      ];
      return { files: [folder], points, leftOut };
    },
    abort,
  };
}

/** @throws UnderstoryError 'bad-input', details.reason 'exists' or 'is-folder'; 'io' where it cannot be read */
async function checkContents(folder: string, isReplacing: boolean): Promise<void> {
  const names = await naming(folder, () =>
    readdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      if (error.code === 'ENOTDIR') return null;
      throw error;
    }),
  );
  if (names === null) {
    const message = `'${folder}' is a file: name a folder`;
    throw new UnderstoryError('bad-input', message, { reason: 'exists', file: folder });
  }
  const other = names.find((name) => !contents.includes(name));
  if (other !== undefined) {
    const message = `the folder '${folder}' has other contents ('${other}'): name a new one`;
    throw new UnderstoryError('bad-input', message, { reason: 'is-folder', file: folder });
  }
  if (names.length === 0 || isReplacing) return;
  const existing = { bytes: 0, modifiedMs: 0 };
  const message = `there is '${folder}' already`;
  throw new UnderstoryError('bad-input', message, { reason: 'exists', file: folder, existing });
}

/** The points of a frame in the frame of its sensor, and their labels; `beyond`: points whose id did not fit. */
function packFrame(
  { x_m, y_m, z_m, intensity, class_id, object_id }: ReturnTable,
  rows: number,
  worldFromSensor: Rigid,
): { bin: Uint8Array; labels: Uint8Array; beyond: number } {
  if (!x_m || !y_m || !z_m) throw new TypeError('the table lacks the columns x_m, y_m and z_m');
  const bin = new DataView(new ArrayBuffer(16 * rows));
  const labels = new DataView(new ArrayBuffer(4 * rows));
  let count = 0;
  let beyond = 0;
  for (let row = 0; row < rows; row++) {
    const at = [x_m[row] ?? NaN, y_m[row] ?? NaN, z_m[row] ?? NaN] as const;
    if (Number.isNaN(at[0])) continue;
    for (const [axis, value] of toBody(worldFromSensor, at).entries()) {
      bin.setFloat32(16 * count + 4 * axis, value, true);
    }
    bin.setFloat32(16 * count + 12, intensity?.[row] ?? 0, true);
    const id = object_id?.[row] ?? 0;
    if (id > maxInstance) beyond += 1;
    const instance = id > maxInstance ? 0 : id;
    const label = class_id === undefined ? 0 : (class_id[row] ?? 0) + 1;
    labels.setUint32(4 * count, ((instance << 16) | label) >>> 0, true);
    count += 1;
  }
  return {
    bin: new Uint8Array(bin.buffer, 0, 16 * count),
    labels: new Uint8Array(labels.buffer, 0, 4 * count),
    beyond,
  };
}

/** As semantic-kitti-api reads it: names, colours (blue, green, red), and a training map that keeps every class. */
function labelMap(classes: readonly string[]): string {
  const labels = ['unlabeled', ...classes];
  const section = (name: string, value: (label: number) => string): string[] => [
    `${name}:`,
    ...labels.map((_, label) => `  ${label}: ${value(label)}`),
  ];
  return [
    ...section('labels', (label) => JSON.stringify(labels[label])),
    ...section('color_map', (label) => `[${colourOf(label).join(', ')}]`),
    ...section('learning_map', String),
    ...section('learning_map_inv', String),
    ...section('learning_ignore', (label) => String(label === 0)),
    'split:',
    '  train: [0]',
    '  valid: []',
    '  test: []',
    '',
  ].join('\n');
}

/** Labels in turn, far apart on the circle of hues; black for none. */
function colourOf(label: number): number[] {
  if (label === 0) return [0, 0, 0];
  const turn = (label * 0.618034) % 1;
  return [2 / 3, 1 / 3, 0].map((phase) =>
    Math.round(127.5 * (1 + Math.cos(2 * Math.PI * (turn - phase)))),
  );
}

function worldText(pose: Pose, [x, y, z]: readonly [number, number, number]): string {
  const { rotation, positionM } = rigidOf(pose);
  const world = [positionM[0] + x, positionM[1] + y, positionM[2] + z];
  return [0, 1, 2].flatMap((row) => [...(rotation[row] ?? []), world[row] ?? 0]).join(' ');
}
