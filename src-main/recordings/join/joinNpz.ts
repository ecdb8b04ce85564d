// NPZ: arrays of numbers one after another, arrays of texts as they are in every part.
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import { UnderstoryError } from '#contract/errors.ts';
import { anySize, openRegularFile } from '#files/regularFile.ts';
import { openNpzArrays, type NpzArrays } from '../export/npz.ts';
import type { PartFile } from '../export/partFile.ts';
import { type NpyHead, npyHeadOf, npyTexts, npyValues } from '../npyHead.ts';
import { unfit } from './readPart.ts';

/** Copies the arrays of all parts into one archive. */
export async function joinNpz(
  file: PartFile,
  parts: readonly string[],
  check: () => void,
): Promise<void> {
  const arrays = openNpzArrays(file);
  /** By array: what the first part says of it. */
  const known = new Map<string, string>();
  try {
    for (const [index, part] of parts.entries()) {
      const names = await eachArray(part, async (name, pieces) => {
        const meaning = await copyArray(arrays, name, pieces, index === 0, part, check);
        if (index === 0) known.set(name, meaning);
        else if (known.get(name) !== meaning) {
          throw unfit(part, `its array '${name}' differs from that of the first part`);
        }
      });
      if (names !== known.size) throw unfit(part, 'it has other arrays than the first part');
    }
    await arrays.finish();
  } catch (error) {
    await arrays.abort();
    throw error;
  }
}

/** Opens the arrays of an archive in their order; returns how many there are. */
async function eachArray(
  file: string,
  take: (name: string, pieces: AsyncIterable<Buffer>) => Promise<void>,
): Promise<number> {
  const opened = await openRegularFile(file, { maxBytes: anySize });
  try {
    const zip = await archiveOf(file, opened.fd);
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    for (const entry of entries) {
      const name = entry.fileName.replace(/\.npy$/, '');
      const stream = await zip.openReadStreamPromise(entry);
      try {
        await take(name, stream as AsyncIterable<Buffer>);
      } finally {
        stream.destroy();
      }
    }
    return entries.length;
  } finally {
    await opened.close();
  }
}

async function archiveOf(file: string, descriptor: number): Promise<ZipFile> {
  try {
    return await fromFdPromise(descriptor, { autoClose: false });
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    throw unfit(file, `it is no archive (${String(error)})`);
  }
}

/** Returns what must be equal in all parts. Texts count whole; of numbers only their kind does. */
async function copyArray(
  arrays: NpzArrays,
  name: string,
  pieces: AsyncIterable<Buffer>,
  isFirst: boolean,
  file: string,
  check: () => void,
): Promise<string> {
  let head: NpyHead | null = null;
  let rest: Buffer = Buffer.alloc(0);
  let contentBytes = 0;
  for await (const piece of pieces) {
    check();
    contentBytes += piece.length;
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    if (head === null) {
      const found = npyHeadOf(rest, (reason) => unfit(file, reason));
      if (found === null) continue;
      head = found.head;
      rest = rest.subarray(found.bytes);
      contentBytes = rest.length;
      if (isFirst && head.type !== null) {
        await arrays.add(name, { type: head.type, rowShape: head.rowShape });
      }
    }
    // Why a megabyte: what was asked for arrives in pieces of 64 kB, each a write.
    if (head.type === null || rest.length < 1 << 20) continue;
    const whole = rest.length - (rest.length % (8 * head.rowShape.reduce((a, b) => a * b, 1)));
    await arrays.append(name, npyValues(head.type, rest.subarray(0, whole)));
    rest = rest.subarray(whole);
  }
  if (head === null) throw unfit(file, `its array '${name}' has no header`);
  if (contentBytes !== head.contentBytes) {
    throw unfit(file, `its array '${name}' has another length than its header says`);
  }
  if (head.type === null) {
    if (isFirst) await arrays.addTexts(name, npyTexts(rest, head));
    return `${head.meaning} ${head.rows} ${rest.toString('base64')}`;
  }
  if (rest.length > 0) await arrays.append(name, npyValues(head.type, rest));
  return head.meaning;
}
