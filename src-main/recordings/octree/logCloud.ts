// The returns of a log as a cloud for an octree.
import { beamStates, logOriginColumns, type LogTable } from '#contract/log/log.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { LogReader } from '#services/ports/logs.ts';
import type { CloudSource } from './buildOctree.ts';
import { createRecords, setRecord, type PointRecords } from './pointRecords.ts';

const blockRows = 65_536;
/** Boxes of chunks are of beams in double precision: single precision differs by less within 10,000 km. */
const toleranceM = 2;

/** The ends of returns, relative to the origin of the log. @throws as LogReader.tables */
export function cloudOfLog(log: LogReader, file: string): CloudSource {
  const { head, counts, chunks, hash } = log;
  const corner = (end: 'minM' | 'maxM', choose: (...values: number[]) => number): number[] =>
    [0, 1, 2].map((axis) =>
      chunks.reduce(
        (sofar, chunk) => choose(sofar, chunk[end][axis] ?? 0),
        chunks[0]?.[end][axis] ?? 0,
      ),
    );
  const [minM, maxM] = [corner('minM', Math.min), corner('maxM', Math.max)];
  const point = { xM: 0, yM: 0, zM: 0, intensity: 0, classId: 0, order: 0 };

  /** Adds the returns of a table from `row` on, until there is no room. Returns the next row. */
  function addReturns(table: LogTable, beams: number, from: number, block: Block): number {
    const [x, y, z] = logOriginColumns.map((name) => table[name]);
    let row = from;
    for (; row < beams && block.rows < blockRows; row += 1) {
      if (table.state[row] !== beamStates.returned) continue;
      const rangeM = table.range_m[row] ?? 0;
      point.xM = (x?.[row] ?? 0) + rangeM * (table.direction_x[row] ?? 0);
      point.yM = (y?.[row] ?? 0) + rangeM * (table.direction_y[row] ?? 0);
      point.zM = (z?.[row] ?? 0) + rangeM * (table.direction_z[row] ?? 0);
      point.intensity = table.intensity[row] ?? NaN;
      point.classId = table.class_id?.[row] ?? 0;
      if (!isInside(point.xM, 0) || !isInside(point.yM, 1) || !isInside(point.zM, 2)) {
        throw new UnderstoryError('corrupt', `${file}: a return is outside the box of its chunk`);
      }
      setRecord(block.points, block.rows, point);
      point.order += 1;
      block.rows += 1;
    }
    return row;
  }

  function isInside(valueM: number, axis: number): boolean {
    return valueM > (minM[axis] ?? 0) - toleranceM && valueM < (maxM[axis] ?? 0) + toleranceM;
  }

  return {
    key: hash,
    originM: head.originM,
    classes: head.columns.includes('class_id') ? head.classes : [],
    maxPoints: counts.returns,
    minM,
    maxM,
    async *blocks() {
      const block: Block = { points: createRecords(blockRows), rows: 0 };
      point.order = 0;
      for await (const { table, beams } of log.tables()) {
        for (let row = 0; row < beams;) {
          row = addReturns(table, beams, row, block);
          if (block.rows < blockRows) continue;
          yield block;
          block.rows = 0;
        }
      }
      if (block.rows > 0) yield block;
    },
  };
}

interface Block {
  points: PointRecords;
  rows: number;
}
