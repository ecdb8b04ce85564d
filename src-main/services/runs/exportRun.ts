// runs.export: the points of a run for other programs, in the columns, the frame and the interval that are asked for.
import {
  beamColumns,
  type ColumnSetName,
  columnSetNames,
  defaultScanColumns,
  namedColumns,
  type ReturnColumnName,
  returnColumnNames,
  returnColumns,
  type ReturnTable,
} from '#contract/columns.ts';
import { recordsTruth } from '#contract/documents/scenario.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { OriginM } from '#contract/worldOrigin.ts';
import type { ExportFormat } from '#contract/host/exportFormats.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { volumeClassNames } from '#domain/log/simulatedLog.ts';
import { worldOf } from '#domain/scene/georeference.ts';
import { lasCodesOf } from '#domain/scene/lasCodes.ts';
import { radians } from '#domain/shared/numbers.ts';
import { selectRows, type SelectedRows } from '#domain/shared/selectRows.ts';
import { insideBox } from '#domain/shared/uprightBox.ts';
import { firingsOf } from '#domain/sensor/firings.ts';
import { withBeams } from '#domain/sensor/beamsOfPoses.ts';
import { impliedColumns, withImpliedColumns } from '#domain/sensor/recordedColumns.ts';
import { inSensorFrame, worldOnlyColumns } from '#domain/sensor/sensorFrame.ts';
import {
  trajectoryPoseAt,
  travelDirectionAt,
  type Trajectory,
} from '#domain/trajectory/trajectory.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { RunRow } from '#services/ports/catalogue.ts';
import type { ReturnsExporter } from '#services/ports/exporters.ts';
import type { RecordedScan, RecordingReader } from '#services/ports/recordings.ts';
import { type IdTables, openIdTables } from '#services/scans/sinks/idTables.ts';
import { exportBoxes } from './exportBoxes.ts';
import { exportFrames } from './exportFrames.ts';
import { exportPackets } from './exportPackets.ts';
import {
  atField,
  eachScan,
  epochOptionOf,
  type ExportRunPorts,
  type Selection,
  sensorIndex,
  sensorPaths,
} from './exportedScans.ts';
import { expectTruth } from '#services/recordedTruth.ts';
import { openRunRecording } from './openRun.ts';

type Request = RequestOf<'runs.export'>;

/** For one file. */
type FileRequest = Request & { format: ExportFormat };

/** Writes the points of a run. @throws 'bad-input', 'not-found', 'corrupt' as the ports do; nothing is left then */
export async function exportRun(
  ports: ExportRunPorts,
  run: RunRow,
  request: Request,
  context: HandlerContext,
): Promise<Replies['runs.export']> {
  const { format, frame = 'world', sensor, fromS, toS } = request;
  const reader = await openRunRecording(ports, run);
  try {
    if (format === 'boxes') return await exportBoxes(ports, reader, request, context);
    const names = reader.header.compiled.sensors.map(({ name }) => name);
    const only = sensor === undefined ? null : sensorIndex(names, sensor);
    const selection = { only, fromNs: (fromS ?? 0) * 1e9, toNs: (toS ?? Infinity) * 1e9 };
    if (format === 'semantickitti') {
      return await exportFrames(ports, run, reader, request, selection, context);
    }
    if (format === 'velodyne-pcap') {
      return await exportPackets(ports, run, reader, request, selection, context);
    }
    const { columns, dropped } = await chosenColumns(reader, { ...request, format }, selection);
    const isWithTruth = recordsTruth(reader.header.compiled.scenario);
    const needsBeams = beamColumns.some((name) => columns.includes(name));
    const paths = needsBeams ? await sensorPaths(reader) : [];
    const tableOf = ({ table, rows, sensor: index }: RecordedScan): ReturnTable => {
      const whole = isWithTruth ? withImpliedColumns(table, rows) : table;
      if (frame === 'sensor') return inSensorFrame(whole, rows);
      const path = paths[index];
      return path === undefined
        ? whole
        : withBeams(whole, rows, (timeNs) => trajectoryPoseAt(path, timeNs));
    };
    const within = rowsWithin(request.box, worldOf(reader.header.compiled).originM);
    const files = await openFiles(ports, reader, { ...request, format }, columns, selection, paths);
    try {
      await eachScan(ports.catalogue, run, reader, selection, context, async (scan) => {
        const { table, rows } = within(scan.table, tableOf(scan), scan.rows);
        files.ids?.take(table, rows);
        await files.exporter.write(table, rows, scan.sensor);
      });
      const { points, leftOut, files: written } = await files.exporter.close();
      await files.ids?.write(ports.catalogue.instances(run.id));
      const tables = (await files.ids?.close()) ?? [];
      const wanted = namedColumns(request.columns ?? defaultScanColumns);
      const missing = wanted.filter((name) => !columns.some((one) => one === name));
      return {
        files: [...written, ...tables],
        points,
        leftOut: [...new Set([...missing, ...dropped]), ...leftOut],
      };
    } catch (error) {
      await files.ids?.abort();
      await files.exporter.abort();
      throw error;
    }
  } finally {
    await reader.close();
  }
}

