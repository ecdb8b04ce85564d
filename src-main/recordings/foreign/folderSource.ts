// Clouds in files (PCD, PLY, LAS, LAZ) with the trajectory of their sensor. Clouds of PCD and PLY are in the sensor's
// frame, points of LAS and LAZ in the world, each with its own time. A cloud without times is at the time in the name of
// its file, or, where names are no times and there are as many poses as files, at that of its pose.
import { basename } from 'node:path';
import { badInput, throwIfCancelled } from '#contract/errors.ts';
import type {
  LogSourceReader,
  OpenOptions,
  SourceCloud,
  SourceTrajectory,
  TimeOptions,
} from '#services/ports/logSources.ts';
import { nsOfTimeUnit, type PointTimeField } from '#domain/shared/timeUnits.ts';
import { expectTimeField } from './pointTimes.ts';
import type { ForeignSource } from './foreignSource.ts';
import { isPointFile, openPointFile, readPoints, type PointRows } from './points/pointFile.ts';
import { classNames, intensityNames, type PointFile } from './points/pointLayout.ts';

const timeNames = ['time', 't', 'timestamp', 'gps_time', 'time_s', 'gpstime'];
/** The only one of LAS, whose Extra Bytes may have any of the others. */
const lasTimeNames = ['gps_time'];
const laserNames = ['ring', 'laser', 'channel'];

export const folderSource: ForeignSource = {
  detects: ({ names }) => names.some(isPointFile),
  open: ({ path, isFolder, names }, options) => {
    const files = names.filter(isPointFile);
    return openClouds(isFolder ? files.map((name) => `${path}/${name}`) : files, options);
  },
};

/** The files, in their order. @throws 'bad-input' without a trajectory */
async function openClouds(
  files: readonly string[],
  { trajectory, times, signal }: OpenOptions,
): Promise<LogSourceReader> {
  if (trajectory === null) {
    const message = 'expected the poses of the sensor (--trajectory), found none';
    throw badInput('trajectory', message, { title: 'the source has no poses' });
  }
  const [firstFile] = files;
  const first = firstFile === undefined ? null : await openPointFile(firstFile);
  if (first === null) throw badInput('source', 'expected files of points, found none');
  const hasOwnTimes = first.isWorld && timeFieldOf(first, times) !== null;
  expectTimeField(timeFieldOf(first, times), [...first.fields.keys()], times);
  const stampsNs = hasOwnTimes ? [] : stampsOf(files, trajectory);
  const [x0, y0, z0] = first.isWorld ? first.originM : [0, 0, 0];
  return {
    kind: 'folder',
    streams: [{ name: 'files', layout: 'files' }],
    baseNs: trajectory.baseNs,
    originM: [x0, y0, z0],
    system: first.system,
    classes: first.classes,
    volumeClasses: first.volumeClasses,
    poses: [
      {
        name: 'trajectory',
        kind: 'file',
        parent: 'world',
        child: 'sensor',
        isStatic: trajectory.isAtRest,
        timesNs: trajectory.timesNs,
        poses: trajectory.poses.map(({ positionM: [x, y, z], rotation }) => {
          return { positionM: [x - x0, y - y0, z - z0], rotation };
        }),
      },
    ],
    traits: { isWorld: first.isWorld, isCompensated: false, hasTimes: true, elevationsRad: null },
    notes: [],
    async *clouds(_stream, report) {
      for (const [sweep, file] of files.entries()) {
        throwIfCancelled(signal);
        const layout = await openPointFile(file);
        const isSameKind = layout.isWorld === first.isWorld;
        if (!isSameKind || (hasOwnTimes && timeFieldOf(layout, times) === null)) {
          throw badInput('source', `expected files of one kind, found '${basename(file)}'`);
        }
        if (JSON.stringify(layout.system) !== JSON.stringify(first.system)) {
          const message = `expected files of one coordinate reference system, found another in '${basename(file)}'`;
          throw badInput('source', message);
        }
        for await (const rows of readPoints(file, layout)) {
          throwIfCancelled(signal);
          const stampNs = stampsNs[sweep] ?? 0;
          yield withoutWithheld(
            cloudOf(rows, layout, first, { sweep, stampNs, times }, trajectory),
            rows,
          );
        }
        report(sweep + 1, files.length);
      }
    },
    close: () => Promise.resolve(),
  };
}

