// Trajectories as text, in the formats that other programs write: TUM, CSV with named columns, and the poses of KITTI.
// Text arrives in pieces of any length, so that a file of a million poses is never one string.
import type { Parsed } from '#contract/documents/problems.ts';
import type { trajectoryFormats } from '#contract/documents/trajectoryFile.ts';
import { radians } from '#domain/shared/numbers.ts';
import { quaternionOf, type Quaternion } from '#domain/shared/pose.ts';
import { repeatedName } from '#domain/shared/repeatedName.ts';
import { createTextLines } from '#domain/shared/textLines.ts';
import { poseOfCameraMatrix } from './cameraAxes.ts';
import { createPoseColumns, defaultMaxGapS, type PoseColumns } from './poseColumns.ts';
import type { Trajectory } from './trajectory.ts';

/** `trajectoryFormatOf` chooses one by the ending of a file's name. */
export type TrajectoryFormat = (typeof trajectoryFormats)[number];

/** A trajectory that was read. */
export interface TrajectoryOfText {
  /** Times from 0 on where the text counts from 1970, otherwise as written. */
  trajectory: Trajectory;
  /** Whole seconds that were subtracted from the times of the text: 0 where they are simulated time already. */
  epochS: number;
}

export interface TrajectoryTextOptions {
  format: TrajectoryFormat;
  /** Times of the poses of KITTI, in seconds, from its times.txt: the poses themselves have none. */
  timesS?: readonly number[] | undefined;
  /** Longest step between two poses in seconds; left out: defaultMaxGapS. A longer one is a gap, a problem. */
  maxGapS?: number | undefined;
}

/** Takes a text piece by piece. */
interface TrajectoryReader {
  take(piece: string): void;
  /** The trajectory, or the problems: the first of each kind, with the number of its line. */
  finish(): Parsed<TrajectoryOfText>;
}

/** Times from here on (11.6 days) count from 1970. */
const epochFromS = 1e6;

/** The format by a file's name: .tum or .txt are TUM, .csv is CSV; null: another name. */
export function trajectoryFormatOf(file: string): TrajectoryFormat | null {
  if (/\.(tum|txt)$/i.test(file)) return 'tum';
  return /\.csv$/i.test(file) ? 'csv' : null;
}

/**
 * Reads the lines of one text.
 *
 * - `tum`: time, x, y, z, qx, qy, qz, qw (seconds, metres, worldFromBody), separated by spaces; # begins a comment.
 * - `csv`: a line of names, then values. Time `time_s` or `time_ns`; `x_m`, `y_m`, `z_m`; `qx`, `qy`, `qz`, `qw`, or
 *   `roll_deg`, `pitch_deg`, `yaw_deg` (REP-103; roll and pitch may be left out). Other columns are ignored.
 * - `kitti`: the twelve numbers of a 3 × 4 matrix, row by row, in the camera's axes (x right, y down, z ahead), which
 *   become x ahead, y left, z up; times from `timesS`.
 */
export function trajectoryReader(options: TrajectoryTextOptions): TrajectoryReader {
  const poses = createPoseColumns(options.maxGapS ?? defaultMaxGapS);
  const takeContent = linesOf(options);
  const lines = createTextLines();
  let line = 0;
  const takeLine = (text: string): void => {
    line += 1;
    const content = text.trim();
    if (content !== '' && !content.startsWith('#')) takeContent(content, line, poses);
  };
  return {
    take: (piece) => {
      for (const text of lines.take(piece)) takeLine(text);
    },
    finish: () => {
      for (const text of lines.end()) takeLine(text);
      const { value, problems } = poses.finish();
      return value === null ? { value, problems } : { value: fromZero(value), problems: [] };
    },
  };
}

type Lines = (content: string, line: number, poses: PoseColumns) => void;

function linesOf({ format, timesS }: TrajectoryTextOptions): Lines {
  if (format === 'tum') return tumLine;
  return format === 'csv' ? csvLines() : kittiLines(timesS ?? []);
}

/** Times since 1970 less their first whole second, in place. */
function fromZero(trajectory: Trajectory): TrajectoryOfText {
  const { time_ns: times } = trajectory;
  const firstNs = times[0] ?? 0n;
  if (Number(firstNs) < epochFromS * 1e9) return { trajectory, epochS: 0 };
  const epochS = firstNs / 1_000_000_000n;
  const offsetNs = epochS * 1_000_000_000n;
  for (const [pose, timeNs] of times.entries()) times[pose] = timeNs - offsetNs;
  return { trajectory, epochS: Number(epochS) };
}

