// A scan as a folder of frames (SemanticKITTI): one for each turn or sweep of the sensor.
import type { ReturnTable } from '#contract/columns.ts';
import { originOf } from '#contract/worldOrigin.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import { sensorPoseAt } from '#domain/trajectory/trajectory.ts';
import { withIdTables } from './idTables.ts';
import { type ReturnsKind, turnNs } from './scanSink.ts';

const columns = ['x_m', 'y_m', 'z_m', 'intensity', 'object_id', 'class_id'] as const;

export const framesFolder: ReturnsKind = {
  pieceNs: turnNs,
  open: async (scan, out) => {
    const { compiled, target } = scan.plan;
    const { classes } = compiled.recipe;
    const originM = originOf(compiled.scenario.scene);
    const frames = await scan.ports.exporters.createFrames(out, { classes, originM, ...target });
    let parts: ReturnTable[] = [];
    return withIdTables(scan, out, {
      columns: [...columns],
      rows: (table) => void parts.push(table),
      endPiece: async ({ toNs: timeNs }, { leg }) => {
        const table = joinReturns(parts, columns);
        parts = [];
        const pose = sensorPoseAt(leg.trajectory, timeNs);
        await frames.write({ timeNs, pose, table, rows: table.x_m.length });
      },
      close: () => frames.close(),
      abort: () => frames.abort(),
    });
  },
};
