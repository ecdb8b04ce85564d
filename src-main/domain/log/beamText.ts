// Beams as CSV: a line of names, then a line for each beam. Names are those of logs and of exported scans. Text arrives
// in pieces of any length; a table of beams is emitted every n lines.
import {
  beamLabels,
  type LogReturn,
  beamStates,
  isLogRange,
  isMissRange,
  type LogColumnName,
  type LogTable,
  type OptionalLogColumn,
  unknownLaser,
} from '#contract/log/log.ts';
import { repeatedName } from '#domain/shared/repeatedName.ts';
import { createTextLines } from '#domain/shared/textLines.ts';
import { createOriginLimit, expectedOf, isLogTime, rangeLimits, timeLimits } from './beamLimits.ts';
import { beamTable } from './beamTable.ts';
import { createSweepCounter } from './sweepCounter.ts';

/** Names of each value; the first that a file has counts. */
const names = {
  timeNs: ['time_ns'],
  timeS: ['time_s', 'time', 'timestamp'],
  originX: ['origin_x_m', 'beam_origin_x_m', 'origin_x'],
  originY: ['origin_y_m', 'beam_origin_y_m', 'origin_y'],
  originZ: ['origin_z_m', 'beam_origin_z_m', 'origin_z'],
  directionX: ['direction_x', 'beam_direction_x'],
  directionY: ['direction_y', 'beam_direction_y'],
  directionZ: ['direction_z', 'beam_direction_z'],
  x: ['x_m', 'x'],
  y: ['y_m', 'y'],
  z: ['z_m', 'z'],
  range: ['range_m', 'range'],
  intensity: ['intensity'],
  laser: ['laser', 'ring'],
  state: ['state'],
  returnNo: ['return_no'],
  sweep: ['sweep'],
  azimuth: ['azimuth_rad'],
  pulse: ['pulse'],
  label: ['label'],
  classId: ['class_id'],
  className: ['class'],
  objectId: ['object_id'],
  trueRange: ['true_range_m'],
} as const;
type Value = keyof typeof names;
/** Where each value is in a line. */
type Columns = Partial<Record<Value, number>>;
const readNames: readonly string[] = Object.values(names).flat();

const optionalValues = {
  label: 'label',
  classId: 'class_id',
  objectId: 'object_id',
  trueRange: 'true_range_m',
} as const satisfies Partial<Record<Value, OptionalLogColumn>>;

/** Values that are stored as they are, with their columns. */
const storedValues = Object.entries({
  laser: 'laser',
  sweep: 'sweep',
  state: 'state',
  intensity: 'intensity',
  azimuth: 'azimuth_rad',
  ...optionalValues,
} satisfies Partial<Record<Value, LogColumnName>>) as [Value, LogColumnName][];

/** Beams of one table. */
const tableBeams = 16_384;

/** A line that is no beam. */
export interface BeamTextFault {
  line: number;
  message: string;
}

export interface BeamText {
  /** Takes the next piece; hands over full tables. Stops at the first fault. */
  take(piece: string): void;
  /** The rest. */
  finish(): void;
  readonly fault: BeamTextFault | null;
  readonly optional: readonly OptionalLogColumn[];
  /** Lines whose range is written as NaN: they are misses. */
  readonly rangesNaN: number;
  /** Names of classes in the order in which they came, where the file names them. */
  readonly classes: readonly string[];
}

export interface BeamTextOptions {
  /** Is taken off origins and points. */
  originM: readonly [number, number, number];
  /** The line to keep of consecutive lines with the same pulse number. */
  returns: LogReturn;
  /** Whether a class, by its name, is a volume; null: unknown. */
  isVolume: (className: string) => boolean | null;
}

