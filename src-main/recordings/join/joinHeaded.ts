// CSV, PCD, PLY: a text header, then rows. Numbers of points in it are added up; dots in a comment make up for digits.
import type { Format } from '../export/format.ts';
import type { PartFile } from '../export/partFile.ts';
import { beginningOf, copyRest, unfit } from './readPart.ts';

/** How a format's header ends, and its lines that hold the number of points. */
export interface HeadedRows {
  /** Line that ends the header; null: the header is one line. */
  lastLine: string | null;
  /** Everything of such a line before the number. */
  counts: readonly string[];
  /** Everything of a comment before its dots. */
  padding: string | null;
}

const maxHeaderBytes = 1 << 24;

/** Copies the rows of all parts below one header. */
export function joinHeaded(rows: HeadedRows): Format['join'] {
  return (file, parts, check) => copyRows(file, parts, rows, check);
}

async function copyRows(
  file: PartFile,
  parts: readonly string[],
  rows: HeadedRows,
  check: () => void,
): Promise<void> {
  const headers: string[] = [];
  for (const part of parts) headers.push(await headerOf(part, rows));
  const [first = ''] = headers;
  const meaning = withPoints(first, 0, rows);
  for (const [index, header] of headers.entries()) {
    if (withPoints(header, 0, rows) === meaning) continue;
    throw unfit(parts[index] ?? '', 'its header differs from that of the first part');
  }
  const points = headers.reduce((sum, header) => sum + pointsOf(header, rows), 0);
  await file.append(new TextEncoder().encode(withPoints(first, points, rows)));
  for (const [index, part] of parts.entries()) {
    const start = new TextEncoder().encode(headers[index] ?? '').length;
    await copyRest(part, start, async (bytes) => {
      check();
      await file.append(bytes);
    });
  }
}

async function headerOf(file: string, { lastLine }: HeadedRows): Promise<string> {
  for (let bytes = 1 << 16; bytes <= maxHeaderBytes; bytes *= 4) {
    const beginning = await beginningOf(file, bytes);
    const end = lastLine === null ? '\n' : `\n${lastLine}\n`;
    const at = beginning.indexOf(end);
    if (at >= 0) return beginning.toString('utf8', 0, at + end.length);
    if (beginning.length < bytes) break;
  }
  throw unfit(file, 'its header has no end');
}

function pointsOf(header: string, { counts }: HeadedRows): number {
  const [count] = counts;
  const line = header.split('\n').find((one) => count !== undefined && one.startsWith(count));
  return line === undefined ? 0 : Number(line.slice(count?.length ?? 0));
}

/** The header with another number of points, as long as it was. */
function withPoints(header: string, points: number, rows: HeadedRows): string {
  const { counts, padding } = rows;
  const isPadding = (line: string): boolean =>
    padding !== null && line.startsWith(padding) && /^\.+$/.test(line.slice(padding.length));
  const lines = header.split('\n').map((line) => {
    const count = counts.find((begin) => line.startsWith(begin));
    return count === undefined ? line : `${count}${points}`;
  });
  const shorter = header.length - lines.join('\n').length;
  return lines
    .map((line) => {
      if (!isPadding(line)) return line;
      return `${padding}${'.'.repeat(Math.max(1, line.length - (padding?.length ?? 0) + shorter))}`;
    })
    .join('\n');
}
