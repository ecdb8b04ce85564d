// Compression in recordings of other programs: zstd by Node, LZ4 and bzip2 by WebAssembly. Guarantees: nothing inflates
// to more than its packed bytes may become (maxContentBytes), whatever size is stated; failures are RangeErrors.
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { maxContentBytes } from '../mcap/chunkContents.ts';
import { withoutHandlers } from './emscripten.ts';

const inflateZstd = promisify(zstdDecompress);

/** Inflates `packed`, which states `bytes`. @throws RangeError */
export type Inflate = (packed: Uint8Array, bytes: number) => Uint8Array;

/** Those in WebAssembly, by their names in MCAP and in bags of ROS 1; zstd is asynchronous. */
export interface WasmCodecs {
  lz4: Inflate;
  bz2: Inflate;
}

/** Loads both. Why on demand: nearly no recording needs them, and each keeps memory of its own. */
export async function loadWasmCodecs(): Promise<WasmCodecs> {
  const [{ default: lz4 }, { default: Bzip2 }] = await Promise.all([
    import('@foxglove/wasm-lz4'),
    import('@foxglove/wasm-bz2'),
  ]);
  const [bz2] = await Promise.all([withoutHandlers(() => Bzip2.init()), lz4.isLoaded]);
  return {
    lz4: checked((packed, bytes) => lz4(packed, bytes)),
    bz2: checked((packed, bytes) => bz2.decompress(packed, bytes)),
  };
}

/** As `Inflate`, of one frame of zstd. @throws RangeError */
export async function inflatedZstd(packed: Uint8Array, bytes: number): Promise<Uint8Array> {
  expectPossible(packed, bytes);
  try {
    return await inflateZstd(packed, { maxOutputLength: Math.max(1, bytes) });
  } catch {
    throw new RangeError(`expected zstd of at most ${bytes} bytes`);
  }
}

function checked(inflate: Inflate): Inflate {
  return (packed, bytes) => {
    expectPossible(packed, bytes);
    if (bytes === 0) return new Uint8Array(0);
    let inflated: Uint8Array;
    try {
      inflated = inflate(packed, bytes);
    } catch {
      throw new RangeError(`expected compressed content of ${bytes} bytes, found other bytes`);
    }
    if (inflated.length === bytes) return inflated;
    throw new RangeError(`expected content of ${bytes} bytes, found ${inflated.length}`);
  };
}

function expectPossible(packed: Uint8Array, bytes: number): void {
  const maxBytes = maxContentBytes(packed.length);
  if (bytes <= maxBytes) return;
  const found = `found ${bytes} in ${packed.length}`;
  throw new RangeError(`expected a chunk of at most ${maxBytes} bytes, ${found}`);
}
