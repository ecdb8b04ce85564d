// Writes an MCAP file: a head, then zstd chunks that close by content size, then the summary. Every byte
// is a pure function of what was written and when it was flushed. A chunk is compressed and written
// while the next one fills: at most two are in memory.
// Why not McapWriter of @mcap/core: it cannot close a chunk on demand, and it compresses on the caller's
// thread. The records themselves are written by its McapRecordBuilder.
import { McapRecordBuilder } from '@mcap/core';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { AppendFile } from '../appendFile.ts';
import { encodeChunkHead, encodeMessageIndex, readChunkContents } from './chunkContents.ts';
import { addChunk, addDataBytes, encodeEnd, type Summary } from './summary.ts';

const compress = promisify(zstdCompress);
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A chunk closes when it holds this many bytes: one HDL-64E tick, or some seconds of a planar scanner. */
const chunkBytes = 1 << 20;

/** The file from the end of its head on; whoever opens it closes it. */
export class McapSink {
  readonly #file: AppendFile;
  readonly #summary: Summary;
  readonly #sequences = new Map<number, number>();
  readonly #chunk = new McapRecordBuilder();
  #writing: Promise<void> = Promise.resolve();
  #failure: Error | null = null;

  /** @param summary what stands in the file's head already, its bytes in the checksum */
  constructor(file: AppendFile, summary: Summary) {
    this.#file = file;
    this.#summary = summary;
  }

  get bytesWritten(): number {
    return this.#file.size;
  }

  /** Adds messages that belong together: they share a chunk. `data` is copied. */
  async add(messages: { channelId: number; timeNs: number; data: Uint8Array }[]): Promise<void> {
    this.#throwFailure();
    for (const { channelId, timeNs, data } of messages) {
      const sequence = this.#sequences.get(channelId) ?? 0;
      this.#sequences.set(channelId, sequence + 1);
      const logTime = BigInt(timeNs);
      this.#chunk.writeMessage({ channelId, sequence, logTime, publishTime: logTime, data });
    }
    if (this.#chunk.length >= chunkBytes) await this.#closeChunk();
  }

  /** Closes the chunk under way and waits until it stands in the file. */
  async flush(): Promise<void> {
    await this.#closeChunk();
    await this.#writing;
    this.#throwFailure();
  }

  /** Writes summary and footer and syncs. The file is closed whatever happens. */
  async close(): Promise<void> {
    try {
      await this.flush();
      await this.#file.append(encodeEnd(this.#summary, this.#file.size));
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }

  async #closeChunk(): Promise<void> {
    await this.#writing; // at most one chunk is on its way
    this.#throwFailure();
    if (this.#chunk.length === 0) return;
    const uncompressed = this.#chunk.buffer; // a copy
    this.#chunk.reset();
    this.#writing = this.#writeChunk(uncompressed).catch((error: unknown) => {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    });
  }

  async #writeChunk(uncompressed: Uint8Array): Promise<void> {
    const contents = readChunkContents(uncompressed);
    if (contents === null) throw new TypeError('a chunk must hold whole records');
    const records = await compress(uncompressed, compression);
    const index = encodeMessageIndex(contents);
    const head = encodeChunkHead(uncompressed, contents, records.length);
    const offset = this.#file.size;
    try {
      for (const bytes of [head, records, index.bytes]) await this.#file.append(bytes);
    } catch (error) {
      await this.#file.truncate(offset).catch(() => undefined); // recover() cuts what could not be cut
      throw error;
    }
    for (const bytes of [head, records, index.bytes]) addDataBytes(this.#summary, bytes);
    addChunk(
      this.#summary,
      {
        offset,
        length: head.length + records.length,
        compressedBytes: records.length,
        uncompressedBytes: uncompressed.length,
      },
      contents,
      index,
    );
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