/** Reads beams. `give` takes tables that are full. */
export function beamTextReader(
  { originM, returns, isVolume }: BeamTextOptions,
  give: (table: LogTable, beams: number) => void,
): BeamText {
  const lines = createTextLines();
  let line = 0;
  let columns: Columns | null = null;
  let header: readonly string[] = [];
  let optional: OptionalLogColumn[] = [];
  let fault: BeamTextFault | null = null;
  let table: LogTable | null = null;
  let beams = 0;
  let lastPulse = '';
  let lastNs: bigint | null = null;
  let rangesNaN = 0;
  const classes = new Map<string, number>();
  const sweepOf = createSweepCounter();
  const originLimit = createOriginLimit();

  const refuse = (message: string): void => {
    fault ??= { line, message };
  };
  const flush = (): void => {
    if (table !== null && beams > 0) give(table, beams);
    table = null;
    beams = 0;
  };
  const takeLine = (text: string): void => {
    line += 1;
    const content = text.trim();
    if (content === '' || content.startsWith('#') || fault !== null) return;
    const words = cellsOf(content);
    if (columns === null) {
      header = words;
      columns = columnsOf(header);
      const missing = missingOf(columns);
      if (missing !== null) refuse(`expected columns named ${missing}, found ${words.join(', ')}`);
      const twice = repeatedName(header, readNames);
      if (twice !== null) refuse(`expected one column named ${twice}, found several`);
      optional = optionalOf(columns);
      return;
    }
    if (words.length !== header.length) {
      return refuse(`expected ${header.length} cells, found ${words.length}`);
    }
    const odd = oddCell(columns, words);
    if (odd !== null) return refuse(odd);
    const values = valuesOf(columns, header, words);
    const { timeNs } = values;
    const beyond = beyondLimits(values);
    if (beyond !== null || timeNs === null) return refuse(beyond ?? 'expected a time, found none');
    if (lastNs !== null && timeNs < lastNs) {
      return refuse(
        `expected lines in the order of their times, found one ${(Number(lastNs - timeNs) / 1e9).toFixed(9)} s before the last`,
      );
    }
    lastNs = timeNs;
    if (notANumber.test(values.wordOf('range'))) rangesNaN += 1;
    const pulse = values.wordOf('pulse');
    const isFurther = beams > 0 && pulse !== '' && pulse === lastPulse;
    lastPulse = pulse;
    // Why not earlier: the next line may be another return of the last pulse.
    if (!isFurther && beams === tableBeams) flush();
    table ??= beamTable(tableBeams, optional);
    const beam = isFurther ? beams - 1 : beams;
    if (isFurther && !isKept(returns, values, table.intensity[beam] ?? NaN)) return;
    table.time_ns[beam] = timeNs;
    const message = fillBeam(table, beam, values, originM);
    if (message !== null) return refuse(message);
    const { origin_x_m: xs, origin_y_m: ys, origin_z_m: zs } = table;
    const tooFar = originLimit([xs[beam] ?? 0, ys[beam] ?? 0, zs[beam] ?? 0]);
    if (tooFar !== null) return refuse(tooFar);
    if (columns.className !== undefined) fillClass(table, beam, values.wordOf('className'));
    if (Number.isNaN(values.of('sweep'))) {
      const [laser = 0, azimuthRad = NaN] = [table.laser[beam], table.azimuth_rad[beam]];
      table.sweep[beam] = sweepOf(laser, azimuthRad, table.time_ns[beam] ?? 0n);
    }
    beams = beam + 1;
  };
  const fillClass = (beams: LogTable, beam: number, name: string): void => {
    if (name !== '' && !classes.has(name)) classes.set(name, classes.size);
    if (beams.class_id) beams.class_id[beam] = classes.get(name) ?? 0;
    if (!beams.label || columns?.label !== undefined || name === '') return;
    const isOfVolume = isVolume(name);
    if (isOfVolume === null) return;
    beams.label[beam] = isOfVolume ? beamLabels.volume : beamLabels.surface;
  };
  return {
    take(piece) {
      for (const text of lines.take(piece)) takeLine(text);
    },
    finish() {
      for (const text of lines.end()) takeLine(text);
      flush();
      if (columns === null) refuse('expected a line with the names of columns, found none');
    },
    get fault() {
      return fault;
    },
    get optional() {
      return optional;
    },
    get rangesNaN() {
      return rangesNaN;
    },
    get classes() {
      return [...classes.keys()];
    },
  };
}