function tumLine(content: string, line: number, poses: PoseColumns): void {
  const words = content.split(/[\s,]+/);
  if (words.length !== 8) {
    const message = `expected 8 numbers (time, x, y, z, qx, qy, qz, qw), found ${words.length}`;
    poses.refuse(line, 'columns', message);
    return;
  }
  const [time = '', ...numbers] = words;
  const [x = NaN, y = NaN, z = NaN, qx = NaN, qy = NaN, qz = NaN, qw = NaN] = numbers.map(Number);
  poses.add(line, nanosecondsOf(time), { positionM: [x, y, z], rotation: [qx, qy, qz, qw] });
}

/** The first line names the columns. */
function csvLines(): Lines {
  let names: string[] | null = null;
  return (content, line, poses) => {
    const words = content.split(',').map((word) => word.trim());
    if (names === null) {
      names = words.map((word) => word.toLowerCase());
      checkNames(names, line, poses);
      return;
    }
    if (words.length !== names.length) {
      const message = `expected ${names.length} values, as many as names, found ${words.length}`;
      poses.refuse(line, 'columns', message);
      return;
    }
    const at = (name: string): string | undefined => words[names?.indexOf(name) ?? -1];
    const value = (name: string): number => numberOf(at(name));
    const timeS = at('time_s');
    poses.add(line, timeS === undefined ? wholeOf(at('time_ns')) : nanosecondsOf(timeS), {
      positionM: [value('x_m'), value('y_m'), value('z_m')],
      rotation: names.includes('qw')
        ? [value('qx'), value('qy'), value('qz'), value('qw')]
        : eulerRotation((name) => (names?.includes(name) === true ? value(name) : 0)),
    });
  };
}

function eulerRotation(angleDeg: (name: string) => number): Quaternion {
  return quaternionOf({
    yawRad: radians(angleDeg('yaw_deg')),
    pitchRad: radians(angleDeg('pitch_deg')),
    rollRad: radians(angleDeg('roll_deg')),
  });
}

const readNames: readonly string[] = [
  ...['time_s', 'time_ns', 'x_m', 'y_m', 'z_m', 'qx', 'qy', 'qz', 'qw'],
  ...['roll_deg', 'pitch_deg', 'yaw_deg'],
];

function checkNames(names: readonly string[], line: number, poses: PoseColumns): void {
  const twice = repeatedName(names, readNames);
  if (twice !== null) {
    poses.refuse(line, 'names', `expected one column named ${twice}, found several`);
    return;
  }
  const missing = ['x_m', 'y_m', 'z_m'].filter((name) => !names.includes(name));
  if (!names.includes('time_s') && !names.includes('time_ns')) missing.unshift('time_s');
  const hasQuaternion = ['qx', 'qy', 'qz', 'qw'].every((name) => names.includes(name));
  if (!hasQuaternion && !names.includes('yaw_deg')) missing.push('yaw_deg (or qx, qy, qz, qw)');
  if (missing.length === 0) return;
  const message = `expected columns named ${missing.join(', ')}, found ${names.join(', ')}`;
  poses.refuse(line, 'names', message);
}

/** Poses without times; the problem names the file that holds them. */
function kittiLines(timesS: readonly number[]): Lines {
  let pose = 0;
  return (content, line, poses) => {
    const matrix = content.split(/\s+/).map(Number);
    if (matrix.length !== 12) {
      const message = `expected 12 numbers (a 3 × 4 matrix), found ${matrix.length}`;
      poses.refuse(line, 'columns', message);
      return;
    }
    const timeS = timesS[pose];
    pose += 1;
    if (timeS === undefined) {
      const message = `expected a time for each pose in times.txt beside the file, found ${timesS.length}`;
      poses.refuse(line, 'times', message);
      return;
    }
    const found = poseOfCameraMatrix(matrix);
    if (found === null) {
      poses.refuse(line, 'not-a-rotation', 'expected a rotation in the first three columns');
      return;
    }
    poses.add(line, nanosecondsOf(String(timeS)), found);
  };
}

function numberOf(word: string | undefined): number {
  return word === undefined || word === '' ? NaN : Number(word);
}

/** Whole nanoseconds of a text in seconds, each digit counted: a double holds times since 1970 to 0.2 µs only. */
function nanosecondsOf(word: string): bigint | null {
  const decimal = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(word);
  if (decimal === null || `${decimal[2]}${decimal[3] ?? ''}` === '') {
    const seconds = numberOf(word);
    return Number.isFinite(seconds) && Math.abs(seconds) < 1e15
      ? BigInt(Math.round(seconds * 1e9))
      : null;
  }
  const [, sign, whole = '', fraction = ''] = decimal;
  const digits = `${fraction}0000000000`;
  const roundsUp = (digits[9] ?? '0') >= '5' ? 1n : 0n;
  const value = BigInt(whole || '0') * 1_000_000_000n + BigInt(digits.slice(0, 9)) + roundsUp;
  if (value > 2n ** 62n) return null;
  return sign === '-' ? -value : value;
}

function wholeOf(word: string | undefined): bigint | null {
  return word !== undefined && /^[+-]?\d{1,18}$/.test(word) ? BigInt(word) : null;
}
