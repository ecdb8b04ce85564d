// The returns of a log as a cloud for an octree.
import { beamStates } from '#contract/log/log.ts';
import type { LogReader } from '#services/ports/logs.ts';
import type { CloudPoints } from './buildOctree.ts';
import { pointBlocks } from './pointBlocks.ts';

/** The ends of returns, relative to the origin of the log. @throws as LogReader.tables */
export function cloudOfLog(log: LogReader, file: string): CloudPoints {
  const { head, counts, hash } = log;
  return {
    file,
    key: hash,
    originM: head.originM,
    classes: head.columns.includes('class_id') ? head.classes : [],
    maxPoints: counts.returns,
    blocks: () =>
      pointBlocks(
        log.tables(),
        ({ beams }) => beams,
        ({ table }, row, point) => {
          if (table.state[row] !== beamStates.returned) return false;
          const rangeM = table.range_m[row] ?? 0;
          point.xM = (table.origin_x_m[row] ?? 0) + rangeM * (table.direction_x[row] ?? 0);
          point.yM = (table.origin_y_m[row] ?? 0) + rangeM * (table.direction_y[row] ?? 0);
          point.zM = (table.origin_z_m[row] ?? 0) + rangeM * (table.direction_z[row] ?? 0);
          point.intensity = table.intensity[row] ?? NaN;
          point.classId = table.class_id?.[row] ?? 0;
          return true;
        },
      ),
  };
}
