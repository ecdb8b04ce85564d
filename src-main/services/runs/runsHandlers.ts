// runs.*: asking about runs, taking their points out, and deleting them.
import {
  type ColumnSetName,
  columnSetNames,
  defaultScanColumns,
  namedColumns,
  type ReturnColumnName,
  returnColumnNames,
} from '#contract/columns.ts';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import type { Handlers } from '#services/handlers.ts';
import type { RunRow, ScanFilter } from '#services/ports/catalogue.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { driveFromWorld, worldOf } from '#domain/scene/georeference.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import type { RecordingReader } from '#services/ports/recordings.ts';
import type { LogFile } from '#services/ports/system.ts';
import {
  listItem,
  runCollectionHandlers,
  runOf,
  type RunCollectionPorts,
} from './runCollection.ts';
import { adoptHandler, type AdoptPorts } from './adoptRuns.ts';
import { lacking, openRunRecording } from './openRun.ts';
import { runPlaybackHandlers, type RunPlaybackPorts } from './runPlayback.ts';
import { runPoses } from './poses.ts';
import { compiledWithoutObjects } from './storedDocument.ts';
import { impliedColumns, withImpliedColumns } from '#domain/sensor/recordedColumns.ts';

interface RunsPorts extends RunCollectionPorts, RunPlaybackPorts, AdoptPorts {
  exporters: Exporters;
  logFile: LogFile;
}

/** Lines that are logged within this time after a run's end belong to its ending. */
const logAfterMs = 2000;

