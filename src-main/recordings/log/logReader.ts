// Reads a log (LOG.md), one chunk in memory, decoded in slices between which others get their turn. Every length is
// checked before it is allocated; a file that was cut off or changed is refused with its name and the offset.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { checkedColumns, columnTypes, type Columns } from '#contract/columns.ts';
import { parseWith } from '#contract/documents/problems.ts';
import { UnderstoryError } from '#contract/errors.ts';
import {
  logChunkColumns,
  logCountsSchema,
  type LogCounts,
  logFormatVersion,
  logFrames,
  type LogHead,
  logHeadSchema,
  logOriginColumns,
  type LogTable,
  maxLogChunkBeams,
  requiredLogColumns,
} from '#contract/log/log.ts';
import type { Frame } from '#contract/wire/frame.ts';
import { anySize, openRegularFile, type RegularFile } from '#files/regularFile.ts';
import type { LogChunkStatistics, LogReader } from '#services/ports/logs.ts';
import {
  endMagic,
  frameOf,
  hashContent,
  inflateSection,
  readSectionHead,
  sectionHeadBytes,
  startMagic,
  trailerBytes,
  typeInFile,
} from './logLayout.ts';
import { beamFault } from './logWriter.ts';

/** Origins are nearer than this to that of their chunk. */
const maxFromChunkM = 1e7;

/** Rows that are decoded at a time: about 0.6 MB, a few milliseconds of the host's thread. */
const sliceBeams = 8192;

