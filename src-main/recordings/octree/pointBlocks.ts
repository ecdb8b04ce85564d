// Points of tables as blocks of records, as an octree is made from them.
import { createRecords, setRecord, type PointRecord, type PointRecords } from './pointRecords.ts';

export interface PointBlock {
  points: PointRecords;
  rows: number;
}

const blockRows = 65_536;

/**
 * The points of tables in order, in memory that is used again. `read` sets all of a point but its number (and its colour, where
 * the cloud has none), and is false for a row that has no point.
 */
export async function* pointBlocks<T>(
  tables: AsyncIterable<T>,
  rowsOf: (table: T) => number,
  read: (table: T, row: number, into: PointRecord) => boolean,
): AsyncGenerator<PointBlock> {
  const point = { xM: 0, yM: 0, zM: 0, intensity: 0, classId: 0, rgb: 0, order: 0 };
  const block = { points: createRecords(blockRows), rows: 0 };
  for await (const table of tables) {
    const rows = rowsOf(table);
    for (let row = 0; row < rows; row += 1) {
      if (!read(table, row, point)) continue;
      setRecord(block.points, block.rows, point);
      point.order += 1;
      block.rows += 1;
      if (block.rows < blockRows) continue;
      yield block;
      block.rows = 0;
    }
  }
  if (block.rows > 0) yield block;
}
