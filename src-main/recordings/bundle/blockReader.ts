// The bytes of a ZIP file for its library, which reads an entry of the table of contents by two reads of some bytes.
// Guarantees: neighbouring reads are one read of the file.
import { Readable } from 'node:stream';
import { RandomAccessReader } from 'yauzl';
import type { RegularFile } from '#files/regularFile.ts';

const blockBytes = 2 ** 16;

/** Closes nothing: the file is its caller's. */
export class BlockReader extends RandomAccessReader {
  readonly #file: RegularFile;
  #block = new Uint8Array();
  #from = 0;

  constructor(file: RegularFile) {
    super();
    this.#file = file;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#file.pieces({ from: start, to: end }), { objectMode: false });
  }

  /** @param done gets the bytes that were read, too, which its type leaves out: fewer where the file ends before. */
  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    done: (error: Error | null, bytesRead?: number) => void,
  ): void {
    this.#bytes(position, length).then(
      (bytes) => {
        buffer.set(bytes, offset);
        done(null, bytes.length);
      },
      (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
    );
  }

  async #bytes(position: number, length: number): Promise<Uint8Array> {
    const isInside = position >= this.#from && position + length <= this.#from + this.#block.length;
    if (!isInside) {
      this.#block = await this.#file.read(position, Math.max(length, blockBytes));
      this.#from = position;
    }
    const at = position - this.#from;
    return this.#block.subarray(at, at + length);
  }
}
