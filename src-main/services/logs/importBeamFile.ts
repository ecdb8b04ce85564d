// A log from a file whose rows say where each pulse began: LAS, LAZ, NPZ, PCD and PLY of our own scans, surveys and logs. Two
// passes: the first finds where the beams are and what the file states.
import type { Columns } from '#contract/columns.ts';
import { badInput, throwIfCancelled } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import {
  beamStates,
  type LogHead,
  optionalLogColumns,
  type LogReturns,
  type OptionalLogColumn,
  unknownLaser,
} from '#contract/log/log.ts';
import { beamRowFaults } from '#domain/log/beamRowFaults.ts';
import { type BeamRowsOptions, beamsOfRows, wholePulses } from '#domain/log/beamsOfRows.ts';
import { cutBeams } from '#domain/log/cuts.ts';
import { createSweepCounter } from '#domain/log/sweepCounter.ts';
import { createVolumeNames } from '#domain/log/volumeNames.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Files } from '#services/ports/files.ts';
import type { BeamSource } from '#services/ports/logSources.ts';
import type { Logs, LogWriter } from '#services/ports/logs.ts';
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
import { beamsInMetres } from './sourceInMetres.ts';
import { sourceSystem } from './sourceSystem.ts';

type Request = RequestOf<'log.import'>;

/** Writes the log of such a file. @throws UnderstoryError 'bad-input', 'corrupt', 'cancelled' */
export async function importBeamFile(
  { logs, files, version }: { logs: Logs; files: Pick<Files, 'coordinateSystem'>; version: string },
  given: BeamSource,
  request: Request,
  context: HandlerContext,
): Promise<{ notes: string[] }> {
  const system = await sourceSystem(files, given.system, request);
  const source = beamsInMetres(given, system.metres);
  const survey = await surveyOf(source, request, context);
  const { kind, classes } = source;
  const volumes = createVolumeNames(source.volumeClasses);
  const frameM = source.originM;
  const nearM = originNear(survey.firstOriginM);
  const originM = nearM.map((m, axis) => m + (frameM[axis] ?? 0)) as [number, number, number];
  const file = { source: kind, originM, crs: system.crs, understoryVersion: version };
  const head = beamHead(request, survey, file);
  const { isReplacing, out } = request;
  const writer = await logs.create(out, head, { isReplacing, inputs: [request.source] });
  try {
    const options = {
      originM: nearM,
      epochNs: 0n,
      returns: request.returns,
      isVolume: (classId: number) => volumes.isVolume(classes[classId] ?? ''),
      optional: survey.optional,
      sweepOf: createSweepCounter(),
    };
    await writeRows(writer, source, options, head, request, context);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const notes = [...system.notes, ...notesOfMisses(head), ...notesOfClasses(volumes.unknown())];
  return { notes };
}

async function writeRows(
  writer: LogWriter,
  source: BeamSource,
  options: BeamRowsOptions,
  { cuts }: LogHead,
  request: Request,
  { signal, progress }: HandlerContext,
): Promise<void> {
  const pulses = wholePulses();
  const isWanted = wantedTimes(request);
  const extent = createCutExtent();
  let done = 0;
  const write = async (rows: { columns: Columns; rows: number }): Promise<void> => {
    const made = beamsOfRows(rows, options);
    extent.takeBeams(made.table, made.beams);
    const kept = cutBeams(made.table, made.beams, cuts, () => null, isWanted);
    await writer.write(kept.table, kept.beams);
    extent.left += kept.beams;
    done += rows.rows;
    progress({ phase: 'importing', done, total: source.rows });
  };
  for await (const rows of source.tables(signal)) {
    throwIfCancelled(signal);
    await write(pulses.take(rows));
  }
  await write(pulses.finish());
  extent.check(request);
}

/** @throws 'bad-input' with the number of the first row that is no beam */
async function surveyOf(
  source: BeamSource,
  { source: file, returns }: Request,
  { signal, progress }: HandlerContext,
): Promise<BeamSurvey> {
  const survey: BeamSurvey = {
    optional: optionalOf(source, returns),
    firstOriginM: null,
    lasers: 0,
    hasMisses: false,
    hasInferred: false,
    hasAzimuths: false,
    classes: source.classes,
  };
  const faultOf = beamRowFaults(survey.optional);
  let done = 0;
  for await (const { columns, rows } of source.tables(signal)) {
    throwIfCancelled(signal);
    const fault = faultOf(columns, rows);
    if (fault !== null) {
      throw badInput('source', `${file}: row ${done + fault.row + 1}: ${fault.message}`);
    }
    for (let row = 0; row < rows; row++) {
      const of = (name: string): number => Number(columns[name]?.[row] ?? NaN);
      survey.firstOriginM ??= [of('beam_origin_x_m'), of('beam_origin_y_m'), of('beam_origin_z_m')];
      const laser = of('ring');
      if (laser < unknownLaser) survey.lasers = Math.max(survey.lasers, laser + 1);
      survey.hasAzimuths ||= Number.isFinite(of('azimuth_rad'));
      survey.hasMisses ||= of('return_no') === 0 || of('state') === beamStates.miss;
    }
    done += rows;
    progress({ phase: 'looking at beams', done, total: source.rows });
  }
  if (survey.firstOriginM === null) throw badInput('source', `${file}: expected beams, found none`);
  return survey;
}

/** @throws 'bad-input' for all returns where the file has no shares of them */
function optionalOf({ names, classes }: BeamSource, returns: LogReturns): OptionalLogColumn[] {
  if (!names.includes('beam_share')) oneReturn(returns);
  const hasClasses = classes.length > 0 && names.includes('class_id');
  return optionalLogColumns.filter((name) => {
    if (name === 'class_id') return hasClasses;
    if (name === 'beam_share') return returns === 'all';
    return names.includes(name) || (name === 'label' && hasClasses);
  });
}