/** The handlers of `runs.*` (contract/host/methods.ts) but for those about files of runs (services/bundles). */
export function runsHandlers(
  ports: RunsPorts,
): Omit<Handlers<'runs'>, 'runs.pack' | 'runs.unpack' | 'runs.verify'> {
  const { catalogue, exporters, folders } = ports;
  return {
    ...runCollectionHandlers(ports),
    ...runPlaybackHandlers(ports),
    ...adoptHandler(ports),

    'runs.show': async ({ runId }) => ({ reply: await details(runOf(catalogue, runId)) }),

    'runs.scans': ({ runId, instance, minReturns }) => {
      const { id } = runOf(catalogue, runId);
      if (instance === undefined) {
        return { reply: catalogue.scans(id).filter(({ returns }) => returns >= minReturns) };
      }
      return { reply: catalogue.scansOfInstance(id, instance, minReturns) };
    },

    'runs.export': async (request, context) => {
      const { format, out, isReplacing, sensor, fromS, toS } = request;
      const run = runOf(catalogue, request.runId);
      const reader = await openRunRecording(ports, run);
      try {
        const { classes, compiled } = reader.header;
        const names = compiled.sensors.map(({ name }) => name);
        const only = sensor === undefined ? null : sensorIndex(names, sensor);
        const recorded = await columnsOf(reader, only);
        const known = [...new Set([...recorded, ...impliedColumns])];
        const columns = wantedColumns(request.columns ?? recorded, known);
        // Why not always: one sensor needs no distinction.
        const sensors = only === null && names.length > 1 ? { sensors: names } : {};
        const exporter = await exporters
          .create(out, { format, columns, classes, isReplacing, ...worldOf(compiled), ...sensors })
          .catch((error: unknown) => {
            throw atField('out', error);
          });
        try {
          const fromNs = (fromS ?? 0) * 1e9;
          const toNs = (toS ?? Infinity) * 1e9;
          const total = run.metrics?.points ?? 0;
          let done = 0;
          let scans = 0;
          for await (const scan of reader.scans()) {
            throwIfCancelled(context.signal);
            if (scan.toNs <= fromNs) continue;
            if (scan.fromNs >= toNs) break;
            if (only !== null && scan.sensor !== only) continue;
            const table = withImpliedColumns(scan.table, scan.rows);
            await exporter.write(table, scan.rows, scan.sensor);
            done += scan.rows;
            scans += 1;
            context.progress({ phase: 'exporting', done, total });
          }
          expectAllScans(run, scans, { ...(only !== null && { sensor: only }), fromNs, toNs });
          const { files, points, leftOut } = await exporter.close();
          const wanted = namedColumns(request.columns ?? defaultScanColumns);
          const missing = wanted.filter((name) => !columns.some((written) => written === name));
          return { reply: { files, points, leftOut: [...missing, ...leftOut] } };
        } catch (error) {
          await exporter.abort();
          throw error;
        }
      } finally {
        await reader.close();
      }
    },

    'runs.log': async ({ runId }) => {
      const { createdMs, endedMs } = runOf(catalogue, runId);
      const toMs = endedMs === null ? Infinity : endedMs + logAfterMs;
      const { file } = ports.logFile;
      return { reply: { file, lines: await ports.logFile.between(createdMs - 1, toMs) } };
    },

    'runs.poses': async (request, context) => ({
      reply: await runPoses(ports, runOf(catalogue, request.runId), request, context),
    }),
  };

  /** @throws 'corrupt' where fewer scans were read than the catalogue holds of an ended run */
  function expectAllScans(run: RunRow, read: number, filter: ScanFilter): void {
    if (run.state === 'running' || run.state === 'interrupted') return;
    const { scans } = catalogue.counts(run.id, filter);
    if (read < scans) throw lacking(run, `holds ${read} of ${scans} scans`);
  }

  async function details(run: RunRow): Promise<RunDetails> {
    const {
      scenario,
      recipe,
      sensors,
      settings = [],
    } = await compiledWithoutObjects(ports, run.id);
    const { vehicle } = scenario;
    const { mission } = driveFromWorld(scenario);
    return {
      ...listItem(run),
      scenarioHash: run.scenarioHash,
      settings,
      sceneHash: run.sceneHash,
      version: run.version,
      isa: run.isa,
      hostName: run.hostName,
      origin: run.origin,
      recordingFile: folders.recordingFile(run.id),
      recordingBytes: folders.recordingBytes(run.id),
      scene: sceneMetrics(catalogue.sceneSummary(run.id), recipe),
      ...catalogue.counts(run.id),
      classes: recipe.classes,
      sensorNames: sensors.map(({ name }) => name),
      vehicleSizeM: [vehicle.lengthM, vehicle.widthM, vehicle.heightM],
      originM: [...originOf(scenario.scene)],
      crs: scenario.scene.crs ?? null,
      mission:
        mission === undefined
          ? null
          : {
              startM: mission.startM,
              goalM: mission.goalM,
              goalToleranceM: mission.goalToleranceM,
            },
    };
  }
}

/** @throws 'bad-input' where the run has no such sensor */
function sensorIndex(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const message = `expected one of ${names.join(', ')}, found '${name}'`;
  throw new UnderstoryError('bad-input', `the run has no sensor '${name}'`, {
    problems: [{ path: 'sensor', code: 'custom', message }],
  });
}

/** A refusal before the beginning, as a problem of the request's field. */
function atField(path: string, error: unknown): unknown {
  if (!(error instanceof UnderstoryError)) return error;
  const { code, message, details } = error;
  const { reason } = details;
  if (typeof reason !== 'string') return error;
  return new UnderstoryError(code, message, {
    ...details,
    problems: [{ path, code: reason, message }],
  });
}

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

function sceneMetrics(summary: SceneSummary | null, recipe: SceneRecipe): RunDetails['scene'] {
  if (summary === null) return null;
  const { instancedTriangles, uniqueTriangles, instances, models, minM, maxM } = summary;
  const isTree = models.map((_, index) => {
    const source = recipe.models[index]?.source;
    return source?.kind === 'plant' && source.plant.generator === 'tree';
  });
  return {
    instancedTriangles,
    uniqueTriangles,
    instances,
    grassBlades: models.reduce((sum, model) => sum + model.blades * model.instances, 0),
    trees: models.reduce((sum, model, index) => sum + (isTree[index] ? model.instances : 0), 0),
    minM,
    maxM,
  };
}
