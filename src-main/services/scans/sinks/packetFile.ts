// A scan as the packets that a sensor of Velodyne's would have sent.
import { badInput } from '#contract/errors.ts';
import { packetColumns } from '#domain/shared/velodyne/packets.ts';
import { velodyneSensorOf } from '#domain/shared/velodyne/sensor.ts';
import type { ReturnsKind } from './scanSink.ts';

export const packetFile: ReturnsKind = {
  hasMisses: true,
  open: async ({ ports, plan: { path, sensor, target } }, out) => {
    const [leg, ...others] = path.legs;
    if (others.length > 0) {
      const message = `expected a scan of one leg, found ${path.legs.length}: packets have no places`;
      throw badInput('out', message);
    }
    const found = velodyneSensorOf(sensor.recipe);
    if (found.value === null) throw badInput('sensor', found.problem);
    const options = { sensor: found.value, epochS: leg?.epochS ?? 0 };
    const packets = await ports.exporters.createPackets(out, options, target);
    return {
      columns: [...packetColumns],
      rows: (table, rows) => packets.write(table, rows),
      close: () => packets.close(),
      abort: () => packets.abort(),
    };
  },
};
