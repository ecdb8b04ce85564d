// A log from a run of ours: the beams of one of its sensors, with ground truth, and with misses where they were recorded.
import { badInput, throwIfCancelled } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import type { Pose } from '#contract/host/run.ts';
import type { LogCuts } from '#contract/log/log.ts';
import { beamsOfReturns } from '#domain/log/beamsOfReturns.ts';
import { cutBeams, headWithCuts } from '#domain/log/cuts.ts';
import { trajectoryPoseAt } from '#domain/trajectory/trajectory.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { LogWriter, Logs } from '#services/ports/logs.ts';
import type { RecordingReader } from '#services/ports/recordings.ts';
import { notesOfReplaced } from '#services/documents/systems.ts';
import { createRecordedPaths } from '#services/runs/recordedMotion.ts';
import { createCutExtent } from './cutChecks.ts';
import { hasBeams, missesOfRun, simulatedHead, volumeClasses } from '#domain/log/simulatedLog.ts';

type Request = RequestOf<'log.import'>;

/** Writes the log of a recording. @throws 'bad-input' for a recording without ground truth or an unknown sensor */
export async function importRecording(
  { logs, version }: { logs: Logs; version: string },
  reader: RecordingReader,
  request: Request,
  source: 'run' | 'scan',
  { signal, progress }: HandlerContext,
): Promise<{ notes: string[] }> {
  const { compiled, classes } = reader.header;
  if (!hasBeams(compiled)) {
    throw badInput(
      'source',
      'expected a recording with ground truth, found one without (--no-truth)',
    );
  }
  const sensors = compiled.sensors.map(({ name }) => name);
  const index = sensorIndex(sensors, request.sensor);
  const sensor = compiled.sensors[index];
  if (sensor === undefined) throw badInput('source', 'expected a recording with a sensor');
  const paths = createRecordedPaths(sensors.length);
  let ticks = 0;
  for await (const tick of reader.ticks()) {
    throwIfCancelled(signal);
    paths.take(tick);
    ticks += 1;
  }
  const path = paths.sensors[index]?.trajectory();
  const body = paths.vehicle.trajectory();
  if (path === undefined || path.time_ns.length === 0) {
    throw badInput('source', 'expected a recording with poses, found none');
  }
  const cuts = cutsOf(request, bodyOfVehicle(compiled.scenario.vehicle));
  const volumes = volumeClasses(compiled);
  const whole = simulatedHead(compiled, sensor, {
    source,
    understoryVersion: version,
    classes,
    misses: missesOfRun(compiled),
    returns: request.returns,
    cuts,
    crs: request.crs,
  });
  const head = headWithCuts(whole);
  const { isReplacing, out } = request;
  const fromNs = (request.fromS ?? -Infinity) * 1e9;
  const toNs = (request.toS ?? Infinity) * 1e9;
  const extent = createCutExtent();
  const write = async (writer: LogWriter): Promise<void> => {
    let scans = 0;
    for await (const scan of reader.pulses()) {
      throwIfCancelled(signal);
      if (scan.sensor !== index) continue;
      extent.takeTime(scan.fromNs);
      extent.takeTime(scan.toNs);
      if (scan.toNs <= fromNs) continue;
      if (scan.fromNs >= toNs) break;
      const { table, beams } = beamsOfReturns({
        table: scan.table,
        rows: scan.rows,
        sweep: scan.tick,
        poseAt: (timeNs) => trajectoryPoseAt(path, timeNs),
        returns: request.returns,
        isVolume: (classId) => volumes.has(classId),
      });
      const poseAt = (timeNs: bigint): Pose => trajectoryPoseAt(body, Number(timeNs));
      extent.takeRanges(table, beams);
      const kept = cutBeams(table, beams, cuts, poseAt);
      extent.left += kept.beams;
      await writer.write(kept.table, kept.beams);
      scans += 1;
      // A scan a tick.
      progress({ phase: 'importing', done: scans, total: Math.max(scans, ticks) });
    }
  };
  const writer = await logs.create(out, head, { isReplacing });
  try {
    await write(writer);
    extent.check(request);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  const command = source === 'run' ? 'drive --misses' : 'scan --misses';
  const advice = `pulses without a return were not recorded: '${command}' keeps them`;
  const notes = notesOfReplaced(request.crs, compiled.scenario.scene.crs, 'scene');
  return { notes: head.misses === 'unknown' ? [...notes, advice] : notes };
}

/** @throws 'bad-input' where the run has several and none is named, or none of that name */
function sensorIndex(names: readonly string[], wanted: string | undefined): number {
  if (wanted === undefined && names.length === 1) return 0;
  const index = names.findIndex((name) => name === wanted);
  if (index >= 0) return index;
  const found = wanted === undefined ? 'none' : `'${wanted}'`;
  throw badInput('sensor', `expected one of ${names.join(', ')}, found ${found}`);
}

/** The box of the vehicle in its own frame: its origin is on the ground, in the middle. */
function bodyOfVehicle({
  lengthM,
  widthM,
  heightM,
}: {
  lengthM: number;
  widthM: number;
  heightM: number;
}): NonNullable<LogCuts['bodyM']> {
  return [
    [-lengthM / 2, -widthM / 2, 0],
    [lengthM / 2, widthM / 2, heightM],
  ];
}

/** @param vehicle box of the vehicle; null: the source has none */
export function cutsOf(request: Request, vehicle: NonNullable<LogCuts['bodyM']> | null): LogCuts {
  const { body } = request;
  const azimuthDeg = request.azimuthDeg ?? null;
  const rangeM = request.rangeM ?? null;
  if (body !== 'vehicle') return { azimuthDeg, rangeM, bodyM: body ?? null };
  if (vehicle !== null) return { azimuthDeg, rangeM, bodyM: vehicle };
  throw badInput('body', "expected a box 'x,y,z,x,y,z': the source does not know its vehicle");
}
