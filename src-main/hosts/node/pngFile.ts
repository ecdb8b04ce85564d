// A 16-bit grey PNG, read row by row: inflated off the host's thread, never as a whole, and never more of it than its
// head says.
import { Readable } from 'node:stream';
import { createInflate } from 'node:zlib';
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import { createGreyRows, type GreyPng, pngHeadBytes, readGreyHead } from '#domain/scene/greyPng.ts';
import { type RegularFile, withRegularFile } from '#files/regularFile.ts';

/** Two bytes a sample of the largest picture: what does not compress at all. */
const maxPngBytes = 2 ** 29 + 2 ** 20;
const chunkHeadBytes = 8;
const dataType = 0x49444154; // 'IDAT'
const endType = 0x49454e44; // 'IEND'

/** The head of a file. @throws UnderstoryError as withRegularFile, 'bad-input' for any other format */
export function readGreyPngHead(path: string, signal?: AbortSignal): Promise<GreyPng> {
  return withRegularFile(path, { maxBytes: maxPngBytes, signal }, headOf);
}

/**
 * Gives the rows from the top. @param begin called with the size before the first row
 * @throws UnderstoryError as readGreyPngHead, 'bad-input' too where the samples are damaged
 */
export async function readGreyPng(
  path: string,
  begin: (picture: GreyPng) => (row: number, values: Uint16Array) => void,
  signal?: AbortSignal,
): Promise<GreyPng> {
  const limits = { maxBytes: maxPngBytes, seconds: 120, signal };
  return withRegularFile(path, limits, async (file) => {
    const picture = await headOf(file);
    const rows = createGreyRows(picture, begin(picture));
    const inflate = createInflate({ chunkSize: 2 ** 18 });
    const source = Readable.from(imageData(file), { objectMode: true, highWaterMark: 1 });
    source.on('error', (error) => inflate.destroy(error));
    source.pipe(inflate);
    try {
      for await (const bytes of inflate as AsyncIterable<Buffer>) {
        if (signal !== undefined) throwIfCancelled(signal);
        if (!rows.push(bytes)) throw damaged(path, 'it holds more than its head says');
      }
    } catch (error) {
      if (error instanceof UnderstoryError) throw error;
      throw damaged(path, (error as Error).message);
    } finally {
      source.destroy();
      inflate.destroy();
    }
    if (rows.rows < picture.rows) throw damaged(path, `it ends after ${rows.rows} rows`);
    return picture;
  });
}

async function headOf(file: RegularFile): Promise<GreyPng> {
  const { path } = file;
  const picture = readGreyHead(await file.read(0, pngHeadBytes));
  if (typeof picture !== 'string') return picture;
  throw new UnderstoryError('bad-input', `${picture} in '${path}'`, { path });
}

/** The contents of the chunks with image data, in pieces. */
async function* imageData(file: RegularFile): AsyncGenerator<Uint8Array> {
  for (let at = pngHeadBytes; ;) {
    const head = await file.read(at, chunkHeadBytes);
    const view = new DataView(head.buffer);
    if (head.length < chunkHeadBytes || view.getUint32(4) === endType) return;
    const from = at + chunkHeadBytes;
    const to = from + view.getUint32(0);
    if (view.getUint32(4) === dataType) yield* file.pieces({ from, to });
    at = to + 4;
  }
}

function damaged(path: string, how: string): UnderstoryError {
  return new UnderstoryError(
    'bad-input',
    `expected a PNG, found a damaged one in '${path}': ${how}`,
    {
      path,
    },
  );
}
