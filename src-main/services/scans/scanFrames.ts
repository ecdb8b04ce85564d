// A scan as a folder of frames (SemanticKITTI): one for each turn or sweep of the sensor.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import { joinReturns } from '#domain/shared/joinColumns.ts';
import { originOf } from '#contract/worldOrigin.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import { type IdTables, openIdTables } from './idTables.ts';
import { poseAt, type ScanFile, type ScanFileOptions, turnNs } from './scanTarget.ts';

const columns: ReturnColumnName[] = [
  ...(['x_m', 'y_m', 'z_m', 'intensity', 'object_id', 'class_id'] as const),
];

/** Starts a folder. @throws UnderstoryError as Exporters.createFrames */
export async function openScanFrames(
  { exporters }: { exporters: Exporters },
  folder: string,
  { compiled, path, target, eachObject }: ScanFileOptions,
): Promise<ScanFile> {
  const { classes } = compiled.recipe;
  const originM = originOf(compiled.scenario.scene);
  const frames = await exporters.createFrames(folder, { classes, originM, ...target });
  let ids: IdTables | null = null;
  const abort = async (): Promise<void> => {
    await ids?.abort();
    await frames.abort();
  };
  try {
    ids = await openIdTables(exporters, folder, columns, compiled, target);
  } catch (error) {
    await abort();
    throw error;
  }
  const { take, isSeen, write, close } = ids;
  let parts: ReturnTable[] = [];
  return {
    columns,
    intervalNs: turnNs(compiled),
    rows: (table, rows) => {
      take(table, rows);
      parts.push(table);
    },
    endInterval: async ({ toNs }, leg) => {
      const table = joinReturns(parts, columns);
      parts = [];
      const pose = poseAt(path, leg, toNs);
      await frames.write({ timeNs: toNs, pose, table, rows: table.x_m.length });
    },
    close: async () => {
      await eachObject(isSeen, write);
      const { files, leftOut } = await frames.close();
      return { files: [...files, ...(await close())], leftOut };
    },
    abort,
  };
}
