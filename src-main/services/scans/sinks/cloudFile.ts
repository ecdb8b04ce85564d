// The returns of a scan as a table or cloud for other programs, with tables of its ids beside it.
import { beamColumns, defaultScanColumns, type ReturnColumnName } from '#contract/columns.ts';
import type { Pose } from '#contract/host/run.ts';
import type { ExportFormat } from '#contract/host/exportFormats.ts';
import { volumeClassNames } from '#domain/log/simulatedLog.ts';
import { worldOf } from '#domain/scene/georeference.ts';
import { lasCodesOf } from '#domain/scene/lasCodes.ts';
import { firingsOf } from '#domain/sensor/firings.ts';
import { inSensorFrame, sensorPointColumns, worldOnlyColumns } from '#domain/sensor/sensorFrame.ts';
import { sensorPoseAt, travelDirectionAt } from '#domain/trajectory/trajectory.ts';
import type { ScanPath } from '../scanPath.ts';
import { withIdTables } from './idTables.ts';
import { withPart } from './scanParts.ts';
import type { ReturnsKind } from './scanSink.ts';

/** One file in the frame that is asked for. */
export function cloudFile(format: ExportFormat): ReturnsKind {
  return {
    defaultColumns: (frame) =>
      format === 'las' && frame === 'world'
        ? [...defaultScanColumns, ...beamColumns]
        : defaultScanColumns,
    open: async (scan, out) => {
      const { compiled, path, frame, misses, sensor, target } = scan.plan;
      const isInWorld = frame === 'world';
      const isShown = (name: ReturnColumnName): boolean =>
        isInWorld || !worldOnlyColumns.includes(name);
      const columns = scan.plan.columns.filter(isShown);
      const viewpoint = isInWorld ? stationaryPose(path) : null;
      const epochS = path.legs[0]?.epochS;
      const exporter = await scan.ports.exporters.create(out, {
        format,
        columns,
        classes: compiled.recipe.classes,
        volumeClasses: volumeClassNames(compiled),
        lasCodes: lasCodesOf(compiled),
        ...(isInWorld && worldOf(compiled)),
        ...(misses && { missRangeM: sensor.recipe.maxRangeM }),
        ...(viewpoint && { viewpoint }),
        ...(epochS !== undefined && { epochS }),
        travelAt: (leg, timeNs) => {
          const trajectory = path.legs[leg]?.trajectory;
          return trajectory === undefined ? null : travelDirectionAt(trajectory, timeNs);
        },
        firings: compiled.sensors.map(({ recipe }) => firingsOf(recipe)),
        ...(path.isSurvey && { legs: path.legs.map(({ name }) => name) }),
        ...target,
      });
      const cloud = await withIdTables(scan, out, {
        columns: isInWorld ? columns : [...new Set([...columns, ...sensorPointColumns])],
        rows: (table, rows, { number }) =>
          exporter.write(isInWorld ? table : inSensorFrame(table, rows), rows, number),
        close: async () => {
          const { files, leftOut } = await exporter.close();
          const dropped = scan.plan.columns.filter((name) => !isShown(name));
          return { files, leftOut: [...dropped, ...leftOut] };
        },
        abort: () => exporter.abort(),
      });
      return withPart(scan, out, format, cloud);
    },
  };
}

/** The pose of a stationary sensor; null: it moves. */
function stationaryPose({ legs: [leg, ...others] }: ScanPath): Pose | null {
  const isStationary = others.length === 0 && leg?.trajectory.time_ns.length === 1;
  return isStationary ? sensorPoseAt(leg.trajectory, leg.fromNs) : null;
}
