// Writes an MCAP file: a head, then zstd chunks that close by content size, then the summary. Every byte
// is a pure function of what was written and when it was flushed. A chunk is compressed and written
// while the next one fills: at most two are in memory. A message that is compressed already is a chunk;
// where the worker has it, the worker writes it.
// Why not McapWriter of @mcap/core: it cannot close a chunk on demand, and it compresses on the caller's
// thread. The records themselves are written by its McapRecordBuilder.
import { McapRecordBuilder } from '@mcap/core';
import { promisify } from 'node:util';
import { constants, crc32, zstdCompress } from 'node:zlib';
import { UnderstoryError } from '#contract/errors.ts';
import type { StoredFrame, PackedRows } from '#services/ports/workers.ts';
import type { AppendFile } from '#files/appendFile.ts';
import {
  type ChunkContents,
  type ChunkSizes,
  encodeChunkHead,
  encodeMessageIndex,
  oneMessage,
  readChunkContents,
} from './chunkContents.ts';
import { addChunk, addDataBytes, encodeEnd, type Summary } from './summary.ts';

const compress = promisify(zstdCompress);
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** A chunk closes when it holds this many bytes: one HDL-64E tick, or some seconds of a planar scanner. */
const chunkBytes = 1 << 20;

/** The file from the end of its head on; the caller that opens it closes it. */
export class McapSink {
  readonly #file: AppendFile;
  readonly #summary: Summary;
  readonly #logTimeOf: (timeNs: number) => bigint;
  readonly #sequences = new Map<number, number>();
  readonly #chunk = new McapRecordBuilder();
  #writing: Promise<void> = Promise.resolve();
  #failure: Error | null = null;

  /**
   * @param summary what the file's head contains already, its bytes in the checksum
   * @param logTimeOf log time of simulated nanoseconds
   */
  constructor(file: AppendFile, summary: Summary, logTimeOf: (timeNs: number) => bigint = BigInt) {
    this.#file = file;
    this.#logTimeOf = logTimeOf;
    this.#summary = summary;
  }

  get bytesWritten(): number {
    return this.#file.size;
  }

  /** Adds messages that belong together: they share a chunk. `data` is copied. */
  async add(messages: { channelId: number; timeNs: number; data: Uint8Array }[]): Promise<void> {
    this.#throwFailure();
    for (const { channelId, timeNs, data } of messages) {
      const sequence = this.nextSequence(channelId);
      const logTime = this.#logTimeOf(timeNs);
      this.#chunk.writeMessage({ channelId, sequence, logTime, publishTime: logTime, data });
    }
    if (this.#chunk.length >= chunkBytes) await this.#closeChunk();
  }

  /** The number of the channel's next message, which is then taken. */
  nextSequence(channelId: number): number {
    const sequence = this.#sequences.get(channelId) ?? 0;
    this.#sequences.set(channelId, sequence + 1);
    return sequence;
  }

  /** Closes the chunk under way, and adds a whole message record, compressed, as a chunk of its own. */
  async addCompressed(
    { channelId, timeNs }: { channelId: number; timeNs: number },
    { frame, frameBytes, uncompressedBytes, crc32: crc }: PackedRows,
  ): Promise<void> {
    if (frame === null) throw new TypeError('a message comes with its bytes');
    await this.#closeChunk();
    const sizes = { uncompressedBytes, crc32: crc, compressedBytes: frameBytes };
    await this.#begin(() =>
      this.#writeChunk(frame, oneMessage(channelId, this.#logTimeOf(timeNs)), sizes),
    );
    if (frame instanceof Uint8Array) return;
    // Why: a frame of the worker may be lost with it; what was added is in the file or in memory here.
    await this.#writing;
    this.#throwFailure();
  }

  /** Closes the chunk under way and waits until it is in the file. */
  async flush(): Promise<void> {
    await this.#closeChunk();
    await this.#writing;
    this.#throwFailure();
  }

  /** Writes summary and footer and syncs; after a frame that is lost, too. The file is closed whatever happens. */
  async close(): Promise<void> {
    try {
      if (!isWorkerLost(this.#failure)) await this.flush();
      await this.#file.append(encodeEnd(this.#summary, this.#file.size));
      await this.#file.sync();
    } finally {
      await this.#file.close();
    }
  }

  async #closeChunk(): Promise<void> {
    this.#throwFailure();
    if (this.#chunk.length === 0) return;
    const uncompressed = this.#chunk.buffer; // a copy
    this.#chunk.reset();
    await this.#begin(() => this.#compressChunk(uncompressed));
  }

  /** Begins to write a chunk once the one before is in the file: at most one is in progress. */
  async #begin(write: () => Promise<void>): Promise<void> {
    await this.#writing;
    this.#throwFailure();
    this.#writing = write().catch((error: unknown) => {
      this.#failure = error instanceof Error ? error : new Error(String(error));
    });
  }

  async #compressChunk(uncompressed: Uint8Array): Promise<void> {
    const contents = readChunkContents(uncompressed);
    if (contents === null) throw new TypeError('a chunk must hold whole records');
    const records = await compress(uncompressed, compression);
    await this.#writeChunk(records, contents, {
      uncompressedBytes: uncompressed.length,
      crc32: crc32(uncompressed),
      compressedBytes: records.length,
    });
  }

  async #writeChunk(
    records: Uint8Array | StoredFrame,
    contents: ChunkContents,
    sizes: ChunkSizes,
  ): Promise<void> {
    const index = encodeMessageIndex(contents);
    const head = encodeChunkHead(contents, sizes);
    const offset = this.#file.size;
    try {
      if (records instanceof Uint8Array) await this.#append(head, records, index.bytes);
      else await this.#appendStored(head, records, index.bytes, sizes.compressedBytes);
    } catch (error) {
      await this.#file.truncate(offset).catch(() => undefined); // recover() cuts what could not be cut
      throw error;
    }
    const length = head.length + sizes.compressedBytes;
    addChunk(this.#summary, { offset, length, ...sizes }, contents, index);
  }

  async #append(...pieces: Uint8Array[]): Promise<void> {
    await this.#file.append(...pieces);
    for (const bytes of pieces) addDataBytes(this.#summary, bytes);
  }

  async #appendStored(
    head: Uint8Array,
    frame: StoredFrame,
    tail: Uint8Array,
    frameBytes: number,
  ): Promise<void> {
    const { dataCrc } = this.#summary;
    const bytes = head.length + frameBytes + tail.length;
    const crc = await this.#file.appendElsewhere(bytes, (end) =>
      frame.write({ ...end, head, tail, crc32: dataCrc }),
    );
    if (crc !== null) this.#summary.dataCrc = crc;
    else await this.#append(head, await frame.rescan(), tail);
  }

  #throwFailure(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}

function isWorkerLost(error: Error | null): boolean {
  return error instanceof UnderstoryError && error.code === 'worker-lost';
}
