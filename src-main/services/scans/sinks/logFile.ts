// A scan as a log: its beams with those that had no return, each from where the navigation reports it.
import { beamColumns } from '#contract/columns.ts';
import { beamsOfRows } from '#domain/log/beamsOfRows.ts';
import { loggedTruth } from '#domain/log/beamsOfReturns.ts';
import { simulatedHead, volumeClasses } from '#domain/log/simulatedLog.ts';
import { type ReturnsKind, turnNs } from './scanSink.ts';

const returns = 'strongest';

export const logFile: ReturnsKind = {
  pieceNs: turnNs,
  hasMisses: true,
  open: async ({ ports, plan: { compiled, path, sensor, target } }, out) => {
    const head = simulatedHead(compiled, sensor, {
      source: 'scan',
      understoryVersion: ports.product.version,
      classes: compiled.recipe.classes,
      misses: 'recorded',
      returns,
      cuts: { azimuthDeg: null, rangeM: null, bodyM: null },
      crs: undefined,
    });
    const writer = await ports.logs.create(out, head, target);
    const volumes = volumeClasses(compiled);
    const epochNs = BigInt(path.legs[0]?.epochS ?? 0) * 1_000_000_000n;
    let sweep = 0;
    const options: Parameters<typeof beamsOfRows>[1] = {
      originM: [0, 0, 0],
      epochNs,
      returns,
      optional: loggedTruth,
      isVolume: (classId) => volumes.has(classId),
      sweepOf: () => sweep,
    };
    return {
      columns: [
        'time_ns',
        'pulse',
        'ring',
        'azimuth_rad',
        'return_no',
        'range_m',
        'intensity',
        'object_id',
        'class_id',
        'true_range_m',
        ...beamColumns,
      ],
      rows: (columns, rows) => {
        const { table, beams } = beamsOfRows({ columns, rows }, options);
        return writer.write(table, beams);
      },
      endPiece: () => void (sweep += 1),
      close: async () => {
        await writer.close();
        return { files: [out], leftOut: [] };
      },
      abort: () => writer.abort(),
    };
  },
};
