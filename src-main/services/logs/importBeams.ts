// A log from beams in CSV. Two passes: the first finds where the beams are and what the file states.
import { badInput } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { beamStates, type LogTable, unknownLaser } from '#contract/log/log.ts';
import { beamTextReader } from '#domain/log/beamText.ts';
import { cutBeams } from '#domain/log/cuts.ts';
import { createVolumeNames, isVolumeName } from '#domain/log/volumeNames.ts';
import { countText } from '#domain/shared/formats.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Files } from '#services/ports/files.ts';
import type { Logs } from '#services/ports/logs.ts';
import {
  beamHead,
  type BeamSurvey,
  notesOfClasses,
  notesOfMisses,
  oneReturn,
  originNear,
  wantedTimes,
} from './beamHead.ts';
import { createCutExtent } from './cutChecks.ts';

type Request = RequestOf<'log.import'>;

/** Writes the log of a CSV file. @throws UnderstoryError 'bad-input' with the line, 'cancelled' */
export async function importBeams(
  { logs, files, version }: { logs: Logs; files: Files; version: string },
  request: Request,
  { signal, progress }: HandlerContext,
): Promise<{ notes: string[] }> {
  const survey = await surveyOf(files, request, signal);
  const originM = originNear(survey.firstOriginM);
  const head = beamHead(request, survey, {
    source: 'csv',
    originM,
    crs: request.crs ?? null,
    understoryVersion: version,
  });
  const { isReplacing, out } = request;
  const writer = await logs.create(out, head, { isReplacing, inputs: [request.source] });
  const isWanted = wantedTimes(request);
  const extent = createCutExtent();
  const { isVolume, unknown } = createVolumeNames(null);
  const full: { table: LogTable; beams: number }[] = [];
  let done = 0;
  try {
    const returns = oneReturn(request.returns);
    const give = (table: LogTable, beams: number): void => void full.push({ table, beams });
    const reader = beamTextReader({ originM, returns, isVolume }, give);
    const writeFull = async (): Promise<void> => {
      for (const { table, beams } of full.splice(0)) {
        extent.takeBeams(table, beams);
        const kept = cutBeams(table, beams, head.cuts, () => null, isWanted);
        await writer.write(kept.table, kept.beams);
        extent.left += kept.beams;
        done += beams;
      }
      progress({ phase: 'importing', done, total: 0 });
    };
    const take = (text: string): Promise<void> => {
      reader.take(text);
      return writeFull();
    };
    await files.textPieces(request.source, take, signal);
    reader.finish();
    await writeFull();
    extent.check(request);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const { rangesNaN } = survey;
  const notes = [...notesOfMisses(head), ...notesOfClasses(unknown())];
  if (rangesNaN === 0) return { notes };
  const lines = rangesNaN === 1 ? '1 line' : `${countText(rangesNaN)} lines`;
  return { notes: [...notes, `${lines} with NaN as the range: taken as beams without a return`] };
}

async function surveyOf(
  files: Files,
  { source: file, returns }: Request,
  signal: AbortSignal,
): Promise<BeamSurvey & { rangesNaN: number }> {
  const survey: BeamSurvey = {
    optional: [],
    firstOriginM: null,
    lasers: 0,
    hasMisses: false,
    hasInferred: false,
    hasAzimuths: false,
    classes: [],
  };
  const options = {
    originM: [0, 0, 0] as const,
    returns: oneReturn(returns),
    isVolume: isVolumeName,
  };
  const reader = beamTextReader(options, (table, beams) => {
    survey.firstOriginM ??= [
      table.origin_x_m[0] ?? 0,
      table.origin_y_m[0] ?? 0,
      table.origin_z_m[0] ?? 0,
    ];
    for (let beam = 0; beam < beams; beam++) {
      const laser = table.laser[beam] ?? unknownLaser;
      if (laser !== unknownLaser) survey.lasers = Math.max(survey.lasers, laser + 1);
      survey.hasAzimuths ||= Number.isFinite(table.azimuth_rad[beam] ?? NaN);
      survey.hasMisses ||= table.state[beam] === beamStates.miss;
      survey.hasInferred ||= table.state[beam] === beamStates.missInferred;
    }
  });
  await files.textPieces(
    file,
    (text) => {
      reader.take(text);
      return reader.fault === null;
    },
    signal,
  );
  reader.finish();
  const { fault, optional, classes, rangesNaN } = reader;
  if (fault !== null) throw badInput('source', `${file}: line ${fault.line}: ${fault.message}`);
  if (survey.firstOriginM === null) throw badInput('source', `${file}: expected beams, found none`);
  return { ...survey, optional, classes, rangesNaN };
}
