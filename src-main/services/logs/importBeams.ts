// A log from beams in CSV. Two passes: the first finds where the beams are and what the file states.
import { badInput } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import {
  beamStates,
  logFormatVersion,
  type LogHead,
  type LogTable,
  type MissKind,
  requiredLogColumns,
  unknownLaser,
} from '#contract/log/log.ts';
import type { OptionalLogColumn } from '#domain/log/beamTable.ts';
import { beamTextReader } from '#domain/log/beamText.ts';
import { cutBeams } from '#domain/log/cuts.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Files } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import { cutsOf } from './importRun.ts';

type Request = RequestOf<'log.import'>;

/** Positions beyond this are world coordinates of a projection, and get an origin of whole kilometres. */
const farM = 10_000;

/** What a first pass finds. */
interface BeamSurvey {
  optional: readonly OptionalLogColumn[];
  firstOriginM: [number, number, number] | null;
  lasers: number;
  hasMisses: boolean;
  hasInferred: boolean;
}

/** Writes the log of a CSV file. @throws UnderstoryError 'bad-input' with the line, 'cancelled' */
export async function importBeams(
  { logs, files, version }: { logs: Logs; files: Files; version: string },
  request: Request,
  { signal, progress }: HandlerContext,
): Promise<{ notes: string[] }> {
  const survey = await surveyOf(files, request.source, signal);
  const originM = originOf(survey.firstOriginM);
  const head = headOf(request, survey, originM, version);
  const { isReplacing, out } = request;
  const writer = await logs.create(out, head, { isReplacing, inputs: [request.source] });
  const full: { table: LogTable; beams: number }[] = [];
  let done = 0;
  try {
    const reader = beamTextReader(originM, (table, beams) => full.push({ table, beams }));
    const writeFull = async (): Promise<void> => {
      for (const { table, beams } of full.splice(0)) {
        const kept = cutBeams(table, beams, head.cuts, () => null);
        await writer.write(kept.table, kept.beams);
        done += kept.beams;
      }
      progress({ phase: 'importing', done, total: 0 });
    };
    await readText(files, request.source, signal, async (text) => {
      reader.take(text);
      await writeFull();
    });
    reader.finish();
    await writeFull();
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const notes = ['misses are unknown: the source states none'];
  return { notes: head.misses === 'unknown' ? notes : [] };
}

async function surveyOf(files: Files, file: string, signal: AbortSignal): Promise<BeamSurvey> {
  const survey: BeamSurvey = {
    optional: [],
    firstOriginM: null,
    lasers: 0,
    hasMisses: false,
    hasInferred: false,
  };
  const reader = beamTextReader([0, 0, 0], (table, beams) => {
    survey.firstOriginM ??= [
      table.origin_x_m[0] ?? 0,
      table.origin_y_m[0] ?? 0,
      table.origin_z_m[0] ?? 0,
    ];
    for (let beam = 0; beam < beams; beam++) {
      const laser = table.laser[beam] ?? unknownLaser;
      if (laser !== unknownLaser) survey.lasers = Math.max(survey.lasers, laser + 1);
      survey.hasMisses ||= table.state[beam] === beamStates.miss;
      survey.hasInferred ||= table.state[beam] === beamStates.missInferred;
    }
  });
  await readText(files, file, signal, (text) => reader.take(text));
  reader.finish();
  const { fault, optional } = reader;
  if (fault !== null) throw badInput('source', `${file}: line ${fault.line}: ${fault.message}`);
  if (survey.firstOriginM === null) throw badInput('source', `${file}: expected beams, found none`);
  return { ...survey, optional };
}

async function readText(
  files: Files,
  file: string,
  signal: AbortSignal,
  take: (text: string) => void | Promise<void>,
): Promise<void> {
  const decoder = new TextDecoder('utf-8');
  await files.pieces(file, (bytes) => take(decoder.decode(bytes, { stream: true })), signal);
}

/** Whole kilometres near the first beam, where it is far away. */
function originOf(first: readonly [number, number, number] | null): [number, number, number] {
  const [x, y] = first ?? [0, 0, 0];
  const kilometres = (m: number): number => Math.round(m / 1000) * 1000;
  return Math.hypot(x, y) > farM ? [kilometres(x), kilometres(y), 0] : [0, 0, 0];
}

function headOf(
  request: Request,
  { optional, lasers, hasMisses, hasInferred }: BeamSurvey,
  originM: [number, number, number],
  understoryVersion: string,
): LogHead {
  const misses: MissKind = hasMisses ? 'recorded' : hasInferred ? 'inferred' : 'unknown';
  return {
    format: logFormatVersion,
    understoryVersion,
    source: 'csv',
    derived: [],
    originM,
    crs: request.crs ?? null,
    columns: [...requiredLogColumns, ...optional],
    classes: [],
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
  };
}
