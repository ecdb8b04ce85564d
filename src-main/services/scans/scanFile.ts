// Where the rows of a single scan go: a table or cloud for other programs, or a recording (.mcap).
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  endingsText,
  formatOfName,
  scanFileFormats,
  type ScanFileFormat,
} from '#contract/host/runMethods.ts';
import type { Pose } from '#contract/host/run.ts';
import { hashedColumnsOf } from '#domain/sensor/recordedColumns.ts';
import { firingsOf } from '#domain/sensor/firings.ts';
import { engineHash } from '#services/engine.ts';
import { worldOf } from '#domain/scene/georeference.ts';
import type { MotionSteps } from '#services/ports/recordings.ts';
import { lasCodesOf } from '#domain/scene/lasCodes.ts';
import { type IdTables, openIdTables } from './idTables.ts';
import { inSensorFrame, sensorPointColumns, worldOnlyColumns } from '#domain/sensor/sensorFrame.ts';
import { openScanFrames } from './scanFrames.ts';
import { openScanLog } from './scanLog.ts';
import {
  poseAt,
  type ScanFile,
  type ScanFileOptions,
  type ScanFilePorts,
  tickNs,
} from './scanTarget.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import {
  sensorPoseAt,
  trajectoryWithin,
  travelDirectionAt,
} from '#domain/trajectory/trajectory.ts';
import type { Interval, ScanPath } from './scanPath.ts';

/** The format that the name of a file asks for. @throws 'bad-input' */
export function scanFileFormatOf(file: string): ScanFileFormat {
  const format = formatOfName(file, scanFileFormats);
  if (format !== null) return format;
  const message = `expected a file that ends in one of ${endingsText(scanFileFormats)}, found '${file}'`;
  throw new UnderstoryError('bad-input', `no scan can be written to '${file}'`, {
    problems: [{ path: 'out', code: 'format', message }],
  });
}

/** Most poses of one tick in a recording. */
const maxTickPoses = 100;

/** The sensor's poses in a tick: those of the path, or where these are too many, evenly spaced ones. */
function stepsOf({ legs }: ScanPath, leg: number, { fromNs, toNs }: Interval): MotionSteps | null {
  const trajectory = legs[leg]?.trajectory;
  if (trajectory === undefined || trajectory.time_ns.length === 1) return null;
  const { time_ns: times } = trajectoryWithin(trajectory, fromNs, toNs);
  const within = times.subarray(1, maxTickPoses + 2);
  const own = Array.from(within, Number).filter((timeNs) => timeNs > fromNs && timeNs < toNs);
  const stepNs = (toNs - fromNs) / maxTickPoses;
  const isDense = own.length >= maxTickPoses;
  const even = (step: number): number => fromNs + Math.round((step + 1) * stepNs);
  const later = isDense ? Array.from({ length: maxTickPoses - 1 }, (_, step) => even(step)) : own;
  const timesNs = [fromNs, ...later];
  return { timesNs, poses: timesNs.map((timeNs) => sensorPoseAt(trajectory, timeNs)) };
}

/** The pose of a stationary sensor; null: it moves. */
function stationaryPose({ legs: [leg, ...others] }: ScanPath): Pose | null {
  const isStationary = others.length === 0 && leg?.trajectory.time_ns.length === 1;
  return isStationary ? sensorPoseAt(leg.trajectory, leg.fromNs) : null;
}

