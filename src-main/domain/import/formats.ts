// Which importer reads a file.
import type { ImportFormat } from '#contract/host/importMethods.ts';

/** The format by a file's name; null: none of them. */
export function importFormatOf(file: string): ImportFormat | null {
  if (/\.(csv|tsv)$/i.test(file)) return 'tree-list';
  if (/\.asc$/i.test(file)) return 'ascii-grid';
  if (/\.tiff?$/i.test(file)) return 'geotiff';
  if (/\.(glb|gltf)$/i.test(file)) return 'gltf';
  if (/\.json$/i.test(file)) return 'mavs';
  if (/\.xml$/i.test(file)) return 'helios';
  return null;
}
