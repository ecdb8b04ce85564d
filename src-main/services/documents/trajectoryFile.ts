// Reads the file of a trajectory, piece by piece: TUM, CSV, or KITTI with times.txt beside it.
import type { Parsed } from '#contract/documents/problems.ts';
import { trajectoryFormats } from '#contract/documents/trajectoryFile.ts';
import {
  trajectoryFormatOf,
  trajectoryReader,
  type TrajectoryFormat,
  type TrajectoryOfText,
} from '#domain/trajectory/trajectoryText.ts';
import type { Files } from '#services/ports/files.ts';
import { failed, problem, readPieces } from './documentFiles.ts';

interface TrajectoryFile {
  file: string;
  /** Left out: by the ending of the file's name. */
  format?: TrajectoryFormat | undefined;
  /** Longest step between two poses in seconds. */
  maxGapS?: number | undefined;
}

/** The trajectory, or every problem at the field `at`, with the file and the line in it. @throws 'cancelled' */
export async function readTrajectory(
  files: Files,
  { file, format = trajectoryFormatOf(file) ?? undefined, maxGapS }: TrajectoryFile,
  signal?: AbortSignal,
  at = 'trajectory.file',
): Promise<Parsed<TrajectoryOfText>> {
  if (format === undefined) {
    const message = `expected a name that ends in .tum, .txt or .csv, or one of the formats ${trajectoryFormats.join(', ')}, found '${file}'`;
    return failed([problem(at, message)]);
  }
  const timesS = format === 'kitti' ? await timesBeside(files, file, signal) : undefined;
  return readPieces(files, { file, at, signal }, trajectoryReader({ format, timesS, maxGapS }));
}

/** Numbers of times.txt in the same folder; none where it is missing, which the reader reports. */
async function timesBeside(files: Files, file: string, signal?: AbortSignal): Promise<number[]> {
  const name = files.resolveFrom(file, 'times.txt');
  if (!(await files.exists(name))) return [];
  const text = await files.readText(name, signal);
  return text.split(/\s+/).flatMap((word) => (word === '' ? [] : [Number(word)]));
}
