// A log from the recording of another program: poses are found and checked, each point becomes a beam, misses are
// inferred where the firing pattern is known.
import { badInput, throwIfCancelled } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { Pose } from '#contract/host/run.ts';
import {
  type DerivedValue,
  logFormatVersion,
  type LogHead,
  type LogTable,
  type MissKind,
  requiredLogColumns,
} from '#contract/log/log.ts';
import { createOriginLimit } from '#domain/log/beamLimits.ts';
import { inTimeOrder } from '#domain/log/beamTable.ts';
import {
  beamsOfCloud,
  type CloudBeams,
  type CloudOptions,
  type CloudToLog,
} from '#domain/log/beamsOfCloud.ts';
import { cutBeams, headWithCuts } from '#domain/log/cuts.ts';
import type { SensorPath } from '#domain/log/frameGraph.ts';
import { type FiringPattern, learnPattern } from '#domain/log/firingPattern.ts';
import { createMissFinder } from '#domain/log/missFinder.ts';
import { keepOneReturn } from '#domain/log/singleReturns.ts';
import { createVolumeNames, type VolumeNames } from '#domain/log/volumeNames.ts';
import { countText } from '#domain/shared/formats.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Files } from '#services/ports/files.ts';
import type { LogSourceReader, SourceCloud } from '#services/ports/logSources.ts';
import type { LogWriter, Logs } from '#services/ports/logs.ts';
import { checkFrames } from './checkFrames.ts';
import { createCutExtent } from './cutChecks.ts';
import { notesOfClasses, notesOfMisses, oneReturn } from './beamHead.ts';
import { checkPoseUnits } from './checkPoseUnits.ts';
import { checkTimes } from './checkTimes.ts';
import { cutsOf } from './importRun.ts';
import { type Lasers, lasersOf, withLasers } from './sourceLasers.ts';
import { readerInMetres } from './sourceInMetres.ts';
import { findPath } from './sourcePath.ts';
import { sourceSystem } from './sourceSystem.ts';

type Request = RequestOf<'log.import'>;

/** Clouds of the first look: they give the pattern, and show whether poses are those of the sensor. */
const sampledClouds = 24;
/** Clouds with more points are thinned. */
const sampledPoints = 1_500_000;
const thinnedPoints = 8000;
/** Clouds without a pose up to this share are left out, more are refused. */
const maxUncoveredShare = 0.1;

