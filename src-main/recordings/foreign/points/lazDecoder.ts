// laz-perf, a library in WebAssembly that decompresses a chunk of LAZ. Guarantees: nothing that it does to itself (traps,
// aborts, memory) outlives the reader of one file; it leaves the handlers of the process as they were.
import { createLazPerf } from 'laz-perf';
import { withoutHandlers } from '../emscripten.ts';

export interface LazDecoder {
  /** Takes a chunk; `format` and `rowBytes` are those of its points. */
  begin(chunk: Uint8Array, format: number, rowBytes: number): void;
  /** The next points of the chunk, until `into` is full. @throws whatever a trap of WebAssembly is */
  take(into: Uint8Array): void;
}

/** The parts of the library that are used; its own types name those of Emscripten. */
interface LazPerf {
  readonly HEAPU8: Uint8Array;
  _malloc(bytes: number): number;
  _free(at: number): void;
  ChunkDecoder: new () => {
    open(format: number, rowBytes: number, at: number): void;
    getPoint(at: number): void;
  };
}
type CreateLazPerf = (options: Record<string, () => void>) => Promise<LazPerf>;

const rowsAtOnce = 4096;
const maxRowsBytes = 1 << 20;
/** Zeros behind a chunk: decoders look ahead. */
const paddingBytes = 64;

/** A decompressor with memory of its own. */
export async function openLazDecoder(): Promise<LazDecoder> {
  const library = await withoutHandlers(() => (createLazPerf as CreateLazPerf)(silent()));
  const chunk = growing(library);
  const rows = growing(library);
  const decoder = new library.ChunkDecoder();
  let pointBytes = 0;
  return {
    begin(bytes, format, rowBytes) {
      pointBytes = rowBytes;
      const at = chunk.place(bytes.length + paddingBytes);
      library.HEAPU8.set(bytes, at);
      library.HEAPU8.fill(0, at + bytes.length, at + bytes.length + paddingBytes);
      decoder.open(format, rowBytes, at);
    },
    take(into) {
      const maxRows = Math.max(1, Math.min(rowsAtOnce, Math.floor(maxRowsBytes / pointBytes)));
      for (let from = 0; from < into.length;) {
        const bytes = Math.min(maxRows * pointBytes, into.length - from);
        const at = rows.place(bytes);
        for (let row = 0; row < bytes; row += pointBytes) decoder.getPoint(at + row);
        into.set(library.HEAPU8.subarray(at, at + bytes), from);
        from += bytes;
      }
    },
  };
}

/** Options of a library that prints nothing. Why new ones each time: the library becomes this object. */
function silent(): Record<string, () => void> {
  return { print: () => undefined, printErr: () => undefined };
}

/** Memory of the library that is taken again where more is needed. */
function growing(library: LazPerf): { place(bytes: number): number } {
  let [at, size] = [0, 0];
  return {
    place(bytes) {
      if (bytes <= size) return at;
      if (size > 0) library._free(at);
      [at, size] = [library._malloc(bytes), bytes];
      if (at === 0) throw new RangeError(`no memory for ${bytes} bytes`);
      return at;
    },
  };
}