/** Rows of an exported table whose recorded places are in a box of the world. */
function rowsWithin(
  box: Request['box'],
  [x, y, z]: OriginM,
): (recorded: ReturnTable, exported: ReturnTable, rows: number) => SelectedRows {
  if (box === undefined) return (_, table, rows) => ({ table, rows });
  const [centreX, centreY, centreZ] = box.centreM;
  const isInside = insideBox({
    centreM: [centreX - x, centreY - y, centreZ - z],
    sizeM: box.sizeM,
    yawRad: radians(box.yawDeg),
  });
  return ({ x_m: xM, y_m: yM, z_m: zM }, table, rows) =>
    selectRows(table, rows, (row) =>
      isInside(xM?.[row] ?? NaN, yM?.[row] ?? NaN, zM?.[row] ?? NaN),
    );
}

interface Files {
  exporter: ReturnsExporter;
  ids: IdTables | null;
}

async function openFiles(
  { exporters }: ExportRunPorts,
  { header: { classes, compiled } }: RecordingReader,
  { format, frame = 'world', out, isReplacing, idTables = false }: FileRequest,
  columns: ReturnColumnName[],
  { only }: Selection,
  paths: readonly Trajectory[],
): Promise<Files> {
  const names = compiled.sensors.map(({ name }) => name);
  // Why not always: one sensor needs no distinction.
  const sensors = only === null && names.length > 1 ? { sensors: names } : {};
  const exporter = await exporters
    .create(out, {
      format,
      columns,
      classes,
      volumeClasses: volumeClassNames(compiled),
      lasCodes: lasCodesOf(compiled),
      ...(frame === 'world' && worldOf(compiled)),
      ...epochOptionOf(compiled),
      firings: compiled.sensors.map(({ recipe }) => firingsOf(recipe)),
      isReplacing,
      ...sensors,
      travelAt: (index, timeNs) => {
        const path = paths[index];
        return path === undefined ? null : travelDirectionAt(path, timeNs);
      },
    })
    .catch((error: unknown) => {
      throw atField('out', error);
    });
  try {
    const tables = { file: out, columns, compiled, target: { isReplacing } };
    return { exporter, ids: idTables ? await openIdTables(exporters, tables) : null };
  } catch (error) {
    await exporter.abort();
    throw atField('out', error);
  }
}

/** The columns of the file, and those that its frame has no place for. @throws 'bad-input' for those that were not recorded */
async function chosenColumns(
  reader: RecordingReader,
  { columns, format, frame = 'world' }: FileRequest,
  { only }: Selection,
): Promise<{ columns: ReturnColumnName[]; dropped: ReturnColumnName[] }> {
  const recorded = await columnsOf(reader, only);
  const { compiled } = reader.header;
  const isWithTruth = recordsTruth(compiled.scenario);
  const derived = isWithTruth ? [...impliedColumns, ...beamColumns] : [];
  const known = [...new Set([...recorded, ...derived])];
  const beams = isWithTruth && format === 'las' && frame === 'world' ? beamColumns : [];
  const named = columns ?? [...recorded, ...beams];
  const truth = named.filter((name) => truthColumns.includes(name));
  if (truth.length > 0) expectTruth(compiled, `${truth.join(', ')} would come from`);
  const chosen = wantedColumns(named, known);
  const isDropped = (name: ReturnColumnName): boolean =>
    frame === 'sensor' && worldOnlyColumns.includes(name);
  return {
    columns: chosen.filter((name) => !isDropped(name)),
    dropped: chosen.filter(isDropped),
  };
}

const truthColumns: readonly string[] = returnColumnNames.filter(
  (name) => returnColumns[name].kind === 'truth',
);

/** Sets give their recorded columns. @throws 'bad-input' where a column that is named was not recorded */
function wantedColumns(
  wanted: readonly (ReturnColumnName | ColumnSetName)[],
  recorded: readonly ReturnColumnName[],
): ReturnColumnName[] {
  const isSet = (name: string): name is ColumnSetName =>
    columnSetNames.some((known) => known === name);
  const missing = wanted.filter((name) => !isSet(name) && !recorded.includes(name));
  if (missing.length === 0) {
    return namedColumns(wanted).filter((name) =>
      recorded.some((known) => known === name),
    ) as ReturnColumnName[];
  }
  const message = `expected columns that were recorded (${recorded.join(', ')}), found ${missing.join(', ')}`;
  throw new UnderstoryError('bad-input', `the run has no ${missing.join(', ')}`, {
    problems: [{ path: 'columns', code: 'custom', message }],
  });
}

/** The columns that a recording keeps of a sensor, or of all, in the contract's order. */
async function columnsOf(
  reader: RecordingReader,
  only: number | null,
): Promise<ReturnColumnName[]> {
  for await (const { table, sensor } of reader.scans()) {
    if (only !== null && sensor !== only) continue;
    return returnColumnNames.filter((name) => table[name] !== undefined);
  }
  return defaultScanColumns;
}