/** Cells between commas; quotes around those that have some. */
function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',').map((word) => word.trim());
  const cells = line.matchAll(/(?:^|,)\s*(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return Array.from(
    cells,
    ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain?.trim() ?? '',
  );
}

/** Columns of a log that the names of a file give. */
function optionalOf(columns: Columns): OptionalLogColumn[] {
  const named: readonly OptionalLogColumn[] =
    columns.className === undefined ? [] : ['label', 'class_id'];
  return Object.entries(optionalValues).flatMap(([value, name]) =>
    columns[value as Value] !== undefined || named.includes(name) ? [name] : [],
  );
}

/** Whether a further return of a pulse takes the place of the one before. */
function isKept(returns: LogReturn, { of }: Values, intensityBefore: number): boolean {
  if (returns === 'first') return false;
  return returns === 'last' || of('intensity') > intensityBefore;
}

function columnsOf(words: readonly string[]): Columns {
  const lower = words.map((word) => word.toLowerCase());
  const columns: Columns = {};
  for (const [value, known] of Object.entries(names) as [Value, readonly string[]][]) {
    const at = known.map((name) => lower.indexOf(name)).find((index) => index >= 0);
    if (at !== undefined) columns[value] = at;
  }
  return columns;
}

/** Null: nothing is missing. */
function missingOf(columns: Columns): string | null {
  const has = (...values: Value[]): boolean =>
    values.every((value) => columns[value] !== undefined);
  const missing: string[] = [];
  if (!has('timeNs') && !has('timeS')) missing.push('time_ns or time_s');
  if (!has('originX', 'originY', 'originZ')) missing.push('origin_x_m, origin_y_m, origin_z_m');
  const isBeam = has('directionX', 'directionY', 'directionZ', 'range');
  if (!isBeam && !has('x', 'y', 'z')) {
    missing.push('direction_x, direction_y, direction_z, range_m (or x_m, y_m, z_m)');
  }
  return missing.length === 0 ? null : missing.join(', ');
}

/** Values of a line by name; '' is NaN. */
interface Values {
  of: (value: Value) => number;
  wordOf: (value: Value) => string;
  /** As the file names the column; with the cell as written. */
  found: (value: Value) => string;
  /** Null: no number of nanoseconds. */
  timeNs: bigint | null;
}

function valuesOf(columns: Columns, header: readonly string[], words: readonly string[]): Values {
  const wordOf = (value: Value): string => words[columns[value] ?? -1] ?? '';
  const of = (value: Value): number => numberOf(wordOf(value));
  const found = (value: Value): string => {
    const word = wordOf(value);
    return `as ${header[columns[value] ?? -1] ?? names[value][0]}, found ${word === '' ? 'none' : word}`;
  };
  const whole = wordOf('timeNs');
  const isWhole = /^[+-]?\d{1,40}$/.test(whole);
  const timeNs = isWhole ? BigInt(whole) : nanosecondsOf(wordOf('timeS'));
  return { of, wordOf, found, timeNs };
}

/** NaN for an empty cell. */
function numberOf(word: string): number {
  const number = word === '' ? NaN : Number(word);
  const [, sign] = (Number.isNaN(number) && /^([+-]?)inf(?:inity)?$/i.exec(word)) || [];
  if (sign === undefined) return number;
  return sign === '-' ? -Infinity : Infinity;
}

/** The first value that a log does not hold. Null: there is none. */
function beyondLimits({ of, wordOf, found, timeNs }: Values): string | null {
  if (timeNs === null || !isLogTime(timeNs)) {
    const [unit, time] =
      wordOf('timeNs') === '' ? (['s', 'timeS'] as const) : (['ns', 'timeNs'] as const);
    return `expected ${timeLimits[unit]} ${found(time)}`;
  }
  for (const [value, column] of storedValues) {
    const expected = expectedOf(column, of(value));
    if (expected !== null) return `expected ${expected} ${found(value)}`;
  }
  return null;
}

/** The first cell that is no number where one is expected. Null: there is none. */
function oddCell(columns: Columns, words: readonly string[]): string | null {
  for (const [value, at] of Object.entries(columns) as [Value, number][]) {
    const word = words[at] ?? '';
    if (word === '' || worded.has(value)) continue;
    // Why not Number alone: it takes 0x10 for 16.
    const isNumber = Number.isNaN(numberOf(word)) ? notANumber.test(word) : !/^0[xob]/i.test(word);
    if (!isNumber) return `${names[value][0]} is not a number: found '${word}'`;
  }
  return null;
}

/** Values that are words. */
const worded: ReadonlySet<Value> = new Set(['pulse', 'className']);
const notANumber = /^[+-]?nan$/i;

/** Each digit counts: a double holds times since 1970 to 0.2 µs only. */
function nanosecondsOf(word: string): bigint | null {
  const decimal = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(word);
  if (decimal === null) {
    const ns = Math.round(numberOf(word) * 1e9);
    return Number.isFinite(ns) ? BigInt(ns) : null;
  }
  const [, sign, whole = '0', fraction = ''] = decimal;
  const value = BigInt(whole) * 1_000_000_000n + BigInt(`${fraction}000000000`.slice(0, 9));
  return sign === '-' ? -value : value;
}

/** Fills all but the time. Null: the line is a beam. */
function fillBeam(
  table: LogTable,
  beam: number,
  { of, wordOf, found }: Values,
  [x0, y0, z0]: readonly [number, number, number],
): string | null {
  const odd = (['originX', 'originY', 'originZ'] as const).find((m) => !Number.isFinite(of(m)));
  if (odd !== undefined) return `expected a number ${found(odd)}`;
  const origin = [of('originX') - x0, of('originY') - y0, of('originZ') - z0] as const;
  const axis = (['directionX', 'directionY', 'directionZ'] as const).find((value) => {
    return wordOf(value) !== '' && !Number.isFinite(of(value));
  });
  if (axis !== undefined) return `${names[axis][0]} is not a number: found '${wordOf(axis)}'`;
  const rangeGiven = of('range');
  let direction = [of('directionX'), of('directionY'), of('directionZ')];
  let rangeM = rangeGiven;
  if (!direction.every(Number.isFinite)) {
    const end = [of('x') - x0, of('y') - y0, of('z') - z0];
    direction = end.map((m, axis) => m - (origin[axis] ?? 0));
    rangeM = Number.isNaN(rangeGiven) ? Math.hypot(...direction) : rangeGiven;
  }
  const length = Math.hypot(...direction);
  if (!(length > 0) || !Number.isFinite(length)) {
    return 'expected a direction, or a point apart from the origin';
  }
  const isRange = isLogRange(rangeM);
  const isMiss = of('returnNo') === 0 || isMissRange(rangeM);
  const stated = of('state');
  const state = Number.isNaN(stated) ? (isMiss ? beamStates.miss : beamStates.returned) : stated;
  const isReturn = state === beamStates.returned;
  if (isReturn && !isRange) {
    if (wordOf('range') !== '' || Number.isNaN(rangeM))
      return `expected ${rangeLimits} of a return ${found('range')}`;
    return `expected ${rangeLimits} from the origin to the point, found ${rangeM} m`;
  }
  if (isReturn && isMiss) return `expected 1 or more of a return ${found('returnNo')}`;
  if (!isReturn && !Number.isNaN(stated) && isLogRange(rangeGiven)) {
    return `expected no range of a beam without a return (state ${state}), found ${wordOf('range')}`;
  }
  table.sweep[beam] = orElse(of('sweep'), 0);
  table.laser[beam] = orElse(of('laser'), unknownLaser);
  table.state[beam] = state;
  table.range_m[beam] = isReturn ? rangeM : NaN;
  table.intensity[beam] = isReturn ? of('intensity') : NaN;
  table.azimuth_rad[beam] = of('azimuth');
  [table.origin_x_m[beam], table.origin_y_m[beam], table.origin_z_m[beam]] = origin;
  table.direction_x[beam] = (direction[0] ?? 0) / length;
  table.direction_y[beam] = (direction[1] ?? 0) / length;
  table.direction_z[beam] = (direction[2] ?? 0) / length;
  if (table.label) table.label[beam] = orElse(of('label'), 0);
  if (table.class_id) table.class_id[beam] = orElse(of('classId'), 0);
  if (table.object_id) table.object_id[beam] = orElse(of('objectId'), 0);
  if (table.true_range_m) table.true_range_m[beam] = of('trueRange');
  return null;
}

function orElse(value: number, other: number): number {
  return Number.isNaN(value) ? other : value;
}
