// PNG files of 16-bit grey (w3.org/TR/png-3), written row by row: beside the file no more than a row is in memory. Why not
// fast-png as elsewhere: it takes all samples at once and copies them byte by byte.
import { joinBytes } from '#domain/shared/joinBytes.ts';

/** @param sampleAt 0 to 65535, by row from the top */
export async function heightPicture(
  columns: number,
  rows: number,
  sampleAt: (post: number) => number,
): Promise<Uint8Array> {
  const head = new DataView(new ArrayBuffer(13));
  head.setUint32(0, columns);
  head.setUint32(4, rows);
  head.setUint8(8, 16);
  const parts = [signature, chunk('IHDR', new Uint8Array(head.buffer))];
  const packed = rowsOf(columns, rows, sampleAt).pipeThrough(new CompressionStream('deflate'));
  const reader = packed.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(chunk('IDAT', value));
  }
  return joinBytes([...parts, chunk('IEND', new Uint8Array(0))]);
}

const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);

/** Each row after the number of its filter, 0: none. */
function rowsOf(
  columns: number,
  rows: number,
  sampleAt: (post: number) => number,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let row = 0;
  return new ReadableStream({
    pull(stream) {
      const view = new DataView(new ArrayBuffer(1 + 2 * columns));
      for (let column = 0; column < columns; column += 1) {
        view.setUint16(1 + 2 * column, sampleAt(row * columns + column));
      }
      stream.enqueue(new Uint8Array(view.buffer));
      row += 1;
      if (row === rows) stream.close();
    },
  });
}

function chunk(type: string, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(12 + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, content.length);
  bytes.set(new TextEncoder().encode(type), 4);
  bytes.set(content, 8);
  view.setUint32(8 + content.length, crc32(bytes.subarray(4, 8 + content.length)));
  return bytes;
}

/** By byte (w3.org/TR/png-3, annex D). */
const crcTable = new Uint32Array(256).map((_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) crc = (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return ~crc >>> 0;
}
