// Arguments and options of commands: the field of a request that each states, and how its value is read from the text of
// a command line and written as such. Guarantees: what is written is read as the same value. Ranges are left to the
// schemas of the requests.
import type { z } from 'zod';
import { namedColumns } from '../columns.ts';
import type { poseDeg } from '../documents/quantities.ts';

/** Text that is not a value of its kind; the message says what was expected and what was found. */
export class ArgumentError extends Error {}

/**
 * The object that a text names. file: is read, seen from the working folder; document: the same, or the id of a sample;
 * campaign and source: a file, or a name; output: is written; target: is written by the host, which checks it.
 */
export type PathKind = 'file' | 'document' | 'campaign' | 'source' | 'output' | 'target';

/** Values of one kind as text. */
export interface ArgumentKind<V> {
  /** `before`: the value of earlier occurrences of the option. @throws ArgumentError */
  read(text: string, before?: V): V;
  /** One text for each occurrence. */
  write(value: V): string[];
  path?: PathKind;
}

/** An argument or an option. */
export interface CommandOption<F extends string = string, V = unknown> {
  /** Path in the request: 'seed', 'trajectory.file'; of several fields the values are a tuple: 'widthPx heightPx'. */
  field: F;
  /** As in the help: '--seed <n>', '--force', '<run>', '[model...]'. */
  flags: string;
  help?: string | undefined;
  kind: ArgumentKind<V>;
  /** The value of a switch, or of an option without its text. */
  bare?: V;
  choices?: readonly V[];
  /** Used where the option is left out; the help shows it as `defaultText`. */
  default?: V;
  defaultText?: string | undefined;
  isRequired?: true;
  /** The argument is '<names...>' and the request has one: the command makes a request for each. */
  isEach?: true;
  /** Another form of what a more general option states: is read, never written. */
  isAlias?: true;
  /** No field of the request: what the command does with the reply. */
  isOwn?: true;
}

export type Pose = z.input<typeof poseDeg>;
export type Vector = [number, number, number];
export type Box = [Vector, Vector];
/** Parameters by part and name. */
export type Parameters = Record<string, Record<string, number | boolean | string>>;

type Builder<V> = <const F extends string>(
  field: F,
  flags: string,
  help?: string,
) => CommandOption<F, V>;

function optionOf<V>(kind: ArgumentKind<V>): Builder<V> {
  return (field, flags, help) => ({ field, flags, help, kind });
}

function kindOf<V>(
  read: (text: string) => V,
  write: (value: V) => string = String,
): ArgumentKind<V> {
  return { read: (value) => read(value), write: (value) => [write(value)] };
}

function pathOf(path: PathKind): Builder<string> {
  return optionOf({ ...kindOf(String), path });
}

const repeated: ArgumentKind<string[]> = {
  read: (value, before = []) => [...before, value],
  write: (values) => values,
};

function switchOf<V>(bare: V) {
  const kind = kindOf(() => bare);
  return <const F extends string>(field: F, flags: string, help: string) => {
    const option: CommandOption<F, V> = { field, flags, help, kind, bare };
    return option;
  };
}

export const numberKind = kindOf(numberOf);
export const poseKind = kindOf(poseOf, ({ positionM, yawDeg, pitchDeg = 0 }) =>
  String([...positionM, yawDeg, pitchDeg]),
);
export const portKind = kindOf<number | true>(portOf);

export const text = optionOf(kindOf(String));
export const number = optionOf(numberKind);
export const list = optionOf(kindOf(listOf));
/** Names of return columns; sets of them become their columns. */
export const columns = optionOf(kindOf((names) => namedColumns(columnWordsOf(names))));
/** As columns, but sets stay sets. */
export const columnWords = optionOf(kindOf(columnWordsOf));
export const pose = optionOf(poseKind);
export const place = optionOf(kindOf(placeOf));
export const position = optionOf(kindOf(positionOf));
export const restingPose = optionOf(kindOf(restingPoseOf));
export const pair = optionOf(kindOf(pairOf));
/** 'x,y,z,length,width,height' with a yaw in degrees where it is turned. */
export const uprightBox = optionOf(
  kindOf(uprightBoxOf, ({ centreM, sizeM, yawDeg = 0 }) =>
    String([...centreM, ...sizeM, ...(yawDeg === 0 ? [] : [yawDeg])]),
  ),
);
export const box = optionOf<Box | 'vehicle'>(kindOf(cornersOf));
export const corners = optionOf(kindOf(cornersOf));
export const area = optionOf(kindOf(areaOf));
export const size = optionOf(kindOf(sizeOf, ([width, height]) => `${width}x${height}`));
export const part = optionOf(kindOf(partOf, ({ index, of }) => `${index}/${of}`));
/** A port of this machine; 0 is any free one. */
export const port = optionOf(portKind);
export const date = optionOf(kindOf(dateOf, dateText));
export const file = pathOf('file');
export const document = pathOf('document');
export const campaign = pathOf('campaign');
export const source = pathOf('source');
export const output = pathOf('output');
export const target = pathOf('target');
/** Repeated, or the values of '<names...>'. */
export const texts = optionOf(repeated);
export const files = optionOf({ ...repeated, path: 'file' as const });
/** The only one of a field that takes several. */
export const single = optionOf<string[]>({ read: (id) => [id], write: (ids) => ids });
/** 'name=value', repeated. */
export const pairs = optionOf<Record<string, string>>({
  read: (value, before = {}) => ({ ...before, ...namedOf(value) }),
  write: (values) => Object.entries(values).map(([name, value]) => `${name}=${value}`),
});
export const parameters = optionOf<Parameters>({ read: withParameter, write: parameterTexts });
export const voxel = optionOf(kindOf(voxelOf));
export const on = switchOf(true);
export const off = switchOf(false);
/** A switch that states a word. */
export const word = <const V extends string>(value: V) => switchOf(value);
/** --json. */
export const json = (help = 'print the result as JSON') => own(on('json', '--json', help));