/** Opens the file that a scan is written to. @throws 'bad-input' for its name, 'disk-full', 'io', 'not-found' */
export async function openScanFile(
  ports: ScanFilePorts,
  file: string,
  options: ScanFileOptions,
): Promise<ScanFile> {
  const { request } = options;
  if (request.format === 'semantickitti') return openScanFrames(ports, file, options);
  const format = scanFileFormatOf(file);
  if (format === 'mcap') return openRecording(ports, file, options);
  if (format === 'log') return openScanLog(ports, file, options);
  const { compiled, path, target } = options;
  const { columns, dropped, needed, tableOf } = columnsInFrame(options.columns, request.frame);
  const { classes } = compiled.recipe;
  const stationary = request.frame === 'sensor' ? null : stationaryPose(path);
  const epochS = path.legs[0]?.epochS;
  const missRangeM = request.misses ? compiled.sensors[0]?.recipe.maxRangeM : undefined;
  const exporter = await ports.exporters.create(file, {
    format,
    columns,
    classes,
    lasCodes: lasCodesOf(compiled),
    ...(request.frame !== 'sensor' && worldOf(compiled)),
    ...(missRangeM !== undefined && { missRangeM }),
    ...(stationary && { viewpoint: stationary }),
    ...(epochS !== undefined && { epochS }),
    travelAt: (leg, timeNs) => {
      const trajectory = path.legs[leg]?.trajectory;
      return trajectory === undefined ? null : travelDirectionAt(trajectory, timeNs);
    },
    firings: compiled.sensors.map(({ recipe }) => firingsOf(recipe)),
    ...(path.isSurvey && { legs: path.legs.map(({ name }) => name) }),
    ...target,
  });
  let ids: IdTables | null = null;
  const abort = async (): Promise<void> => {
    await ids?.abort();
    await exporter.abort();
  };
  try {
    ids = await openIdTables(ports.exporters, file, columns, compiled, target);
  } catch (error) {
    await abort();
    throw error;
  }
  const { take, isSeen, write, close } = ids;
  return {
    columns: needed,
    intervalNs: null,
    rows: (table, rows, leg) => {
      take(table, rows);
      return exporter.write(tableOf(table, rows), rows, leg);
    },
    endInterval: () => Promise.resolve(),
    close: async () => {
      await options.eachObject(isSeen, write);
      const { files, leftOut } = await exporter.close();
      return { files: [...files, ...(await close())], leftOut: [...dropped, ...leftOut] };
    },
    abort,
  };
}

/** The columns of a file in its frame, those that it has no place for, and those that the worker gives for it. */
function columnsInFrame(
  columns: ReturnColumnName[],
  frame: 'world' | 'sensor' = 'world',
): {
  columns: ReturnColumnName[];
  dropped: ReturnColumnName[];
  needed: ReturnColumnName[];
  tableOf: (table: ReturnTable, rows: number) => ReturnTable;
} {
  if (frame === 'world') {
    return { columns, dropped: [], needed: columns, tableOf: (table) => table };
  }
  const shown = columns.filter((name) => !worldOnlyColumns.includes(name));
  return {
    columns: shown,
    dropped: columns.filter((name) => worldOnlyColumns.includes(name)),
    needed: [...new Set([...shown, ...sensorPointColumns])],
    tableOf: inSensorFrame,
  };
}

/** One cloud for each tick of the scenario, as in the recording of a run. */
async function openRecording(
  ports: ScanFilePorts,
  file: string,
  { columns, compiled: whole, heights, hello, path, request, target }: ScanFileOptions,
): Promise<ScanFile> {
  // Why: readers of the recording must know whether it has pulses without an echo.
  const { scenario } = whole;
  const recording = { ...scenario.recording, misses: true };
  const compiled = request.misses ? { ...whole, scenario: { ...scenario, recording } } : whole;
  const recordedColumns = [...new Set([...hashedColumnsOf(compiled), ...columns])];
  const open = await ports.exporters.openTarget(file, target);
  const head = {
    compiled,
    heights,
    classes: compiled.recipe.classes,
    isa: hello.isa,
    understoryVersion: ports.product.version,
    engine: await engineHash(hello, ports.product.simulatingSources),
  };
  const writer = await ports.recordings.create(open.aside, head).catch(async (error: unknown) => {
    await open.abort();
    throw error;
  });
  let parts: ReturnTable[] = [];
  let rows = 0;
  return {
    columns: recordedColumns,
    intervalNs: tickNs(compiled),
    rows: (table, tableRows) => {
      parts.push(table);
      rows += tableRows;
    },
    endInterval: async (record, leg) => {
      const scan = { ...record, table: joinReturns(parts, recordedColumns), rows };
      parts = [];
      rows = 0;
      const pose = poseAt(path, leg, record.toNs);
      const steps = stepsOf(path, leg, record);
      await writer.tick({
        tick: record.tick,
        timeNs: record.toNs,
        truth: pose,
        estimate: pose,
        speedMPerS: 0,
        distanceToGoalM: 0,
        collisions: 0,
        activity: 'waiting',
        sensorPoses: [pose],
        ...(steps && { steps }),
      });
      await writer.scan(scan);
    },
    close: async () => {
      await writer.close();
      await open.finish();
      return { files: [file], leftOut: [] };
    },
    abort: async () => {
      // Why swallowed: what is removed need not be whole.
      await writer.close().catch(() => undefined);
      await open.abort();
    },
  };
}
