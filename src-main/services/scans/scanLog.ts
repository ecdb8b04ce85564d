// A scan as a log: its beams with those that had no return, each from where the navigation reports it.
import { beamColumns, type ReturnColumnName } from '#contract/columns.ts';
import { beamsOfRows } from '#domain/log/beamsOfRows.ts';
import { loggedTruth } from '#domain/log/beamsOfReturns.ts';
import { simulatedHead, volumeClasses } from '#domain/log/simulatedLog.ts';
import { type ScanFile, type ScanFileOptions, type ScanFilePorts, turnNs } from './scanTarget.ts';

const columns: ReturnColumnName[] = [
  ...(['time_ns', 'pulse', 'ring', 'azimuth_rad', 'return_no', 'range_m', 'intensity'] as const),
  ...(['object_id', 'class_id', 'true_range_m'] as const),
  ...beamColumns,
];

/** Starts a log. @throws UnderstoryError as Logs.create */
export async function openScanLog(
  { logs, product }: Pick<ScanFilePorts, 'logs' | 'product'>,
  file: string,
  { compiled, path, target }: ScanFileOptions,
): Promise<ScanFile> {
  const [sensor] = compiled.sensors;
  if (sensor === undefined) throw new RangeError('a scan has a sensor');
  const returns = 'strongest';
  const head = simulatedHead(compiled, sensor, {
    source: 'scan',
    understoryVersion: product.version,
    classes: compiled.recipe.classes,
    misses: 'recorded',
    returns,
    cuts: { azimuthDeg: null, rangeM: null, bodyM: null },
    crs: undefined,
  });
  const writer = await logs.create(file, head, target);
  const volumes = volumeClasses(compiled);
  const epochNs = BigInt(path.legs[0]?.epochS ?? 0) * 1_000_000_000n;
  let sweep = 0;
  return {
    columns,
    intervalNs: turnNs(compiled),
    rows: async (table, rows) => {
      const { table: beams, beams: count } = beamsOfRows(
        { columns: table, rows },
        {
          ...{ originM: [0, 0, 0], epochNs, returns, optional: loggedTruth },
          isVolume: (classId) => volumes.has(classId),
          sweepOf: () => sweep,
        },
      );
      await writer.write(beams, count);
    },
    endInterval: () => {
      sweep += 1;
      return Promise.resolve();
    },
    close: async () => {
      await writer.close();
      return { files: [file], leftOut: [] };
    },
    abort: () => writer.abort(),
  };
}