/** Writes the log of a source. @throws UnderstoryError 'bad-input' with one problem, 'corrupt', 'cancelled' */
export async function importForeign(
  { logs, files, version }: { logs: Logs; files: Pick<Files, 'coordinateSystem'>; version: string },
  given: LogSourceReader,
  request: Request,
  context: HandlerContext,
): Promise<{ notes: string[] }> {
  const system = await sourceSystem(files, given.system, request);
  const source = readerInMetres(given, system.metres);
  const stream = streamOf(source, request.cloud);
  const { samples, whole } = await firstClouds(source, stream, context.signal);
  const timeNotes = checkTimes(source, samples, request);
  const path = findPath(source, samples[0]?.frameId ?? '', request);
  checkPoseUnits(source, samples, path, system.metres);
  if (request.pose === undefined) checkFrames(source, samples, request);
  const volumes = createVolumeNames(source.volumeClasses);
  const options = beamOptions(source, path, volumes);
  const lasers = lasersOf(source, samples);
  const pattern =
    lasers === null ? null : learnPattern(whole.map((cloud) => withLasers(cloud, lasers)));
  const hasGrid = samples.some(({ isOrganised }) => isOrganised);
  const infers = request.infersMisses && pattern !== null;
  const misses: MissKind =
    pattern === null ? 'unknown' : hasGrid ? 'recorded' : infers ? 'inferred' : 'unknown';
  const head = headOf(source, samples, request, {
    version,
    crs: system.crs,
    misses,
    pattern,
    lasers,
  });
  const { isReplacing, out } = request;
  const writer = await logs.create(out, head, { isReplacing, inputs: inputsOf(request) });
  try {
    const counts = await writeClouds(writer, source, stream, request, context, {
      ...options,
      isTimeDerived: head.derived.includes('time'),
      pattern: hasGrid || infers ? pattern : null,
      hasGrid,
      lasers,
      cuts: head.cuts,
    });
    const notes = [
      ...source.notes,
      ...system.notes,
      ...timeNotes,
      ...notesOf(counts, path, head, request),
      ...notesOfClasses(volumes.unknown()),
    ];
    await writer.close();
    return { notes };
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

function inputsOf({ source, trajectory }: Request): string[] {
  return trajectory === undefined ? [source] : [source, trajectory];
}

/** @throws 'bad-input' where there are none, or several and none is named */
function streamOf({ streams }: LogSourceReader, wanted: string | undefined): string {
  const names = streams.map(({ name }) => name);
  const [only] = names;
  if (only === undefined)
    throw badInput(
      'source',
      'expected clouds of points (PointCloud2) or scans (LaserScan), found none',
    );
  if (wanted === undefined && names.length === 1) return only;
  if (wanted !== undefined && names.includes(wanted)) return wanted;
  const found = wanted === undefined ? 'none named' : `'${wanted}'`;
  throw badInput('cloud', `expected one of ${names.join(', ')}, found ${found}`);
}

async function firstClouds(
  source: LogSourceReader,
  stream: string,
  signal: AbortSignal,
): Promise<{ samples: SourceCloud[]; whole: SourceCloud[] }> {
  const clouds: SourceCloud[] = [];
  const whole: SourceCloud[] = [];
  let points = 0;
  for await (const cloud of source.clouds(stream, () => undefined)) {
    throwIfCancelled(signal);
    // Why fewer: so many large clouds would fill the memory, and only their places matter (checkFrames).
    if (cloud.points === 0) continue;
    const isWhole = points < sampledPoints;
    if (isWhole) whole.push(cloud);
    clouds.push(isWhole ? cloud : thinned(cloud));
    points += cloud.points;
    if (clouds.length >= sampledClouds) break;
  }
  const isPlace = (cloud: SourceCloud): boolean =>
    cloud.xM.some((x, at) => Number.isFinite(x + (cloud.yM[at] ?? NaN) + (cloud.zM[at] ?? NaN)));
  if (clouds.some(isPlace)) return { samples: clouds, whole };
  const found = clouds.length === 0 ? 'no points' : 'NaN only';
  throw badInput('source', `expected points with coordinates in '${stream}', found ${found}`);
}

/** Some of the points, without what the firing pattern is learned from. */
function thinned(cloud: SourceCloud): SourceCloud {
  const step = Math.ceil(cloud.points / thinnedPoints);
  const some = (values: Float64Array): Float64Array =>
    Float64Array.from(
      { length: Math.floor(values.length / step) },
      (_, at) => values[at * step] ?? 0,
    );
  const { xM, yM, zM, timeNs } = cloud;
  const points = Math.floor(cloud.points / step);
  const places = { xM: some(xM), yM: some(yM), zM: some(zM), timeNs: timeNs && some(timeNs) };
  return { ...cloud, points, ...places, intensity: null, laser: null, classId: null };
}

function beamOptions(
  { baseNs, traits, classes }: LogSourceReader,
  path: SensorPath,
  volumes: VolumeNames,
): CloudOptions {
  const { isWorld, isCompensated } = traits;
  return {
    baseNs,
    isWorld,
    isCompensated,
    poseAt: (timeNs) => path.poseAt(timeNs),
    hasClasses: classes.length > 0,
    isVolume: (classId) => volumes.isVolume(classes[classId] ?? ''),
    originLimit: createOriginLimit(),
  };
}

function headOf(
  source: LogSourceReader,
  samples: readonly SourceCloud[],
  request: Request,
  {
    version,
    crs,
    misses,
    pattern,
    lasers,
  }: {
    version: string;
    crs: string | null;
    misses: MissKind;
    pattern: FiringPattern | null;
    lasers: Lasers | null;
  },
): LogHead {
  const { kind, originM, classes, traits } = source;
  const derived: DerivedValue[] = [];
  if (!traits.hasTimes || samples.every(({ timeNs }) => timeNs === null)) derived.push('time');
  if (traits.elevationsRad !== null) derived.push('laser');
  if (traits.isCompensated) derived.push('origin');
  return headWithCuts({
    format: logFormatVersion,
    understoryVersion: version,
    source: kind,
    derived,
    originM,
    crs,
    columns: [
      ...requiredLogColumns,
      ...(classes.length > 0 ? (['label', 'class_id'] as const) : []),
    ],
    classes: [...classes],
    sensor: {
      name: null,
      lasers: lasers?.elevationsRad.length ?? 0,
      elevationsRad: lasers?.elevationsRad ?? [],
      minM: null,
      maxM: request.maxM ?? null,
      rangeStepM: null,
      azimuthStepRad: null,
      firingsPerTurn: pattern?.firingsPerTurn ?? null,
      turnsPerS: pattern?.turnsPerS ?? null,
      recipe: null,
    },
    intensityOfWhite: request.intensityOfWhite ?? null,
    misses,
    returns: request.returns,
    cuts: cutsOf(request, null),
  });
}

interface WrittenCounts {
  clouds: number;
  withoutPose: number;
  points: number;
  pointsWithoutPose: number;
  notANumber: number;
}

async function writeClouds(
  writer: LogWriter,
  source: LogSourceReader,
  stream: string,
  request: Request,
  { signal, progress }: HandlerContext,
  options: CloudOptions & {
    isTimeDerived: boolean;
    pattern: FiringPattern | null;
    hasGrid: boolean;
    lasers: Lasers | null;
    cuts: LogHead['cuts'];
  },
): Promise<WrittenCounts> {
  const { fromS = -Infinity, toS = Infinity } = request;
  const returns = oneReturn(request.returns);
  const extent = createCutExtent();
  const counts = { clouds: 0, withoutPose: 0, points: 0, pointsWithoutPose: 0, notANumber: 0 };
  const { pattern, lasers, cuts, poseAt, baseNs } = options;
  const finder = pattern === null ? null : createMissFinder(pattern);
  const report = (done: number, total: number): void =>
    progress({ phase: 'importing', done, total });
  const bodyPose = (timeNs: bigint): Pose | null => poseAt(Number(timeNs - baseNs));
  const write = async (cloud: CloudToLog, beams: CloudBeams, nextNs: number | null) => {
    const found =
      finder?.complete(
        { ...cloud, missing: beams.missing, hasGrid: options.hasGrid, nextNs },
        {
          table: beams.table,
          beams: beams.beams,
          poseAt,
          baseNs,
        },
      ) ?? beams;
    const ordered: LogTable = inTimeOrder(found.table, found.beams);
    extent.takeRanges(ordered, found.beams);
    const kept = cutBeams(ordered, found.beams, cuts, bodyPose);
    extent.left += kept.beams;
    await writer.write(kept.table, kept.beams);
  };
  let firstNs: number | null = null;
  // Why one behind: a cloud ends where the next one begins.
  let waiting: { cloud: SourceCloud; beams: CloudBeams } | null = null;
  for await (const raw of source.clouds(stream, report)) {
    throwIfCancelled(signal);
    firstNs ??= raw.stampNs;
    extent.takeTime(raw.stampNs);
    const sinceS = (raw.stampNs - firstNs) / 1e9;
    if (sinceS < fromS || sinceS >= toS) continue;
    const cloud = lasers === null ? raw : withLasers(raw, lasers);
    const all = beamsOfCloud(cloud, options);
    if (all.fault !== null) {
      const { point, message } = all.fault;
      const place = `${request.source}: cloud ${raw.sweep + 1}, point ${point + 1}`;
      throw badInput('source', `${place}: ${message}`);
    }
    const hasTimes = raw.timeNs !== null && !options.isTimeDerived;
    const beams = hasTimes ? { ...all, ...keepOneReturn(all.table, all.beams, returns) } : all;
    counts.clouds += 1;
    counts.points += all.beams + beams.withoutPose;
    counts.pointsWithoutPose += beams.withoutPose;
    counts.notANumber += beams.notANumber;
    if (beams.beams === 0 && beams.withoutPose > 0) counts.withoutPose += 1;
    if (waiting !== null) await write(waiting.cloud, waiting.beams, startOf(cloud));
    waiting = { cloud, beams };
  }
  throwIfCancelled(signal);
  if (waiting !== null) await write(waiting.cloud, waiting.beams, null);
  if (counts.pointsWithoutPose === 0) extent.check(request);
  return counts;
}

function startOf({ timeNs, stampNs }: SourceCloud): number {
  return timeNs?.reduce((least, time) => Math.min(least, time), Infinity) ?? stampNs;
}

/** @throws 'bad-input' where the poses do not cover the clouds */
function notesOf(
  { clouds, points, pointsWithoutPose, notANumber }: WrittenCounts,
  path: SensorPath,
  head: LogHead,
  { infersMisses }: Request,
): string[] {
  if (pointsWithoutPose > maxUncoveredShare * points) {
    const share = Math.round((100 * pointsWithoutPose) / points);
    const span = Number.isFinite(path.fromNs)
      ? ` (${((path.toNs - path.fromNs) / 1e9).toFixed(1)} s of poses, at most ${(path.longestGapNs / 1e9).toFixed(1)} s apart; --max-gap takes longer gaps than 2 s, --pose a sensor at rest)`
      : '';
    const message = `expected poses for all of ${countText(clouds)} clouds, found none for ${share} % of their points${span}`;
    throw badInput('poses', message, { title: 'the poses do not cover the log' });
  }
  const notes: string[] = [];
  if (pointsWithoutPose > 0) {
    notes.push(`${countText(pointsWithoutPose)} points without a pose were left out`);
  }
  if (notANumber > 0)
    notes.push(`${countText(notANumber)} points without coordinates were left out`);
  if (head.misses === 'inferred') notes.push('misses were inferred from the firing pattern');
  return [...notes, ...notesOfMisses(head, infersMisses)];
}
