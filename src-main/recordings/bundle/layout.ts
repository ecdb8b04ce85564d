// Names and limits of a bundle's entries; BUNDLE.md has them for people.

export const manifestName = 'manifest.json';

/** More than ten thousand runs with all they may have. */
export const maxEntries = 200_000;

/** Entries that are read as a whole. */
export const maxReadBytes = 2 ** 28;

/** Smaller entries may be compressed as much as they can be. */
const looseBytes = 2 ** 24;
const maxRatio = 200;

/** Whether an entry grows more than anything that is written here: it would fill the disk. */
export function isBomb(bytes: number, compressedBytes: number): boolean {
  return bytes > looseBytes && bytes > maxRatio * compressedBytes;
}

/** Whether bytes of this size are compressed: what isBomb refuses is never written. */
export function mayBeCompressed(bytes: number): boolean {
  return bytes <= looseBytes;
}

/** Whether a name is one of a bundle: relative, with plain letters, without folders that lead out. */
export function isEntryName(name: string): boolean {
  return name.length <= 200 && /^\w[\w.-]*(\/\w[\w.-]*)*$/.test(name);
}