/** One of several words. */
export function choice<const F extends string, const V extends string>(
  field: F,
  flags: string,
  help: string | undefined,
  choices: readonly V[],
): CommandOption<F, V> {
  return { field, flags, help, kind: kindOf((value) => value as V), choices };
}

export function required<O extends object>(option: O): O & { isRequired: true } {
  return { ...option, isRequired: true };
}

export function own<O extends object>(option: O): O & { isOwn: true } {
  return { ...option, isOwn: true };
}

export function each<O extends object>(option: O): O & { isEach: true } {
  return { ...option, isEach: true };
}

export function alias<O extends object>(option: O): O & { isAlias: true } {
  return { ...option, isAlias: true };
}

/** With the value where it is left out. */
export function withDefault<F extends string, V>(
  option: CommandOption<F, V>,
  value: NoInfer<V>,
  defaultText?: string,
): CommandOption<F, V> & { default: V } {
  return { ...option, default: value, defaultText };
}

/** The run of a command about one. */
export const run = text('runId', '<run>', 'id of a run, or the beginning of one');
export const settings = texts(
  'settings',
  '--set <path=value>',
  'a field of the scenario (scene.atmosphere.visibilityKm=0.5) or of the sensor (sensor.noise.rangeSigmaM=0) in place of its file; repeatable',
);

/** Any number that JavaScript can write. */
function numberOf(value: string): number {
  const read = coordinateOf(value);
  if (Number.isNaN(read)) throw new ArgumentError(`expected a number, found "${value}"`);
  return read;
}

/** 'a,b,c' without spaces and empty parts. */
function listOf(value: string): string[] {
  return value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
}

/** `class` is what CSV files call `class_id`. */
function columnWordsOf(value: string): string[] {
  return listOf(value).map((name) => (name === 'class' ? 'class_id' : name));
}

/** 'x,y,z,yaw' or 'x,y,z,yaw,pitch': metres and degrees. */
function poseOf(value: string): Pose {
  const values = value.split(',').map(coordinateOf);
  const [x = 0, y = 0, z = 0, yawDeg = 0, pitchDeg = 0] = values;
  if ((values.length !== 4 && values.length !== 5) || values.some(Number.isNaN)) {
    throw new ArgumentError(
      `expected "x,y,z,yaw_deg" or "x,y,z,yaw_deg,pitch_deg", five numbers at most, found "${value}"`,
    );
  }
  return { positionM: [x, y, z], yawDeg, pitchDeg };
}

/** 'x,y': metres. */
function placeOf(value: string): [number, number] {
  const [x, y, ...more] = value.split(',').map(coordinateOf);
  if (x === undefined || y === undefined || more.length > 0 || Number.isNaN(x + y)) {
    throw new ArgumentError(`expected "x,y" in metres, found "${value}"`);
  }
  return [x, y];
}

/** 'x,y,z': metres. */
function positionOf(value: string): Vector {
  const [x, y, z, ...more] = value.split(',').map(coordinateOf);
  const isWhole = x !== undefined && y !== undefined && z !== undefined && more.length === 0;
  if (!isWhole || Number.isNaN(x + y + z)) {
    throw new ArgumentError(`expected "x,y,z" in metres, found "${value}"`);
  }
  return [x, y, z];
}

/** A position, and a quaternion where there is one. */
type RestingPose = Vector | [...Vector, number, number, number, number];

function restingPoseOf(value: string): RestingPose {
  const numbers = value.split(',').map(coordinateOf);
  const isWhole = numbers.length === 3 || numbers.length === 7;
  if (isWhole && !numbers.some(Number.isNaN)) return numbers as RestingPose;
  throw new ArgumentError(`expected "x,y,z" or "x,y,z,qx,qy,qz,qw", found "${value}"`);
}

