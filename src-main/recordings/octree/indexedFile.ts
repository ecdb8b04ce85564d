// Files of this folder begin with a magic and end with an index: one section of log/LOG.md, its offset, and another magic.
import type { Columns } from '#contract/columns.ts';
import type { UnderstoryError } from '#contract/errors.ts';
import type { Frame } from '#contract/wire/frame.ts';
import type { AppendFile } from '#files/appendFile.ts';
import type { RegularFile } from '#files/regularFile.ts';
import {
  encodeSection,
  frameOf,
  inflateSection,
  readSectionHead,
  sectionHeadBytes,
} from '../log/logLayout.ts';

export interface FileParts {
  start: Uint8Array;
  end: Uint8Array;
  /** Method of the index's frame. */
  method: string;
}

/** Offset of the index; the magic follows. */
export const offsetBytes = 8;

/** Ends a file. */
export async function appendIndex(
  output: AppendFile,
  { method, end }: FileParts,
  body: unknown,
  columns: Columns = {},
): Promise<void> {
  const { bytes } = await encodeSection(method, body, columns);
  const trailer = new Uint8Array(offsetBytes + end.length);
  new DataView(trailer.buffer).setBigUint64(0, BigInt(output.size), true);
  trailer.set(end, offsetBytes);
  await output.append(bytes, trailer);
}

/** @param damaged the error for a reason; @throws it, and as RegularFile.read */
export async function indexOf(
  file: RegularFile,
  { start, end, method }: FileParts,
  damaged: (reason: string) => UnderstoryError,
): Promise<{ indexAt: number; frame: Frame }> {
  const trailerBytes = offsetBytes + end.length;
  const trailerAt = file.stats.size - trailerBytes;
  if (trailerAt < start.length) throw damaged('it is too short');
  const first = await file.read(0, start.length);
  const trailer = await file.read(trailerAt, trailerBytes);
  if (!isEqual(first, start)) throw damaged('it begins with other bytes');
  if (!isEqual(trailer.subarray(offsetBytes), end)) throw damaged('it was cut off');
  const indexAt = Number(new DataView(trailer.buffer, trailer.byteOffset).getBigUint64(0, true));
  const contentAt = indexAt + sectionHeadBytes;
  if (contentAt > trailerAt) throw damaged('its index is outside');
  const lengths = readSectionHead(await file.read(indexAt, sectionHeadBytes));
  if (lengths === null || contentAt + lengths.packed !== trailerAt) {
    throw damaged('its index is too long');
  }
  const content = await inflateSection(await file.read(contentAt, lengths.packed), lengths.content);
  const frame = content === null ? null : frameOf(content, method);
  if (frame === null) throw damaged('its index cannot be read');
  return { indexAt, frame };
}

function isEqual(bytes: Uint8Array, expected: Uint8Array): boolean {
  return bytes.length === expected.length && bytes.every((byte, at) => byte === expected[at]);
}
