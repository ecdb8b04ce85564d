// Values of options: text from a command line to numbers, poses and sizes, refused with what was expected.
// Ranges are left to the contract's schemas, which every front end uses.
import { InvalidArgumentError } from 'commander';
import { namedColumns } from '#contract/columns.ts';

export interface PoseDeg {
  positionM: [number, number, number];
  yawDeg: number;
  pitchDeg: number;
}

/** 'x,y,z,yaw' or 'x,y,z,yaw,pitch': metres and degrees. */
export function parsePose(text: string): PoseDeg {
  const values = text.split(',').map(numberOf);
  const [x, y, z, yawDeg, pitchDeg = 0] = values;
  const isWhole = values.length === 4 || values.length === 5;
  if (!isWhole || values.some(Number.isNaN)) {
    throw new InvalidArgumentError(
      `expected "x,y,z,yaw_deg" or "x,y,z,yaw_deg,pitch_deg", five numbers at most, found "${text}"`,
    );
  }
  return { positionM: [x ?? 0, y ?? 0, z ?? 0], yawDeg: yawDeg ?? 0, pitchDeg };
}

/** 'x,y': metres. */
export function parsePlace(text: string): [number, number] {
  const [x, y, ...more] = text.split(',').map(numberOf);
  if (x === undefined || y === undefined || more.length > 0 || Number.isNaN(x + y)) {
    throw new InvalidArgumentError(`expected "x,y" in metres, found "${text}"`);
  }
  return [x, y];
}

/** 'x,y,z': metres. */
export function parsePosition(text: string): [number, number, number] {
  const [x, y, z, ...more] = text.split(',').map(numberOf);
  const isWhole = x !== undefined && y !== undefined && z !== undefined && more.length === 0;
  if (!isWhole || Number.isNaN(x + y + z)) {
    throw new InvalidArgumentError(`expected "x,y,z" in metres, found "${text}"`);
  }
  return [x, y, z];
}

/** '1,2': numbers. */
export function parseNumbers(text: string): number[] {
  const values = text.split(',').map(numberOf);
  if (!values.some(Number.isNaN)) return values;
  throw new InvalidArgumentError(`expected numbers like 1,2, found "${text}"`);
}

/** 'k/n': the k-th of n parts. */
export function parsePart(text: string): { index: number; of: number } {
  const match = /^(\d+)\/(\d+)$/.exec(text);
  if (match === null) {
    throw new InvalidArgumentError(`expected a part like 2/3, found "${text}"`);
  }
  return { index: Number(match[1]), of: Number(match[2]) };
}

/** '1280x720'. */
export function parseSize(text: string): { widthPx: number; heightPx: number } {
  const match = /^(\d+)x(\d+)$/i.exec(text);
  if (match === null) {
    throw new InvalidArgumentError(`expected a size like 1280x720, found "${text}"`);
  }
  return { widthPx: Number(match[1]), heightPx: Number(match[2]) };
}

/** Names of return columns or of sets of them; `class` is what CSV files call `class_id`. */
export function parseColumns(text: string): string[] {
  return namedColumns(parseColumnWords(text));
}

/** As parseColumns, but sets stay sets. */
export function parseColumnWords(text: string): string[] {
  return parseList(text).map((name) => (name === 'class' ? 'class_id' : name));
}

/** Any number that JavaScript can write. */
export function parseNumber(text: string): number {
  const value = numberOf(text);
  if (Number.isNaN(value)) throw new InvalidArgumentError(`expected a number, found "${text}"`);
  return value;
}

/** A port of this machine; 0 is any free one. */
export function parsePort(text: string): number {
  const value = numberOf(text);
  if (!Number.isInteger(value) || value < 0 || value > 65_535) {
    throw new InvalidArgumentError(`expected a port from 0 to 65535, found "${text}"`);
  }
  return value;
}

/** 'a,b,c' without spaces and empty parts. */
export function parseList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text);
}
