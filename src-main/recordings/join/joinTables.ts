// Tables of ids (createTable): a header, then lines that begin with an id, in ascending order.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { PartFile } from '../export/partFile.ts';
import { naming } from '../appendFile.ts';
import { unfit } from './readPart.ts';

interface TableReader {
  file: string;
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
    for (const table of tables) readers.push(await openTable(table));
    const header = readers[0]?.header ?? '';
    const other = readers.find((reader) => reader.header !== header);
    if (other !== undefined) throw unfit(other.file, 'its columns differ from those of the first');
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
    for (const { lines } of readers) await lines.return?.();
  }
}

async function openTable(file: string): Promise<TableReader> {
  const input = createReadStream(file);
  const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  const reader: TableReader = { file, lines, header: '', next: null, id: -1 };
  const first = await naming(file, () => lines.next());
  if (first.done === true) throw unfit(file, 'it is empty');
  reader.header = first.value;
  await advance(reader);
  return reader;
}

async function advance(reader: TableReader): Promise<void> {
  const { file, lines, id: before } = reader;
  const line = await naming(file, () => lines.next());
  reader.next = line.done === true ? null : line.value;
  reader.id = reader.next === null ? Infinity : idOf(reader.next);
  if (!(reader.id > before)) throw unfit(file, 'its ids are not in ascending order');
}

/** NaN where a line begins with none. */
function idOf(line: string): number {
  return Number(/^(\d+),/.exec(line)?.[1] ?? Number.NaN);
}

function encode(lines: readonly string[]): Uint8Array {
  return new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''));
}
