// The returns of a scan on disk until an octree is made from them (OCTREE.md, Saved points). Guarantees: those that a page
// has as a whole are never written; memory does not grow beyond them.
import type { Columns } from '#contract/columns.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { savedPointsHeadSchema, type SavedPointsHead } from '#contract/host/cloudMethods.ts';
import { openAppendFile, type AppendFile } from '#files/appendFile.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import type { CloudPoints } from './buildOctree.ts';
import { appendIndex, indexOf, type FileParts } from './indexedFile.ts';
import type { PointBlock } from './pointBlocks.ts';
import { createRecords, recordBytes, setRecord } from './pointRecords.ts';

export interface SavedPointsWriter {
  readonly points: number;
  /** Rows of the columns x_m, y_m, z_m, intensity and class_id. @throws UnderstoryError 'disk-full' | 'io' */
  add(table: Columns): Promise<void>;
  /** True: there are more than were held, and the file is whole. */
  end(key: string): Promise<boolean>;
  /** Closes the file. */
  close(): Promise<void>;
}

const parts: FileParts = {
  start: new TextEncoder().encode('USPTS2\r\n'),
  end: new TextEncoder().encode('USPTSEND'),
  method: 'points.index',
};
const blockRows = 65_536;

/** @param heldPoints so many are held in memory; the file is made with the next one */
export function createSavedPoints(
  file: string,
  about: Pick<SavedPointsHead, 'originM' | 'classes'>,
  heldPoints: number,
): SavedPointsWriter {
  let held: Uint8Array[] = [];
  let output: AppendFile | null = null;
  let points = 0;
  return {
    get points() {
      return points;
    },
    async add({ x_m: x, y_m: y, z_m: z, intensity, class_id: classId }) {
      const rows = x?.length ?? 0;
      const records = createRecords(rows);
      for (let row = 0; row < rows; row += 1) {
        setRecord(records, row, {
          xM: Number(x?.[row]),
          yM: Number(y?.[row]),
          zM: Number(z?.[row]),
          intensity: Number(intensity?.[row]),
          classId: Number(classId?.[row]),
          rgb: 0,
          order: points + row,
        });
      }
      points += rows;
      held.push(records.bytes);
      if (points <= heldPoints) return;
      if (output === null) {
        output = await openAppendFile(file, 'create');
        await output.append(parts.start);
      }
      await output.append(...held);
      held = [];
    },
    async end(key) {
      if (output === null) return false;
      const head: SavedPointsHead = { format: 1, key, points, ...about };
      await appendIndex(output, parts, head);
      await output.sync();
      return true;
    },
    async close() {
      held = [];
      await output?.close();
    },
  };
}

/** @throws UnderstoryError 'not-found' | 'io', 'corrupt' for a file that is not whole */
export async function openSavedPoints(
  path: string,
): Promise<CloudPoints & { close: () => Promise<void> }> {
  const file = await openRegularFile(path, { maxBytes: anySize });
  const damaged = (reason: string): UnderstoryError =>
    new UnderstoryError('corrupt', `${path} holds no whole scan: ${reason}`, { file: path });
  try {
    const { indexAt, frame } = await indexOf(file, parts, damaged);
    const head = parseWith(savedPointsHeadSchema, frame.header.body).value;
    if (head === null || indexAt !== parts.start.length + head.points * recordBytes) {
      throw damaged('its points are not as counted');
    }
    const { points: maxPoints, ...about } = head;
    return {
      ...about,
      file: path,
      maxPoints,
      blocks: () => records(file, maxPoints),
      close: () => file.close(),
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function* records(file: RegularFile, count: number): AsyncGenerator<PointBlock> {
  const points = createRecords(Math.min(count, blockRows));
  for (let from = 0; from < count; from += blockRows) {
    const rows = Math.min(blockRows, count - from);
    const offset = parts.start.length + from * recordBytes;
    points.bytes.set(await file.read(offset, rows * recordBytes));
    yield { points, rows };
  }
}
