// Compression and predictors of the tiles of a TIFF (TIFF 6.0, sections 9, 13 and 14; Adobe Photoshop TIFF technical
// note 3). Guarantees: Deflate and LZW take no memory beyond the rows of the tile, however much follows in the file.
import { getDecoder } from 'geotiff';
import { tags } from './tiffDirectories.ts';
import { rowBytesOf, type TiffImage } from './tiffImage.ts';

/** Compressions that the library reads: PackBits, LERC, Zstandard. */
const ofLibrary = [32773, 34887, 50000];

/** @returns `length` bytes of a tile. @throws TiffRefusal; what the library throws */
export async function unpacked(
  image: TiffImage,
  packed: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<ArrayBuffer> {
  const bytes = await decoded(image, packed, length);
  if (bytes.byteLength < length) {
    throw new Error(`a tile or strip has ${bytes.byteLength} bytes in place of ${length}`);
  }
  return bytes.byteLength === length ? bytes : bytes.slice(0, length);
}

async function decoded(
  image: TiffImage,
  packed: Uint8Array<ArrayBuffer>,
  length: number,
): Promise<ArrayBuffer> {
  const { compression } = image;
  if (compression === 1) return wholeBuffer(packed);
  if (compression === 5) return unpackLzw(packed, length);
  if (compression === 8 || compression === 32946) return inflate(packed, length);
  if (!ofLibrary.includes(compression)) {
    throw new Error(
      `it has compression ${compression}: gdal_translate -co COMPRESS=DEFLATE in.tif out.tif`,
    );
  }
  const parameters = {
    tileWidth: image.tileColumns,
    tileHeight: image.tileRows,
    predictor: image.predictor,
    bitsPerSample: 8 * image.sampleBytes,
    planarConfiguration: image.samples === image.bands ? 1 : 2,
    LercParameters: image.directory.values(tags.lercParameters),
  };
  const decoder = await getDecoder(compression, parameters);
  return (await decoder.decodeBlock(wholeBuffer(packed))) as ArrayBuffer;
}

function wholeBuffer(bytes: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes.buffer : bytes.slice().buffer;
}

/** Why not the library's: it takes twice the size of the strip, and however much the strip inflates to. */
async function inflate(packed: Uint8Array<ArrayBuffer>, length: number): Promise<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.getReader();
  let at = 0;
  while (at < length) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, length - at);
    bytes.set(part, at);
    at += part.length;
  }
  await reader.cancel();
  return bytes.buffer.transfer(at);
}

const [clearCode, endCode, maxCodes] = [256, 257, 4096];

/**
 * Codes of 9 to 12 bits, the most significant first. The string of a code is that of the code before it and the letter
 * that follows, so that it is found in what was written. Why not the library's: it collects numbers without an end.
 */
function unpackLzw(packed: Uint8Array, length: number): ArrayBuffer {
  const bytes = new Uint8Array(length);
  const starts = new Uint32Array(maxCodes);
  const lengths = new Uint32Array(maxCodes);
  let next = endCode + 1;
  let codeBits = 9;
  let [held, heldBits] = [0, 0];
  let [at, before, beforeLength] = [0, 0, 0];
  for (const byte of packed) {
    held = (held << 8) | byte;
    heldBits += 8;
    if (heldBits < codeBits) continue;
    heldBits -= codeBits;
    const code = held >>> heldBits;
    held &= (1 << heldBits) - 1;
    if (code === endCode || at === length) break;
    if (code === clearCode) {
      [next, codeBits, beforeLength] = [endCode + 1, 9, 0];
      continue;
    }
    if (beforeLength > 0 && next < maxCodes) {
      starts[next] = before;
      lengths[next] = beforeLength + 1;
      next += 1;
    }
    if (code >= next) throw new Error(`a tile has the code ${code} of LZW before its string`);
    before = at;
    if (code < clearCode) {
      bytes[at] = code;
      at += 1;
    } else {
      const from = starts[code] ?? 0;
      const end = Math.min(length, at + (lengths[code] ?? 0));
      for (let read = from; at < end; read += 1, at += 1) bytes[at] = bytes[read] ?? 0;
    }
    beforeLength = at - before;
    // Why one early: as TIFF has it.
    if (next + 1 >= 1 << codeBits && codeBits < 12) codeBits += 1;
  }
  return bytes.buffer.transfer(at);
}

/** Brings samples into the byte order of the machine (little-endian) and undoes the predictor, in place. */
export function finishTile(image: TiffImage, bytes: ArrayBuffer): void {
  const { predictor, sampleBytes, samples } = image;
  const rowBytes = rowBytesOf(image);
  if (!image.directory.isLittle && predictor !== 3) swapBytes(new Uint8Array(bytes), sampleBytes);
  if (predictor === 1) return;
  const isFloat = predictor === 3 && sampleBytes > 1;
  const rowOf = isFloat ? Uint8Array : unsigned[sampleBytes];
  if (rowOf === undefined || (predictor !== 2 && !isFloat)) {
    throw new Error(`it has predictor ${predictor} with ${8 * sampleBytes} bits a sample`);
  }
  for (let from = 0; from < bytes.byteLength; from += rowBytes) {
    const row = new rowOf(bytes, from, rowBytes / rowOf.BYTES_PER_ELEMENT);
    for (let at = samples; at < row.length; at += 1) {
      row[at] = (row[at] ?? 0) + (row[at - samples] ?? 0);
    }
    if (row instanceof Uint8Array && isFloat) joinPlanes(row, sampleBytes);
  }
}

const unsigned: Readonly<
  Record<number, typeof Uint8Array | typeof Uint16Array | typeof Uint32Array>
> = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array };

function swapBytes(bytes: Uint8Array, size: number): void {
  for (let at = 0; at < bytes.length; at += size) {
    for (let [low, high] = [at, at + size - 1]; low < high; low += 1, high -= 1) {
      const byte = bytes[low] ?? 0;
      bytes[low] = bytes[high] ?? 0;
      bytes[high] = byte;
    }
  }
}

/** A row of the most significant bytes of all samples, then the next ones: as samples, little-endian. */
function joinPlanes(row: Uint8Array, size: number): void {
  const planes = row.slice();
  const count = row.length / size;
  for (let sample = 0; sample < count; sample += 1) {
    for (let byte = 0; byte < size; byte += 1) {
      row[sample * size + size - 1 - byte] = planes[byte * count + sample] ?? 0;
    }
  }
}
