// Tables of ids (createTable): a header, then lines that begin with an id, in ascending order.
import { linesOf } from '#files/lines.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import type { PartFile } from '../export/partFile.ts';
import { unfit } from './readPart.ts';

interface TableReader {
  file: RegularFile;
  lines: AsyncIterator<string>;
  header: string;
  /** The line that is next; null: there are no more. */
  next: string | null;
  /** Id of that line; Infinity: there are no more. */
  id: number;
}

const linesPerWrite = 4096;

/** Merges the lines of all tables below one header; lines of equal ids become one. */
export async function joinTables(
  file: PartFile,
  tables: readonly string[],
  check: () => void,
): Promise<void> {
  const readers: TableReader[] = [];
  try {
    for (const table of tables) {
      const opened = await openRegularFile(table, { maxBytes: anySize });
      const lines = linesOf(opened);
      readers.push({ file: opened, lines, header: '', next: null, id: -1 });
    }
    for (const reader of readers) await begin(reader);
    const header = readers[0]?.header ?? '';
    const other = readers.find((reader) => reader.header !== header);
    if (other !== undefined)
      throw unfit(other.file.path, 'its columns differ from those of the first');
    let lines = [header];
    for (;;) {
      const id = Math.min(...readers.map((reader) => reader.id));
      if (id === Infinity) break;
      const same = readers.filter((reader) => reader.id === id);
      lines.push(same[0]?.next ?? '');
      for (const reader of same) await advance(reader);
      if (lines.length < linesPerWrite) continue;
      check();
      await file.append(encode(lines));
      lines = [];
    }
    await file.append(encode(lines));
  } finally {
    for (const { file } of readers) await file.close();
  }
}

async function begin(reader: TableReader): Promise<void> {
  const first = await reader.lines.next();
  if (first.done === true) throw unfit(reader.file.path, 'it is empty');
  reader.header = first.value;
  await advance(reader);
}

async function advance(reader: TableReader): Promise<void> {
  const { file, lines, id: before } = reader;
  const line = await lines.next();
  reader.next = line.done === true ? null : line.value;
  reader.id = reader.next === null ? Infinity : idOf(reader.next);
  if (!(reader.id > before)) throw unfit(file.path, 'its ids are not in ascending order');
}

/** NaN where a line begins with none. */
function idOf(line: string): number {
  return Number(/^(\d+),/.exec(line)?.[1] ?? Number.NaN);
}

function encode(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
}
