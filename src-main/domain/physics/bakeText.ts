// The file of baked physics: the poses of every body over time, as text. Format, version 1:
//
//   # understory bake 1
//   # scene HASH                                     SHA-256, hex, of what decides the poses (bakeHash.ts)
//   body,time_s,x_m,y_m,z_m,qx,qy,qz,qw              then a row for each pose, body by body, times rising
//
// A body is a motion of the scene. Its pose is that of its centre of mass in the world, with the rotation of its first
// instance; between two rows it moves straight and turns evenly. Rows in which a body is at rest are left out but for
// the first and the last of them.
import type { Parsed, Problem } from '#contract/documents/problems.ts';
import type { Pose } from '#contract/host/run.ts';
import { createTextLines } from '#domain/shared/textLines.ts';
import { createPoseColumns, type PoseColumns } from '#domain/trajectory/poseColumns.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';

/** The first line of a file of any version. */
export const bakeMark = '# understory bake ';
const version = 1;
const columns = 'body,time_s,x_m,y_m,z_m,qx,qy,qz,qw';

/** Time between two rows. */
export const bakeStepS = 0.01;

/** The poses of a body, step after step, as rows. */
export interface BakedRows {
  add(pose: Pose): void;
  /** The rows so far; nothing is added after that. */
  end(): { text: string; rows: number };
}

/** @param body a name of a motion */
export function createBakedRows(body: string): BakedRows {
  const lines: string[] = [];
  let step = 0;
  let written = '';
  // A row that was left out, because the one before is equal.
  let held: string | null = null;
  const line = (pose: string, at: number): string =>
    `${body},${(at * bakeStepS).toFixed(2)},${pose}\n`;
  return {
    add: ({ positionM, rotation }) => {
      const pose = [
        ...positionM.map((m) => m.toFixed(5)),
        ...rotation.map((part) => part.toFixed(7)),
      ].join(',');
      if (pose === written) {
        held = line(pose, step);
      } else {
        if (held !== null) lines.push(held);
        lines.push(line(pose, step));
        held = null;
        written = pose;
      }
      step += 1;
    },
    end: () => ({ text: lines.join(''), rows: lines.length }),
  };
}

/** The file of a scene with this hash. */
export function bakeText(sceneHash: string, bodies: readonly string[]): string {
  return `${bakeMark}${version}\n# scene ${sceneHash}\n${columns}\n${bodies.join('')}`;
}

export interface Bake {
  sceneHash: string;
  /** Poses in the world. */
  bodies: ReadonlyMap<string, Trajectory>;
}

export interface BakeReader {
  /** Takes the text piece by piece; false: the rest does not matter. */
  take(piece: string): boolean;
  /** The bake, or the problems: the first of each kind, with the number of its line. */
  finish(): Parsed<Bake>;
}

/** @param maxPoses of all bodies */
export function createBakeReader(maxPoses: number): BakeReader {
  const bodies = new Map<string, PoseColumns>();
  const problems: Problem[] = [];
  let sceneHash = '';
  const lines = createTextLines();
  let [line, poses] = [0, 0];

  const refuse = (message: string): void => {
    if (problems.length === 0) problems.push({ path: `line ${line}`, code: 'bake', message });
  };
  const takeHead = (text: string): void => {
    const found = `found '${text.slice(0, 80)}'`;
    if (line === 1) {
      if (!text.startsWith(bakeMark)) refuse(`expected '${bakeMark}${version}', ${found}`);
      else if (text !== `${bakeMark}${version}`) refuse(`expected version ${version}, ${found}`);
    } else if (line === 2) {
      sceneHash = /^# scene ([0-9a-f]{64})$/.exec(text)?.[1] ?? '';
      if (sceneHash === '') refuse(`expected '# scene' and a hash, ${found}`);
    } else if (text !== columns) {
      refuse(`expected the columns ${columns}, ${found}`);
    }
  };
  const takeRow = (text: string): void => {
    const words = text.split(',');
    const [body = '', ...values] = words;
    if (words.length !== 9) return refuse(`expected 9 values, found ${words.length}`);
    poses += 1;
    if (poses > maxPoses) return refuse(`expected at most ${maxPoses} poses`);
    const known = bodies.get(body) ?? createPoseColumns(Infinity);
    bodies.set(body, known);
    const [timeS = NaN, x = NaN, y = NaN, z = NaN, qx = NaN, qy = NaN, qz = NaN, qw = NaN] =
      values.map((value) => (value.trim() === '' ? NaN : Number(value)));
    const timeNs = Math.abs(timeS) < 1e9 ? BigInt(Math.round(timeS * 1e9)) : null;
    known.add(line, timeNs, { positionM: [x, y, z], rotation: [qx, qy, qz, qw] });
  };
  const takeLine = (text: string): void => {
    line += 1;
    if (line <= 3) takeHead(text);
    else if (text !== '') takeRow(text);
  };
  return {
    take: (piece) => {
      const ended = lines.take(piece);
      // Why bounded: a file without lines is no bake.
      if (lines.openLetters > 10_000) refuse('expected short lines');
      for (const text of ended) if (problems.length === 0) takeLine(text);
      return problems.length === 0;
    },
    finish: () => {
      for (const text of lines.end()) if (problems.length === 0) takeLine(text);
      if (problems.length === 0 && line < 3)
        refuse(`expected three lines of a head, found ${line}`);
      const found = [...bodies].map(([body, columnsOf]) => ({ body, ...columnsOf.finish() }));
      problems.push(...found.flatMap((one) => one.problems));
      if (problems.length > 0) return { value: null, problems };
      const read = found.flatMap(({ body, value }) => (value ? [[body, value] as const] : []));
      return { value: { sceneHash, bodies: new Map(read) }, problems: [] };
    },
  };
}
