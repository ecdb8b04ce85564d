// The head of a log of beams from a file that says nothing of its sensor.
import { badInput } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import {
  logFormatVersion,
  type LogHead,
  type LogReturn,
  type LogReturns,
  type LogSource,
  type MissKind,
  type OptionalLogColumn,
  requiredLogColumns,
} from '#contract/log/log.ts';
import { headWithCuts } from '#domain/log/cuts.ts';
import { checkAzimuths } from './cutChecks.ts';
import { cutsOf } from './importRun.ts';

type Position = [number, number, number];

/** Results of a first pass over a file. */
export interface BeamSurvey {
  optional: readonly OptionalLogColumn[];
  /** In the frame of the file; null: there are no beams. */
  firstOriginM: Position | null;
  lasers: number;
  hasMisses: boolean;
  hasInferred: boolean;
  /** At least one beam has an azimuth. */
  hasAzimuths: boolean;
  classes: readonly string[];
}

/** Positions beyond this are world coordinates of a projection, and get an origin of whole kilometres. */
const farM = 10_000;

/** Names of one note. */
const maxNames = 10;

/** Whole kilometres near the first beam, where it is far away. */
export function originNear(first: readonly [number, number, number] | null): Position {
  const [x, y] = first ?? [0, 0, 0];
  const kilometres = (m: number): number => Math.round(m / 1000) * 1000;
  return Math.hypot(x, y) > farM ? [kilometres(x), kilometres(y), 0] : [0, 0, 0];
}

/** The head. @throws 'bad-input' for cuts that such a file does not allow */
export function beamHead(
  request: RequestOf<'log.import'>,
  { optional, lasers, hasMisses, hasInferred, hasAzimuths, classes }: BeamSurvey,
  file: { source: LogSource; originM: Position; crs: string | null; understoryVersion: string },
): LogHead {
  if (request.body !== undefined) {
    throw badInput('body', "expected no box: the file says nothing of the vehicle's poses");
  }
  checkAzimuths(request, hasAzimuths);
  const misses: MissKind = hasMisses ? 'recorded' : hasInferred ? 'inferred' : 'unknown';
  const { source, originM, understoryVersion } = file;
  return headWithCuts({
    format: logFormatVersion,
    understoryVersion,
    source,
    derived: [],
    originM,
    crs: file.crs,
    columns: [...requiredLogColumns, ...optional],
    classes: [...classes],
    sensor: {
      name: null,
      lasers,
      elevationsRad: [],
      minM: null,
      maxM: request.maxM ?? null,
      rangeStepM: null,
      azimuthStepRad: null,
      firingsPerTurn: null,
      turnsPerS: null,
      recipe: null,
    },
    intensityOfWhite: request.intensityOfWhite ?? null,
    misses,
    returns: request.returns,
    cuts: cutsOf(request, null),
  });
}

/** @throws 'bad-input' for all returns, which a source without shares of beams does not allow */
export function oneReturn(returns: LogReturns): LogReturn {
  if (returns !== 'all') return returns;
  const message =
    'expected one return of each pulse: the source has no beam_share (runs, and .npz, .las, .pcd, .ply of scan --columns default,beam have)';
  throw badInput('returns', message);
}

/** Whether a beam lies in the time that is asked for, since the first one. Null: all do. */
export function wantedTimes({
  fromS = -Infinity,
  toS = Infinity,
}: RequestOf<'log.import'>): ((timeNs: bigint) => boolean) | null {
  if (fromS === -Infinity && toS === Infinity) return null;
  let firstNs: bigint | null = null;
  return (timeNs) => {
    firstNs ??= timeNs;
    const sinceS = Number(timeNs - firstNs) / 1e9;
    return sinceS >= fromS && sinceS < toS;
  };
}

/** @param unknown names of classes of which it is not known whether they are volumes */
export function notesOfClasses(unknown: readonly string[]): string[] {
  if (unknown.length === 0) return [];
  const shown = unknown.slice(0, maxNames).map((name) => `'${name}'`);
  const more = unknown.length > maxNames ? ` and ${unknown.length - maxNames} more` : '';
  const names = `${shown.join(', ')}${more}`;
  return [
    `classes that are neither known as vegetation nor as surfaces: ${names}; their returns have no label, and estimate counts them as leaves`,
  ];
}

/** Notes about a log, for a person. @param lacksPattern a firing pattern was looked for, and none was found */
export function notesOfMisses(
  { misses, cuts: { rangeM } }: Pick<LogHead, 'misses' | 'cuts'>,
  lacksPattern = false,
): string[] {
  if (misses !== 'unknown') return [];
  const pattern = lacksPattern ? ', and no firing pattern was found' : '';
  const cut = rangeM
    ? `; those of the log are the beams that ended behind ${rangeM[1]} m (--range)`
    : '';
  return [`misses are unknown: the source states none${pattern}${cut}`];
}
