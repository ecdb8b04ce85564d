// Sizes that the directories of a TIFF state (TIFF 6.0, section 2; BigTIFF), before the library allocates memory for as
// many values as an entry has.

/** Bytes of a value by type; the library reads no others. */
const typeBytes = new Map([
  ...[1, 2, 6, 7].map((type) => [type, 1] as const),
  ...[3, 8].map((type) => [type, 2] as const),
  ...[4, 9, 11, 13].map((type) => [type, 4] as const),
  ...[5, 10, 12, 16, 17, 18].map((type) => [type, 8] as const),
]);

/** Why a limit: directories that lead back to earlier ones have no end. */
const maxDirectories = 1000;

/** The fault of a file whose entries state more bytes than it has; null: none. */
export function directoryFault(bytes: Uint8Array): string | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const isLittle = view.getUint16(0) === 0x4949;
    const isBig = view.getUint16(2, isLittle) === 43;
    const numberAt = (at: number): number =>
      isBig ? Number(view.getBigUint64(at, isLittle)) : view.getUint32(at, isLittle);
    const word = isBig ? 8 : 4;
    let directoryAt = numberAt(isBig ? 8 : 4);
    for (let number = 0; directoryAt !== 0; number += 1) {
      if (number === maxDirectories) return `expected at most ${maxDirectories} images`;
      const entries = isBig ? numberAt(directoryAt) : view.getUint16(directoryAt, isLittle);
      let at = directoryAt + (isBig ? 8 : 2);
      for (let entry = 0; entry < entries; entry += 1, at += 4 + 2 * word) {
        const size = typeBytes.get(view.getUint16(at + 2, isLittle)) ?? 1;
        const count = numberAt(at + 4);
        if (count * size <= bytes.length) continue;
        return `expected a GeoTIFF, found the tag ${view.getUint16(at, isLittle)} with ${count} values in a file of ${bytes.length} bytes`;
      }
      directoryAt = numberAt(at);
    }
    return null;
  } catch (error) {
    if (error instanceof RangeError)
      return 'expected a GeoTIFF, found a directory outside the file';
    throw error;
  }
}
