// runs.export as the packets that a sensor of Velodyne's would have sent.
import { badInput } from '#contract/errors.ts';
import type { Replies, RequestOf } from '#contract/host/methods.ts';
import { velodyneSensorOf } from '#domain/shared/velodyne/sensor.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { RunRow } from '#services/ports/catalogue.ts';
import type { RecordingReader } from '#services/ports/recordings.ts';
import {
  atField,
  eachScan,
  epochOptionOf,
  type ExportRunPorts,
  oneSensorOf,
  type Selection,
} from './exportedScans.ts';

/** The packets of one sensor. @throws as exportRun, and 'bad-input' for a sensor that is none of Velodyne's */
export async function exportPackets(
  ports: ExportRunPorts,
  run: RunRow,
  reader: RecordingReader,
  { out, isReplacing }: RequestOf<'runs.export'>,
  selection: Selection,
  context: HandlerContext,
): Promise<Replies['runs.export']> {
  const { compiled } = reader.header;
  const only = oneSensorOf(compiled, selection, 'the packets of one sensor are written');
  const recipe = compiled.sensors[only]?.recipe;
  if (recipe === undefined) throw badInput('sensor', 'expected a sensor, found none');
  const sensor = velodyneSensorOf(recipe);
  if (sensor.value === null) throw badInput('sensor', sensor.problem);
  const { epochS = 0 } = epochOptionOf(compiled);
  const packets = await ports.exporters
    .createPackets(out, { sensor: sensor.value, epochS }, { isReplacing })
    .catch((error: unknown) => {
      throw atField('out', error);
    });
  try {
    await eachScan(ports.catalogue, run, reader, { ...selection, only }, context, (scan) =>
      packets.write(scan.table, scan.rows),
    );
    return await packets.close();
  } catch (error) {
    await packets.abort();
    throw error;
  }
}