function cloudOf(
  rows: PointRows,
  layout: PointFile,
  first: PointFile,
  { sweep, stampNs, times: options }: { sweep: number; stampNs: number; times: TimeOptions },
  { baseNs }: SourceTrajectory,
): SourceCloud {
  const { originM, isWorld } = layout;
  const axis = (name: string, index: 0 | 1 | 2): Float64Array => {
    const values = rows.valuesOf(name) ?? new Float64Array(rows.points);
    const shiftM = isWorld ? originM[index] - first.originM[index] : 0;
    return shiftM === 0 ? values : values.map((m) => m + shiftM);
  };
  const [intensity, laser, classId] = [intensityNames, laserNames, classNames].map((names) =>
    rows.firstOf(names),
  );
  const timeField = timeFieldOf(layout, options);
  const times = timeField === null ? null : rows.valuesOf(timeField.name);
  const unitNs = nsOfTimeUnit[timeField?.unit ?? 's'];
  // Times below this count from the stamp of their cloud.
  const isSinceStamp = ((times?.[0] ?? 0) * unitNs) / 1e9 < 1000 && !isWorld;
  const fromNs = isSinceStamp ? stampNs : -Number(baseNs);
  return {
    sweep,
    stampNs,
    frameId: 'sensor',
    points: rows.points,
    xM: axis('x', 0),
    yM: axis('y', 1),
    zM: axis('z', 2),
    intensity: intensity ? Float32Array.from(intensity) : null,
    laser: laser ?? null,
    timeNs: times ? times.map((time) => time * unitNs + fromNs) : null,
    timeField,
    classId: classId ?? null,
    isOrganised: false,
  };
}

/** Seconds, unless the request says otherwise. Null: the points have no times. */
function timeFieldOf(
  { fields, isWorld }: PointFile,
  { field, unit = 's' }: TimeOptions,
): PointTimeField | null {
  const names = field === undefined ? (isWorld ? lasTimeNames : timeNames) : [field.toLowerCase()];
  const name = names.find((known) => fields.has(known));
  return name === undefined ? null : { name, unit };
}

/** Points of LAS that are flagged as withheld are none. */
function withoutWithheld(cloud: SourceCloud, rows: PointRows): SourceCloud {
  const withheld = rows.valuesOf('withheld');
  if (withheld?.includes(1) !== true) return cloud;
  for (const [row, flag] of withheld.entries()) if (flag === 1) cloud.xM[row] = NaN;
  return cloud;
}

/** By the names of the files; else pose by pose, or a second apart for a sensor at rest. @throws 'bad-input', with both spans where names are times */
function stampsOf(files: readonly string[], trajectory: SourceTrajectory): number[] {
  const { timesNs, baseNs, isAtRest } = trajectory;
  if (isAtRest)
    return files.map((file, index) => {
      const named = files.every(hasTimeName) ? timeOfName(basename(file), baseNs) : null;
      return named ?? index * 1e9;
    });
  const named = files.map((file) => timeOfName(basename(file), baseNs));
  const [firstNs = 0, lastNs = 0] = [timesNs[0], timesNs.at(-1)];
  const isTime = named.every((timeNs) => timeNs !== null && timeNs >= firstNs && timeNs <= lastNs);
  const areMany = timesNs.length === files.length;
  if (isTime && (!areMany || files.every(hasTimeName))) return named.map((timeNs) => timeNs ?? 0);
  if (areMany) return [...timesNs];
  if (files.every(hasTimeName)) {
    const namedNs = named.map((timeNs) => timeNs ?? 0);
    const span = (fromNs: number, toNs: number): string =>
      `${secondsText(baseNs, fromNs)} to ${secondsText(baseNs, toNs)} s`;
    const ofFiles = span(
      namedNs.reduce((least, ns) => Math.min(least, ns), Infinity),
      namedNs.reduce((most, ns) => Math.max(most, ns), -Infinity),
    );
    const message = `expected poses for the times of the files, ${ofFiles}, found poses from ${span(firstNs, lastNs)}`;
    throw badInput('trajectory', message, { title: 'the poses do not cover the log' });
  }
  const message = `expected files named by their times, or as many poses as ${files.length} files, found ${timesNs.length} poses`;
  throw badInput('trajectory', message, { title: 'the poses do not cover the log' });
}

/** A count of files has neither so many digits nor a fraction. */
function hasTimeName(file: string): boolean {
  return /(\d{9,}|\d+\.\d+)\.\w+$/.test(basename(file));
}

function secondsText(baseNs: bigint, sinceNs: number): string {
  const milliseconds = (baseNs + BigInt(Math.round(sinceNs))) / 1_000_000n;
  const rest = String(milliseconds % 1000n).padStart(3, '0');
  return `${milliseconds / 1000n}.${rest}`;
}

/** Seconds, or nanoseconds where there are so many digits. Null: the name has no number. */
function timeOfName(name: string, baseNs: bigint): number | null {
  const digits = /(\d+)(?:\.(\d+))?\.\w+$/.exec(name);
  if (digits === null) return null;
  const [, whole = '', fraction = ''] = digits;
  if (whole.length > 15) return Number(BigInt(whole) - baseNs);
  const ns = BigInt(whole) * 1_000_000_000n + BigInt(`${fraction}000000000`.slice(0, 9));
  return Number(ns - baseNs);
}
