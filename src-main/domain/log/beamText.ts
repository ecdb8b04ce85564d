// Beams as CSV: a line of names, then a line for each beam. Names are those of logs and of exported scans. Text arrives
// in pieces of any length; a table of beams leaves for every so many lines.
import { beamStates, type LogTable, unknownLaser } from '#contract/log/log.ts';
import { beamTable, type OptionalLogColumn } from './beamTable.ts';

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
  label: ['label'],
  classId: ['class_id'],
  objectId: ['object_id'],
  trueRange: ['true_range_m'],
} as const;
type Value = keyof typeof names;

const optionalValues = {
  label: 'label',
  classId: 'class_id',
  objectId: 'object_id',
  trueRange: 'true_range_m',
} as const satisfies Partial<Record<Value, OptionalLogColumn>>;

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
  readonly hasLasers: boolean;
}

/** @param originM is taken off origins and points */
export function beamTextReader(
  originM: readonly [number, number, number],
  give: (table: LogTable, beams: number) => void,
): BeamText {
  let rest = '';
  let line = 0;
  let columns: Partial<Record<Value, number>> | null = null;
  let optional: OptionalLogColumn[] = [];
  let fault: BeamTextFault | null = null;
  let table: LogTable | null = null;
  let beams = 0;

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
    const words = content.split(',').map((word) => word.trim());
    if (columns === null) {
      columns = columnsOf(words);
      const missing = missingOf(columns);
      if (missing !== null) refuse(`expected columns named ${missing}, found ${words.join(', ')}`);
      optional = Object.entries(optionalValues).flatMap(([value, name]) =>
        columns?.[value as Value] === undefined ? [] : [name],
      );
      return;
    }
    table ??= beamTable(tableBeams, optional);
    const message = fillBeam(table, beams, valuesOf(columns, words), originM);
    if (message !== null) return refuse(message);
    beams += 1;
    if (beams === tableBeams) flush();
  };
  return {
    take(piece) {
      const lines = (rest + piece).split('\n');
      rest = lines.pop() ?? '';
      for (const text of lines) takeLine(text);
    },
    finish() {
      if (rest !== '') takeLine(rest);
      rest = '';
      flush();
      if (columns === null) refuse('expected a line with the names of columns, found none');
    },
    get fault() {
      return fault;
    },
    get optional() {
      return optional;
    },
    get hasLasers() {
      return columns?.laser !== undefined;
    },
  };
}

function columnsOf(words: readonly string[]): Partial<Record<Value, number>> {
  const lower = words.map((word) => word.toLowerCase());
  const columns: Partial<Record<Value, number>> = {};
  for (const [value, known] of Object.entries(names) as [Value, readonly string[]][]) {
    const at = known.map((name) => lower.indexOf(name)).find((index) => index >= 0);
    if (at !== undefined) columns[value] = at;
  }
  return columns;
}

/** Null: nothing is missing. */
function missingOf(columns: Partial<Record<Value, number>>): string | null {
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
  timeNs: bigint | null;
}

function valuesOf(columns: Partial<Record<Value, number>>, words: readonly string[]): Values {
  const wordOf = (value: Value): string => words[columns[value] ?? -1] ?? '';
  const of = (value: Value): number => (wordOf(value) === '' ? NaN : Number(wordOf(value)));
  const whole = wordOf('timeNs');
  if (/^[+-]?\d{1,19}$/.test(whole)) return { of, timeNs: BigInt(whole) };
  return { of, timeNs: nanosecondsOf(wordOf('timeS')) };
}

/** Each digit counts: a double holds times since 1970 to 0.2 µs only. */
function nanosecondsOf(word: string): bigint | null {
  const decimal = /^([+-]?)(\d+)(?:\.(\d*))?$/.exec(word);
  if (decimal === null) {
    const seconds = word === '' ? NaN : Number(word);
    return Number.isFinite(seconds) ? BigInt(Math.round(seconds * 1e9)) : null;
  }
  const [, sign, whole = '0', fraction = ''] = decimal;
  const value = BigInt(whole) * 1_000_000_000n + BigInt(`${fraction}000000000`.slice(0, 9));
  return sign === '-' ? -value : value;
}

/** Null: the line is a beam. */
function fillBeam(
  table: LogTable,
  beam: number,
  { of, timeNs }: Values,
  [x0, y0, z0]: readonly [number, number, number],
): string | null {
  if (timeNs === null) return 'expected a time';
  const origin = [of('originX') - x0, of('originY') - y0, of('originZ') - z0] as const;
  if (!origin.every(Number.isFinite)) return 'expected numbers in the origin, found NaN';
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
  const isMiss = of('returnNo') === 0 || !(rangeM > 0) || !Number.isFinite(rangeM);
  const stated = of('state');
  const state = Number.isNaN(stated) ? (isMiss ? beamStates.miss : beamStates.returned) : stated;
  const isReturn = state === beamStates.returned;
  if (isReturn && isMiss) return `expected a range above 0 of a return, found ${rangeM}`;
  const isState = Object.values(beamStates).some((known) => known === state);
  if (!isState) return `expected a state from 0 to 3, found ${state}`;
  table.time_ns[beam] = timeNs;
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
