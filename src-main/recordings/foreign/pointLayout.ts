// Layout from the headers of PCD, PLY and LAS files: where rows are, and how their values are read.
import { UnderstoryError } from '#contract/errors.ts';

/** Reads the value of a row that begins at `at`. */
export type Get = (view: DataView, at: number) => number;

/** Rows of one layout in a file. */
export interface PointFile {
  points: number;
  /** Where the first row is; rows of `rowBytes` follow each other. */
  start: number;
  rowBytes: number;
  /** Rows are lines of text; the fields read them as if each number were a double. */
  isText?: boolean;
  /** By the names that files give. */
  fields: ReadonlyMap<string, Get>;
  /** Zero of the coordinates. */
  originM: [number, number, number];
  /** Coordinates are of the world, as those of LAS. */
  isWorld: boolean;
  /** World position that coordinates and beams count from, which a comment of ours gives. */
  frameM: [number, number, number];
  /** By class_id; of LAS by code. Empty: the file names none. */
  classes: string[];
  /** Coordinate system of the world as well-known text; null: none is stated. */
  crs: string | null;
}

/** Signed, unsigned or floating-point. */
export type Letter = 'I' | 'U' | 'F';
const numbers: Record<string, Get> = {
  I1: (view, at) => view.getInt8(at),
  U1: (view, at) => view.getUint8(at),
  I2: (view, at) => view.getInt16(at, true),
  U2: (view, at) => view.getUint16(at, true),
  I4: (view, at) => view.getInt32(at, true),
  U4: (view, at) => view.getUint32(at, true),
  I8: (view, at) => Number(view.getBigInt64(at, true)),
  U8: (view, at) => Number(view.getBigUint64(at, true)),
  F4: (view, at) => view.getFloat32(at, true),
  F8: (view, at) => view.getFloat64(at, true),
};

/** The getter of a type at an offset in the row; null: there is no such type. */
export function getterOf(letter: Letter, size: number, offset: number): Get | null {
  const get = numbers[`${letter}${size}`];
  return get === undefined ? null : (view, at) => get(view, at + offset);
}

/** The error for a file that is not what its ending says. */
export function damaged(file: string, reason: string): UnderstoryError {
  return new UnderstoryError('corrupt', `${file} is damaged: ${reason}`, { file });
}
