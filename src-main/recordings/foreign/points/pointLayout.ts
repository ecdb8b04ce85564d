// A file of points as its format describes it: where rows are, and how their values are read. Each format declares
// itself in one file, and pointFile.ts lists it.
import { UnderstoryError } from '#contract/errors.ts';
import type { StatedSystem } from '#domain/shared/systemUnits.ts';
import type { RegularFile } from '#files/regularFile.ts';

/** Reads the value of a row that begins at `at`. */
export type Get = (view: DataView, at: number) => number;

/** Fields of the intensity of a point and of its class; the first that a file has counts. */
export const intensityNames = ['intensity', 'reflectivity', 'i'] as const;
export const classNames = ['classification', 'label', 'class_id', 'class'] as const;

/** Fields of the colour of a point, in the range of its file. */
export const colourNames = ['red', 'green', 'blue'] as const;

/** Rows of one layout in a file. */
export interface PointFile {
  points: number;
  /** As `rows` gives them. */
  rowBytes: number;
  /** All rows in turn, up to `maxRows` at a time. @throws UnderstoryError 'corrupt', 'io' */
  rows(file: RegularFile, maxRows: number): AsyncGenerator<RowPiece>;
  /** By the names that files give. */
  fields: ReadonlyMap<string, Get>;
  /** Names that several fields have; those are not read. */
  repeated: ReadonlySet<string>;
  /** Zero of the coordinates. */
  originM: [number, number, number];
  /** Coordinates are of the world, as those of LAS. */
  isWorld: boolean;
  /** World position that coordinates and beams count from, which a comment of ours gives. */
  frameM: [number, number, number];
  /** By class_id; of LAS by code. Empty: the file names none. */
  classes: string[];
  /** Names of those that are volumes; null: the file does not state them. */
  volumeClasses: string[] | null;
  /** The system of the world. Coordinates are in its units. */
  system: StatedSystem;
}

/** Rows that follow each other. */
export interface RowPiece {
  rows: number;
  view: DataView;
}

export interface PointFormat {
  /** As in '.pcd'. */
  endings: readonly string[];
  /** Reads the header. @throws UnderstoryError 'corrupt', 'bad-input' or 'unsupported' for layouts that are not read */
  open(file: RegularFile): Promise<PointFile>;
}

/** Signed, unsigned or floating-point. */
export type Letter = 'I' | 'U' | 'F';
/** `isLittle`: the byte order of the file. */
const numbers: Record<string, (view: DataView, at: number, isLittle: boolean) => number> = {
  I1: (view, at) => view.getInt8(at),
  U1: (view, at) => view.getUint8(at),
  I2: (view, at, isLittle) => view.getInt16(at, isLittle),
  U2: (view, at, isLittle) => view.getUint16(at, isLittle),
  I4: (view, at, isLittle) => view.getInt32(at, isLittle),
  U4: (view, at, isLittle) => view.getUint32(at, isLittle),
  I8: (view, at, isLittle) => Number(view.getBigInt64(at, isLittle)),
  U8: (view, at, isLittle) => Number(view.getBigUint64(at, isLittle)),
  F4: (view, at, isLittle) => view.getFloat32(at, isLittle),
  F8: (view, at, isLittle) => view.getFloat64(at, isLittle),
};

/** The getter of a type at an offset in the row; null: there is no such type. */
export function getterOf(
  letter: Letter,
  size: number,
  offset: number,
  isLittle = true,
): Get | null {
  const get = numbers[`${letter}${size}`];
  return get === undefined ? null : (view, at) => get(view, at + offset, isLittle);
}

/** Rows that lie in the file as they are, from byte `start` on. */
export function binaryRows(start: number, points: number, rowBytes: number): PointFile['rows'] {
  return async function* rows(file, maxRows) {
    for (let from = 0; from < points; from += maxRows) {
      const rows = Math.min(maxRows, points - from);
      const at = start + from * rowBytes;
      const bytes = await file.read(at, rows * rowBytes);
      if (bytes.length < rows * rowBytes) throw cutOff(file.path, at + bytes.length);
      yield { rows, view: new DataView(bytes.buffer) };
    }
  };
}

/** @throws UnderstoryError 'corrupt' for a file that ends before its rows do */
export function expectRows(file: RegularFile, end: number): void {
  if (end > file.stats.size) throw cutOff(file.path, file.stats.size);
}

function cutOff(path: string, byte: number): UnderstoryError {
  return damaged(path, 'it is shorter than its header says', byte);
}

/** The error for a file that is not what its ending says. @param byte where in the file */
export function damaged(file: string, reason: string, byte?: number): UnderstoryError {
  if (byte === undefined) {
    return new UnderstoryError('corrupt', `${file} is damaged: ${reason}`, { file });
  }
  const message = `${file} is damaged: ${reason} (byte ${byte})`;
  return new UnderstoryError('corrupt', message, { file, byte });
}
