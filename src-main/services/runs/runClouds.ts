// runs.clouds: the recorded points of a run, scan by scan; of a run under way as they are recorded.
import { type Columns, namedColumns } from '#contract/columns.ts';
import { recordsTruth } from '#contract/documents/scenario.ts';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { RunCloud } from '#contract/host/runMethods.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { withImpliedColumns } from '#domain/sensor/recordedColumns.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RecordedScan } from '#services/ports/recordings.ts';
import type { Timer } from '#services/ports/system.ts';
import { followRecording } from './followRecording.ts';
import { openRunRecording, type RunRecordingPorts } from './openRun.ts';
import { runOf } from './runCollection.ts';

export interface RunCloudsPorts extends RunRecordingPorts {
  catalogue: Catalogue;
  timer: Timer;
}

/** The handler. */
export function cloudsHandler(ports: RunCloudsPorts): Pick<Handlers<'runs'>, 'runs.clouds'> {
  const { catalogue } = ports;
  return {
    'runs.clouds': async ({ runId, isFollowing, ...wanted }, context) => {
      const run = runOf(catalogue, runId);
      const reader =
        isFollowing && run.state === 'running'
          ? await followRecording(ports, run.id, context.signal)
          : await openRunRecording(ports, run);
      try {
        const { classes, compiled } = reader.header;
        const originM: RunCloud['originM'] = [...originOf(compiled.scenario.scene)];
        const isWithTruth = recordsTruth(compiled.scenario);
        const names = compiled.sensors.map(({ name }) => name);
        expectSensor(names, wanted.sensor);
        const fromNs = (wanted.fromS ?? 0) * 1e9;
        const toNs = (wanted.toS ?? Infinity) * 1e9;
        let scans = 0;
        for await (const scan of reader.scans()) {
          throwIfCancelled(context.signal);
          const name = names[scan.sensor] ?? '';
          if (scan.fromNs >= toNs) break;
          if (scan.toNs <= fromNs) continue;
          if (wanted.sensor !== undefined && wanted.sensor !== name) continue;
          const { table, rows } = scan;
          const whole = isWithTruth ? withImpliedColumns(table, rows) : table;
          const columns = wanted.columns === undefined ? table : only(whole, wanted.columns);
          await send(scan, { name, originM }, columns, context);
          scans += 1;
        }
        return { reply: { scans, classes, sensors: names } };
      } finally {
        await reader.close();
      }
    },
  };
}

function send(
  scan: RecordedScan,
  of: Pick<RunCloud, 'name' | 'originM'>,
  columns: Columns,
  { chunk }: HandlerContext,
): Promise<void> {
  const { tick, sensor, fromNs, toNs, rows, pulses } = scan;
  const body: RunCloud = { tick, sensor, fromNs, toNs, rows, pulses, ...of };
  return chunk(body, columns);
}

/** @throws 'bad-input' for a column that was not recorded */
function only(table: Columns, wanted: Parameters<typeof namedColumns>[0]): Columns {
  return Object.fromEntries(
    namedColumns(wanted).map((name) => {
      const column = table[name];
      if (column === undefined)
        throw refused('columns', `expected recorded columns, found '${name}'`);
      return [name, column];
    }),
  );
}

function expectSensor(names: readonly string[], sensor: string | undefined): void {
  if (sensor === undefined || names.includes(sensor)) return;
  throw refused('sensor', `expected one of ${names.join(', ')}, found '${sensor}'`);
}

function refused(path: string, message: string): UnderstoryError {
  const problems = [{ path, code: 'custom', message }];
  return new UnderstoryError('bad-input', `${path}: ${message}`, { problems });
}
