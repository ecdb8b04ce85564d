// Collects the poses of a trajectory, one after another, in columns that grow. Guarantee: what it holds strictly
// increases in time and consists of rigid motions; everything else becomes a problem, the first of each kind.
import type { Columns } from '#contract/columns.ts';
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { Pose } from '#contract/host/run.ts';
import type { Trajectory } from './trajectory.ts';

/** Poses of one hertz, with some play. */
export const defaultMaxGapS = 2;
/** Most poses of one trajectory: its columns travel to the worker in one frame. */
const maxPoses = 4_000_000;

export interface PoseColumns {
  readonly count: number;
  /** Appends a pose; null: its time cannot be read. `line` is for problems. */
  add(line: number, timeNs: bigint | null, pose: Pose): void;
  /** A problem; later ones of the same code are dropped: a file in other units is wrong on every line. */
  refuse(line: number | null, code: string, message: string): void;
  /** The poses, or every problem. Called once. */
  finish(): Parsed<Trajectory>;
}

/** @param maxGapS a longer step between two poses is a gap, a problem */
export function createPoseColumns(maxGapS: number): PoseColumns {
  let count = 0;
  let timesNs = new BigInt64Array(1024);
  // x, y, z, qx, qy, qz, qw.
  let parts = Array.from({ length: 7 }, () => new Float64Array(1024));
  const problems = new Map<string, Problem>();

  function refuse(line: number | null, code: string, message: string): void {
    if (problems.has(code)) return;
    problems.set(code, { path: line === null ? '(file)' : `line ${line}`, code, message });
  }

  function grow(): void {
    const longer = 2 * timesNs.length;
    const times = new BigInt64Array(longer);
    times.set(timesNs);
    timesNs = times;
    parts = parts.map((part) => {
      const grown = new Float64Array(longer);
      grown.set(part);
      return grown;
    });
  }

  /** Whether a time may follow the last one. */
  function isNext(line: number, timeNs: bigint): boolean {
    if (count === 0) return true;
    const beforeNs = timesNs[count - 1] ?? 0n;
    if (timeNs <= beforeNs) {
      const code = timeNs === beforeNs ? 'equal-times' : 'decreasing-times';
      const found = `(${secondsText(beforeNs)} s), found ${secondsText(timeNs)} s`;
      refuse(line, code, `expected a time after that of the pose before ${found}`);
      return false;
    }
    const stepS = Number(timeNs - beforeNs) / 1e9;
    if (stepS > maxGapS) {
      const found = `found a gap of ${shortText(stepS)} s`;
      refuse(line, 'gap', `expected at most ${shortText(maxGapS)} s between two poses, ${found}`);
    }
    return true;
  }

  function add(line: number, timeNs: bigint | null, { positionM, rotation }: Pose): void {
    if (timeNs === null || ![...positionM, ...rotation].every(Number.isFinite)) {
      return refuse(line, 'not-a-number', 'expected numbers only');
    }
    if (count >= maxPoses) return refuse(line, 'too-many', `expected at most ${maxPoses} poses`);
    const norm = Math.hypot(...rotation);
    if (Math.abs(norm - 1) > 1e-3) {
      const found = `found a length of ${norm.toPrecision(6)}`;
      const message = `expected a unit quaternion (length 1 within 0.001), ${found}`;
      return refuse(line, 'not-a-rotation', message);
    }
    if (!isNext(line, timeNs)) return;
    if (count === timesNs.length) grow();
    timesNs[count] = timeNs;
    const values = [...positionM, ...rotation.map((q) => q / norm)];
    for (const [part, column] of parts.entries()) column[count] = values[part] ?? 0;
    count += 1;
  }

  function finish(): Parsed<Trajectory> {
    if (count === 0 && problems.size === 0) {
      refuse(null, 'no-poses', 'expected at least one pose, found none');
    }
    if (problems.size > 0) return { value: null, problems: [...problems.values()] };
    const [x_m, y_m, z_m, qx, qy, qz, qw] = parts.map((part) => part.subarray(0, count));
    const empty = new Float64Array();
    const value = {
      time_ns: timesNs.subarray(0, count),
      x_m: x_m ?? empty,
      y_m: y_m ?? empty,
      z_m: z_m ?? empty,
      qx: qx ?? empty,
      qy: qy ?? empty,
      qz: qz ?? empty,
      qw: qw ?? empty,
    };
    return { value, problems: [] };
  }

  return {
    get count() {
      return count;
    },
    add,
    refuse,
    finish,
  };
}

/**
 * The trajectory in columns from elsewhere: time_ns i64; x_m, y_m, z_m, qx, qy, qz, qw f64, as many of each.
 * Problems are those of createPoseColumns, at `poses[row]`.
 */
export function posesOfColumns(columns: Columns, maxGapS = defaultMaxGapS): Parsed<Trajectory> {
  const { time_ns: timesNs } = columns;
  const parts = partNames.map((name) => columns[name]);
  const refused = (message: string): Parsed<Trajectory> => {
    return { value: null, problems: [{ path: 'poses', code: 'columns', message }] };
  };
  if (!(timesNs instanceof BigInt64Array)) return refused('expected a column time_ns of type i64');
  for (const [at, part] of parts.entries()) {
    if (part instanceof Float64Array && part.length === timesNs.length) continue;
    return refused(`expected a column ${partNames[at]} of type f64 with ${timesNs.length} values`);
  }
  const poses = createPoseColumns(maxGapS);
  for (const [row, timeNs] of timesNs.entries()) {
    const [x = NaN, y = NaN, z = NaN, qx = NaN, qy = NaN, qz = NaN, qw = NaN] = parts.map(
      (part) => part?.[row] as number,
    );
    poses.add(row, timeNs, { positionM: [x, y, z], rotation: [qx, qy, qz, qw] });
  }
  const { value, problems } = poses.finish();
  if (value !== null) return { value, problems: [] };
  const named = problems.map(({ path, ...rest }) => {
    return { ...rest, path: path.replace(/^line (\d+)$/, 'poses[$1]').replace('(file)', 'poses') };
  });
  return { value: null, problems: named };
}

const partNames = ['x_m', 'y_m', 'z_m', 'qx', 'qy', 'qz', 'qw'];

function shortText(seconds: number): string {
  return String(Number(seconds.toPrecision(6)));
}

function secondsText(timeNs: bigint): string {
  return shortText(Number(timeNs) / 1e9);
}
