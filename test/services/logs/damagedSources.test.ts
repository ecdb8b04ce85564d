// Sources that were cut off, or hold something else: each is refused in one sentence, and no log is left.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Pose } from '#contract/host/run.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { aFromB } from '#domain/shared/pose.ts';
import { createExporters } from '#recordings/export/exporters.ts';
import { temporaryFolder } from '#test/recordings/temporary.ts';
import { seededRandom } from '#test/recordings/samples.ts';
import { sensorAt } from './firingSensors.ts';
import { odometry, velodyneCloud, writeBag, writeMcap } from './foreignFiles.ts';
import { identity, importTo, refusal } from './imported.ts';
import {
  type PointColumn,
  tumText,
  writeKitti,
  writeLas,
  writePcd,
  writePly,
} from './pointFiles.ts';
import { beamsOfRoom, inSensor } from './room.ts';

const beams = beamsOfRoom(1).filter(({ rangeM }) => Number.isFinite(rangeM));
const times = Array.from({ length: 12 }, (_, step) => step * 10_000_000);

/** A source, and the file of it that is damaged. */
interface Source {
  source: string;
  file: string;
  options?: { trajectory: string };
}

function pointColumns(): PointColumn[] {
  const axis = (at: 0 | 1 | 2): number[] => beams.map((beam) => inSensor(beam)[at]);
  return [
    ['x', 'f4', axis(0)],
    ['y', 'f4', axis(1)],
    ['z', 'f4', axis(2)],
    ['time', 'f4', beams.map(({ timeNs }) => timeNs / 1e9)],
  ];
}

function withTrajectory(folder: string, file: string): Source {
  const trajectory = join(folder, 'poses.tum');
  writeFileSync(trajectory, tumText([0, ...times.slice(1)], sensorAt));
  return { source: file, file, options: { trajectory } };
}

/** Files of each kind that import as they are. */
const kinds: Record<string, (folder: string) => Promise<Source> | Source> = {
  mcap: async (folder) => {
    const file = join(folder, 'x.mcap');
    const poses = times.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
    await writeMcap(file, [...poses, velodyneCloud(beams, 0)]);
    return { source: file, file };
  },
  db3: (folder) => {
    const poses = times.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
    const file = writeBag(join(folder, 'bag'), [...poses, velodyneCloud(beams, 0)]);
    return { source: file, file };
  },
  kitti: (folder) => {
    const points = beams.map((beam) => {
      return [...inSensor(beam), 0.5] as [number, number, number, number];
    });
    writeKitti(folder, [identity], [points], [0]);
    return { source: folder, file: join(folder, 'velodyne', '000000.bin') };
  },
  pcd: (folder) => {
    const file = join(folder, '0.pcd');
    writePcd(file, pointColumns());
    return withTrajectory(folder, file);
  },
  ply: (folder) => {
    const file = join(folder, '0.ply');
    writePly(file, pointColumns());
    return withTrajectory(folder, file);
  },
  las: (folder) => {
    const file = join(folder, 'x.las');
    const points = beams.map(({ origin, direction, rangeM, timeNs }) => {
      const [x = 0, y = 0, z = 0] = origin.map((m, axis) => m + rangeM * (direction[axis] ?? 0));
      return {
        positionM: [x, y, z] as const,
        timeS: timeNs / 1e9,
        intensity: 1,
        classification: 2,
      };
    });
    writeLas(file, points, [0, 0, 0]);
    return withTrajectory(folder, file);
  },
  csv: (folder) => {
    const file = join(folder, 'x.csv');
    const lines = beams.map(({ timeNs, origin, direction, rangeM, laser }) =>
      [timeNs, ...origin, ...direction, rangeM, laser].join(','),
    );
    const head =
      'time_ns,origin_x_m,origin_y_m,origin_z_m,direction_x,direction_y,direction_z,range_m,laser';
    writeFileSync(file, [head, ...lines, ''].join('\n'));
    return { source: file, file };
  },
  npz: async (folder) => {
    const file = join(folder, 'x.npz');
    const column = (of: (beam: (typeof beams)[number]) => number): Float32Array<ArrayBuffer> =>
      Float32Array.from(beams, of);
    const table = {
      time_ns: BigInt64Array.from(beams, ({ timeNs }) => BigInt(timeNs)),
      range_m: column(({ rangeM }) => rangeM),
      beam_origin_x_m: column(({ origin }) => origin[0]),
      beam_origin_y_m: column(({ origin }) => origin[1]),
      beam_origin_z_m: column(({ origin }) => origin[2]),
      beam_direction_x: column(({ direction }) => direction[0]),
      beam_direction_y: column(({ direction }) => direction[1]),
      beam_direction_z: column(({ direction }) => direction[2]),
    };
    const exporter = await createExporters({ dataFolder: null }).create(file, {
      format: 'npz',
      columns: Object.keys(table) as (keyof typeof table)[],
      classes: [],
      isReplacing: false,
    });
    await exporter.write(table, beams.length);
    await exporter.close();
    return { source: file, file };
  },
};

/** The message of an import that fails; null: it does not. */
async function failureOf({ source, options }: Source): Promise<string | null> {
  const out = join(temporaryFolder(), 'x.log');
  try {
    await importTo(out, source, options);
    return null;
  } catch (error) {
    expect(error).toBeInstanceOf(UnderstoryError);
    const { code, message } = error as UnderstoryError;
    expect(code, message).toMatch(/^(corrupt|bad-input|unsupported)$/);
    expect(message).not.toContain('\n');
    expect(existsSync(out)).toBe(false);
    return message;
  }
}

