// runs.export into a folder of frames: one for each scan of a sensor.
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { trajectoryPoseAt } from '#domain/trajectory/trajectory.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { RunRow } from '#services/ports/catalogue.ts';
import type { RecordedObjects, RecordingReader } from '#services/ports/recordings.ts';
import { type IdTables, openIdTables } from '#services/scans/sinks/idTables.ts';
import {
  atField,
  eachScan,
  type ExportRunPorts,
  oneSensorOf,
  type Selection,
  sensorPaths,
} from './exportedScans.ts';
import { expectTruth } from '#services/recordedTruth.ts';

/** One frame for each scan of the sensor. @throws as exportRun, and 'bad-input' where the sensor of several is not named */
export async function exportFrames(
  ports: ExportRunPorts,
  run: RunRow,
  reader: RecordingReader,
  { out, isReplacing, idTables = false }: RequestOf<'runs.export'>,
  selection: Selection,
  context: HandlerContext,
): Promise<Replies['runs.export']> {
  const { compiled, classes } = reader.header;
  expectTruth(compiled, 'the labels of semantickitti need');
  const only = oneSensorOf(compiled, selection, 'the frames of one sensor are written');
  const path = (await sensorPaths(reader))[only];
  const objectsAt = new Map<number, RecordedObjects['objects']>();
  for await (const { timeNs, objects } of reader.objects()) objectsAt.set(timeNs, objects);
  const originM = originOf(compiled.scenario.scene);
  const target = { isReplacing };
  const frames = await ports.exporters
    .createFrames(out, { classes, originM, ...target })
    .catch((error: unknown) => {
      throw atField('out', error);
    });
  let ids: IdTables | null = null;
  try {
    const tables = { file: out, columns: ['object_id' as const], compiled, target };
    if (idTables) ids = await openIdTables(ports.exporters, tables);
    await eachScan(ports.catalogue, run, reader, selection, context, async (scan) => {
      if (path === undefined) throw new UnderstoryError('corrupt', 'the recording has no poses');
      const { table, rows, toNs: timeNs } = scan;
      ids?.take(table, rows);
      const pose = trajectoryPoseAt(path, timeNs);
      const objects = objectsAt.get(timeNs);
      await frames.write({ timeNs, pose, table, rows, ...(objects && { objects }) });
    });
    await ids?.write(ports.catalogue.instances(run.id));
    const written = await frames.close();
    return { ...written, files: [...written.files, ...((await ids?.close()) ?? [])] };
  } catch (error) {
    await ids?.abort();
    await frames.abort();
    throw error;
  }
}
