// A source of each kind of foreign recording, small and importable as it is.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { createExporters } from '#recordings/export/exporters.ts';
import { firedPulses, recipeOf, writePackets } from './firedPulses.ts';
import { sensorAt } from './firingSensors.ts';
import { odometry, velodyneCloud, writeBag, writeMcap } from './foreignFiles.ts';
import { identity } from './importTo.ts';
import { lazSampleFile, samplePoints, writeLas } from './lasFiles.ts';
import { type PointColumn, tumText, writeKitti, writePcd, writePly } from './pointFiles.ts';
import { lz4Frame, writeRos1Bag } from './ros1Files.ts';
import { beamsOfRoom, inSensor } from './room.ts';

export const beams = beamsOfRoom(1).filter(({ rangeM }) => Number.isFinite(rangeM));
const times = Array.from({ length: 12 }, (_, step) => step * 10_000_000);

/** A source, and the file of it that is damaged. */
export interface Source {
  source: string;
  file: string;
  options?: { trajectory: string };
}

export function pointColumns(): PointColumn[] {
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

/** Files of each kind that import as they are, in a folder. */
export const sourcesByKind: Record<string, (folder: string) => Promise<Source> | Source> = {
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
  bag: (folder) => {
    const poses = times.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
    const file = join(folder, 'x.bag');
    writeRos1Bag(file, [...poses, velodyneCloud(beams, 0)], {
      compression: { name: 'lz4', compress: lz4Frame },
    });
    return { source: file, file };
  },
  'mcap.zstd': async (folder) => {
    const poses = times.map((timeNs) => odometry(timeNs, sensorAt(timeNs)));
    const plain = join(folder, 'x.mcap');
    await writeMcap(plain, [...poses, velodyneCloud(beams, 0)]);
    const file = `${plain}.zstd`;
    writeFileSync(file, zstdCompressSync(readFileSync(plain)));
    rmSync(plain);
    return { source: file, file };
  },
  pcap: async (folder) => {
    const recipe = recipeOf('vlp-16');
    const file = join(folder, 'x.pcap');
    await writePackets(file, recipe, firedPulses(recipe, 0, 72));
    const trajectory = join(folder, 'poses.tum');
    writeFileSync(
      trajectory,
      tumText([-1e9, 1e9], () => identity),
    );
    return { source: file, file, options: { trajectory } };
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
  'compressed pcd': (folder) => {
    const file = join(folder, '0.pcd');
    writePcd(file, pointColumns(), true);
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
  laz: (folder) => {
    const file = join(folder, 'x.laz');
    copyFileSync(lazSampleFile({ name: 'format-8' }), file);
    const trajectory = join(folder, 'poses.tum');
    const { positionM, timeS } = samplePoints[0] ?? { positionM: [0, 0, 0], timeS: 0 };
    const [x, y, z] = positionM;
    const pose = { ...identity, positionM: [x, y, z + 100] as [number, number, number] };
    writeFileSync(
      trajectory,
      tumText([(timeS - 1) * 1e9, (timeS + 1) * 1e9], () => pose),
    );
    return { source: file, file, options: { trajectory } };
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