/** Outcomes of importing a source of that kind, damaged in each of these ways. */
async function damagedBy(
  kind: string,
  ...damages: ((whole: Buffer) => Uint8Array)[]
): Promise<(string | null)[]> {
  const folder = join(temporaryFolder(), '00');
  mkdirSync(folder);
  const made = await kinds[kind]?.(folder);
  if (made === undefined) throw new Error(`there is no ${kind}`);
  const whole = readFileSync(made.file);
  const messages: (string | null)[] = [];
  for (const damage of damages) {
    writeFileSync(made.file, damage(Buffer.from(whole)));
    messages.push(await failureOf(made));
  }
  return messages;
}

describe.each(Object.keys(kinds))('a source of %s', (kind) => {
  it('imports as it is, and is refused where it ends early or is junk', async () => {
    const cut =
      (share: number) =>
      (whole: Buffer): Buffer => {
        const bytes = share >= 1 || share === 0 ? share : Math.floor(share * whole.length);
        // Cells that are cut short, and points that are missing whole, cannot be told in text and in KITTI's rows.
        if (kind === 'csv' && bytes > 100) return whole.subarray(0, whole.indexOf(',', bytes));
        return whole.subarray(0, kind === 'kitti' && bytes > 0 ? bytes - (bytes % 16) + 3 : bytes);
      };
    const random = seededRandom(4);
    const junk = (): Buffer => Buffer.from(Array.from({ length: 999 }, () => 256 * random()));
    const [whole, ...damaged] = await damagedBy(
      kind,
      (bytes) => bytes,
      ...[0, 5, 0.1, 0.5, 0.9].map(cut),
      junk,
    );
    expect(whole).toBeNull();
    expect(damaged).toHaveLength(6);
    expect(damaged).not.toContain(null);
  });

  it('gives a log or one sentence, whichever bytes are changed', async () => {
    const random = seededRandom(9);
    const flip =
      (isInHead: boolean) =>
      (bytes: Buffer): Buffer => {
        const at = Math.floor(random() * Math.min(isInHead ? 600 : Infinity, bytes.length));
        bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(8 * random()));
        return bytes;
      };
    await damagedBy(kind, ...Array.from({ length: 12 }, (_, time) => flip(time % 2 === 0)));
  });
});

describe('a trajectory', () => {
  it.each([
    ['no numbers', 'a b c d e f g h\n'],
    ['a NaN', '0 0 0 0 0 0 0 1\n1 NaN 0 0 0 0 0 1\n'],
    ['no rotation', '0 0 0 0 0 0 0 0\n1 0 0 0 0 0 0 0\n'],
    ['nothing', ''],
  ])('with %s is refused by its file and line', async (_, text) => {
    const folder = temporaryFolder();
    const file = join(folder, '0.pcd');
    writePcd(file, pointColumns());
    const trajectory = join(folder, 'poses.tum');
    writeFileSync(trajectory, text);
    expect(await refusal(file, { trajectory })).toMatchObject({
      code: 'bad-input',
      problems: [{ message: expect.stringContaining('poses.tum') as string }],
    });
  });

  it('is asked for where clouds have no poses, and must cover them', async () => {
    const folder = temporaryFolder();
    const file = join(folder, '0.pcd');
    writePcd(file, pointColumns());
    expect(await refusal(file)).toMatchObject({ title: 'the source has no poses' });
    const trajectory = join(folder, 'poses.tum');
    writeFileSync(trajectory, tumText([5e9, 6e9], sensorAt));
    expect(await refusal(file, { trajectory })).toMatchObject({
      code: 'bad-input',
      title: 'the poses do not cover the log',
    });
  });
});

describe('a sequence of KITTI', () => {
  const points = beams.map((beam) => [...inSensor(beam), 0] as [number, number, number, number]);
  const still: Pose = identity;

  it.each([
    ['no poses', 'poses.txt', null, 'the source has no poses'],
    [
      'fewer poses than frames',
      'poses.txt',
      '1 0 0 0 0 1 0 0 0 0 1 0\n',
      'the poses do not cover the log',
    ],
    ['NaN in a pose', 'poses.txt', `${'NaN '.repeat(12)}\n`, null],
    ['fewer times than frames', 'times.txt', '0\n', null],
    ['no calibration in its file', 'calib.txt', 'P0: 1 2 3\n', null],
  ])('with %s is refused', async (_, name, text, title) => {
    const folder = join(temporaryFolder(), '00');
    writeKitti(folder, [still, still], [points, points], [0, 0.1]);
    const file = join(folder, name);
    if (text === null) rmSync(file);
    else writeFileSync(file, text);
    const refused = await refusal(folder);
    expect(refused).toMatchObject({ code: 'bad-input', ...(title !== null && { title }) });
  });

  it('with the poses of the world in the sensor is refused by the cells that its clouds fill', async () => {
    const timesS = Array.from({ length: 12 }, (_, frame) => frame / 10);
    const poses = timesS.map((timeS) => sensorAt(timeS * 1e9));
    const frames = timesS.map((timeS) =>
      beamsOfRoom(1, () => sensorAt(timeS * 1e9))
        .filter(({ rangeM }) => Number.isFinite(rangeM))
        .map((beam) => [...inSensor(beam), 0] as [number, number, number, number]),
    );
    const folder = join(temporaryFolder(), '00');
    writeKitti(
      folder,
      poses.map((pose) => aFromB(pose, identity)),
      frames,
      timesS,
    );
    expect(await refusal(folder)).toMatchObject({ title: 'the frames of the poses are swapped' });
    writeKitti(folder, poses, frames, timesS);
    expect(await refusal(folder)).toBeNull();
  });
});