/** As Logs.open. */
export async function openLog(file: string): Promise<LogReader> {
  const opened = await openRegularFile(file, { maxBytes: anySize });
  try {
    return await readLog(file, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

async function readLog(file: string, opened: RegularFile): Promise<LogReader> {
  const { size } = opened.stats;
  const read = async (from: number, bytes: number): Promise<Uint8Array> => {
    const found = await opened.read(from, bytes);
    if (found.length < bytes) throw damaged(file, from, 'it ends early');
    return found;
  };
  const start = await read(0, Math.min(size, startMagic.length));
  if (!isEqual(start, startMagic)) {
    throw new UnderstoryError('corrupt', `${file} is no log of Understory`, { file });
  }
  const trailer = await read(Math.max(0, size - trailerBytes), Math.min(size, trailerBytes));
  if (trailer.length < trailerBytes || !isEqual(trailer.subarray(40), endMagic)) {
    throw new UnderstoryError('corrupt', `${file} was cut off: it lacks the end of a log`, {
      file,
    });
  }
  const end = size - trailerBytes;
  const summaryOffset = Number(new DataView(trailer.buffer).getBigUint64(0, true));
  const hash = Buffer.from(trailer.subarray(8, 40)).toString('hex');

  /** The content and the frame of a section, and where the next one begins. */
  const section = async (
    offset: number,
    method: string,
  ): Promise<{ content: Uint8Array; frame: Frame; next: number }> => {
    const isInside = offset >= startMagic.length && offset + sectionHeadBytes <= end;
    if (!isInside) throw damaged(file, offset, 'a section begins outside the file');
    const lengths = readSectionHead(await read(offset, sectionHeadBytes));
    const next = offset + sectionHeadBytes + (lengths?.packed ?? Infinity);
    if (lengths === null || next > end) throw damaged(file, offset, 'a section is too long');
    const packed = await read(offset + sectionHeadBytes, lengths.packed);
    const content = await inflateSection(packed, lengths.content);
    const frame = content === null ? null : frameOf(content, method);
    if (content === null || frame === null) {
      throw damaged(file, offset, `expected a section ${method}`);
    }
    return { content, frame, next };
  };

  const headSection = await section(startMagic.length, logFrames.head);
  const head = headOf(file, headSection.frame.header.body);
  const summary = await section(summaryOffset, logFrames.summary);
  if (summary.next !== end) throw damaged(file, summaryOffset, 'the summary is not at the end');
  const counts = countsOf(file, summaryOffset, summary.frame);
  const chunks = chunksOf(file, summaryOffset, summary.frame, counts);

  async function* slicesOf(
    frame: Frame,
    index: number,
  ): AsyncGenerator<{ table: LogTable; beams: number }> {
    const { offset = 0, beams: all = 0 } = chunks[index] ?? {};
    const isOurs = frame.header.seq === index;
    for (let from = 0; from < all; from += sliceBeams) {
      const beams = Math.min(sliceBeams, all - from);
      const table = isOurs ? beamsOf(frame, head, { from, beams, all }) : null;
      const fault = table === null ? null : beamFault(table, beams);
      if (table === null || fault !== null) {
        const message =
          fault === null
            ? 'expected the columns of the head, and origins within 10,000 km of that of the chunk'
            : fault.message;
        throw damaged(file, offset, message);
      }
      yield { table, beams };
      await setImmediate();
    }
  }

  return {
    head,
    counts,
    chunks,
    hash,
    async *tables() {
      const digest = createHash('sha256').update(headSection.content);
      let { next } = headSection;
      for (const [index, { offset }] of chunks.entries()) {
        if (offset !== next) throw damaged(file, offset, 'sections do not follow each other');
        const chunk = await section(offset, logFrames.beams);
        next = chunk.next;
        await hashContent(digest, chunk.content);
        yield* slicesOf(chunk.frame, index);
      }
      await hashContent(digest, summary.content);
      if (next !== summaryOffset || digest.digest('hex') !== hash) {
        const message = `${file} was changed: its SHA-256 is not the one it states`;
        throw new UnderstoryError('corrupt', message, { file });
      }
    },
    close: () => opened.close(),
  };
}

/** @throws UnderstoryError 'corrupt' | 'unsupported' */
function headOf(file: string, body: unknown): LogHead {
  const format: unknown =
    typeof body === 'object' && body !== null ? Reflect.get(body, 'format') : undefined;
  if (typeof format === 'number' && format > logFormatVersion) {
    throw new UnderstoryError('unsupported', `${file} is from a newer Understory`, { file });
  }
  const { value, problems } = parseWith(logHeadSchema, body);
  const lacking = requiredLogColumns.filter((name) => value?.columns.includes(name) === false);
  if (value !== null && lacking.length === 0) return value;
  const [problem] = problems;
  const reason =
    problem === undefined
      ? `it lacks ${lacking.join(', ')}`
      : `${problem.path}: ${problem.message}`;
  throw new UnderstoryError('corrupt', `${file}: its head is damaged: ${reason}`, { file });
}

function countsOf(file: string, offset: number, { header }: Frame): LogCounts {
  const { value } = parseWith(logCountsSchema, header.body);
  const sum =
    value === null ? NaN : value.returns + value.misses + value.missesInferred + value.unknown;
  if (value === null || sum !== value.beams) throw damaged(file, offset, 'its counts are wrong');
  return value;
}

function chunksOf(
  file: string,
  offset: number,
  { columns }: Frame,
  counts: LogCounts,
): LogChunkStatistics[] {
  const isWrong = (): UnderstoryError => damaged(file, offset, 'its chunks are not as counted');
  let rows: Columns;
  try {
    rows = checkedColumns(counts.beams === 0 ? emptyRows() : columns, logChunkColumns);
  } catch {
    throw isWrong();
  }
  const of = (name: keyof typeof logChunkColumns, row: number): number =>
    Number(rows[name]?.[row] ?? NaN);
  const length = rows['offset']?.length ?? 0;
  if (Object.values(rows).some((column) => column.length !== length)) throw isWrong();
  const [from, to] = [rows['from_ns'], rows['to_ns']] as BigInt64Array[];
  const chunks = Array.from({ length }, (_, row): LogChunkStatistics => {
    const corner = (end: 'min' | 'max'): [number, number, number] => [
      of(`${end}_x_m`, row),
      of(`${end}_y_m`, row),
      of(`${end}_z_m`, row),
    ];
    return {
      offset: of('offset', row),
      beams: of('beams', row),
      fromNs: from?.[row] ?? 0n,
      toNs: to?.[row] ?? 0n,
      minM: corner('min'),
      maxM: corner('max'),
    };
  });
  const isSane = chunks.every(({ beams }) => beams > 0 && beams <= maxLogChunkBeams);
  const sum = chunks.reduce((total, { beams }) => total + beams, 0);
  if (!isSane || sum !== counts.beams) throw isWrong();
  return chunks;
}

function emptyRows(): Columns {
  return Object.fromEntries(
    Object.entries(logChunkColumns).map(([name, type]) => [name, new columnTypes[type](0)]),
  );
}

/** Some rows of all; null: the frame has other columns than the head names, or origins far away. */
function beamsOf(
  { header, columns }: Frame,
  head: LogHead,
  { from, beams, all }: { from: number; beams: number; all: number },
): LogTable | null {
  const originM: unknown = Reflect.get(Object(header.body), 'originM');
  if (!Array.isArray(originM) || originM.length !== 3) return null;
  const table: Columns = {};
  if (Object.keys(columns).length !== head.columns.length) return null;
  for (const name of head.columns) {
    const column = columns[name];
    if (!(column instanceof columnTypes[typeInFile(name)]) || column.length !== all) return null;
    const axis = logOriginColumns.findIndex((origin) => origin === name);
    const fromM: unknown = axis < 0 ? 0 : originM[axis];
    if (typeof fromM !== 'number') return null;
    const rows = column.subarray(from, from + beams);
    if (axis < 0) {
      table[name] = rows;
      continue;
    }
    const metres = originsFrom(rows as Float32Array, fromM);
    if (metres === null) return null;
    table[name] = metres;
  }
  // Why the cast: headOf has seen that the head names every required column.
  return table as LogTable;
}

/** Null: one is far away. Why a loop: Float64Array.from with a function takes several times as long. */
function originsFrom(fromChunkM: Float32Array, chunkM: number): Float64Array | null {
  const metres = new Float64Array(fromChunkM.length);
  for (let row = 0; row < metres.length; row += 1) {
    const m = fromChunkM[row] ?? NaN;
    if (!(Math.abs(m) < maxFromChunkM)) return null;
    metres[row] = m + chunkM;
  }
  return metres;
}

function damaged(file: string, offset: number, reason: string): UnderstoryError {
  const message = `${file} is damaged at byte ${offset}: ${reason}`;
  return new UnderstoryError('corrupt', message, { file, offset });
}

function isEqual(bytes: Uint8Array, expected: Uint8Array): boolean {
  return bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at]);
}