function pairOf(value: string): [number, number] {
  const [from, to, ...more] = value.split(',').map(Number);
  if (from === undefined || to === undefined || more.length > 0 || !Number.isFinite(from + to)) {
    throw new ArgumentError(`expected "from,to", found "${value}"`);
  }
  return [from, to];
}

function cornersOf(value: string): Box {
  const values = value.split(',').map(Number);
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = values;
  if (values.length !== 6 || !values.every(Number.isFinite)) {
    throw new ArgumentError(`expected "x,y,z,x,y,z", two corners in metres, found "${value}"`);
  }
  return [
    [a, b, c],
    [d, e, f],
  ];
}

function uprightBoxOf(value: string): { centreM: Vector; sizeM: Vector; yawDeg?: number } {
  const values = value.split(',').map(coordinateOf);
  const [x = 0, y = 0, z = 0, length = 0, width = 0, height = 0, yawDeg] = values;
  if ((values.length !== 6 && values.length !== 7) || values.some(Number.isNaN)) {
    throw new ArgumentError(
      `expected "x,y,z,length,width,height" or with "yaw_deg" after them, found "${value}"`,
    );
  }
  const sizeM: Vector = [length, width, height];
  return { centreM: [x, y, z], sizeM, ...(yawDeg !== undefined && { yawDeg }) };
}

function areaOf(value: string): [[number, number], [number, number]] {
  const values = value.split(',').map(coordinateOf);
  const [a = 0, b = 0, c = 0, d = 0] = values;
  if (values.length !== 4 || values.some(Number.isNaN)) {
    throw new ArgumentError(`expected "x,y,x,y", two corners in metres, found "${value}"`);
  }
  return [
    [a, b],
    [c, d],
  ];
}

/** '1280x720'. */
function sizeOf(value: string): [number, number] {
  const match = /^(\d+)x(\d+)$/i.exec(value);
  if (match === null) throw new ArgumentError(`expected a size like 1280x720, found "${value}"`);
  return [Number(match[1]), Number(match[2])];
}

/** 'k/n': the k-th of n parts. */
function partOf(value: string): { index: number; of: number } {
  const match = /^(\d+)\/(\d+)$/.exec(value);
  if (match === null) throw new ArgumentError(`expected a part like 2/3, found "${value}"`);
  return { index: Number(match[1]), of: Number(match[2]) };
}

function portOf(value: string): number {
  const read = coordinateOf(value);
  if (!Number.isInteger(read) || read < 0 || read > 65_535) {
    throw new ArgumentError(`expected a port from 0 to 65535, found "${value}"`);
  }
  return read;
}

/** '2026-11-20', local, or with a time; ms since 1970. */
function dateOf(value: string): number {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value);
  const timeMs = Date.parse(isDay ? `${value}T00:00` : value);
  if (Number.isNaN(timeMs)) {
    throw new ArgumentError(`expected a date such as 2026-11-20, found "${value}"`);
  }
  return timeMs;
}

/** The day where it is the start of one, local. */
function dateText(timeMs: number): string {
  const time = new Date(timeMs);
  const [year, month, day] = [time.getFullYear(), time.getMonth() + 1, time.getDate()];
  const text = [String(year).padStart(4, '0'), ...[month, day].map(twoDigits)].join('-');
  return dateOf(text) === timeMs ? text : time.toISOString();
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}

function namedOf(value: string): Record<string, string> {
  const at = value.lastIndexOf('=');
  if (at < 1 || at === value.length - 1) {
    throw new ArgumentError(`expected "name=value", found "${value}"`);
  }
  return { [value.slice(0, at)]: value.slice(at + 1) };
}

const parameterParts = ['volume', 'surface', 'classifier'];

/** 'part.name=value'; the host checks names and values. */
function withParameter(assigned: string, before: Parameters = {}): Parameters {
  const [, one, name, value] = /^(\w+)\.(\w+)=(.+)$/.exec(assigned) ?? [];
  if (
    one === undefined ||
    !parameterParts.includes(one) ||
    name === undefined ||
    value === undefined
  ) {
    throw new ArgumentError(`expected ${parameterParts.join('|')}.NAME=VALUE, found "${assigned}"`);
  }
  const words: Record<string, boolean> = { true: true, false: false };
  const read = Number(value);
  const typed = words[value] ?? (Number.isNaN(read) ? value : read);
  return { ...before, [one]: { ...before[one], [name]: typed } };
}

function parameterTexts(values: Parameters): string[] {
  return Object.entries(values).flatMap(([one, named]) =>
    Object.entries(named).map(([name, value]) => `${one}.${name}=${String(value)}`),
  );
}

/** An edge in metres, or the search for it. */
function voxelOf(value: string): { voxelM: number } | { choosesVoxel: true } {
  return value === 'auto' ? { choosesVoxel: true } : { voxelM: numberOf(value) };
}

function coordinateOf(value: string): number {
  return value.trim() === '' ? Number.NaN : Number(value);
}
