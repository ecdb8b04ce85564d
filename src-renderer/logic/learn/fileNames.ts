// Names of logs and models on the page: short ones, and those of files to come.
import { stemOf } from '#domain/shared/fileNames.ts';

/** Names of files that are compared, without what all of them begin with: 'site-voxel' and 'site-hybrid' differ by kind. */
export function shortNames(files: readonly string[]): string[] {
  const stems = files.map(stemOf);
  const [first = ''] = stems;
  if (stems.length < 2) return stems;
  let length = 0;
  while (stems.every((stem) => stem[length] !== undefined && stem[length] === first[length])) {
    length += 1;
  }
  const common = first.slice(0, length).lastIndexOf('-') + 1;
  const short = stems.map((stem) => stem.slice(common));
  return short.includes('') ? stems : short;
}

/** A file of the folder that none of `taken` is: name.log, name-2.log … */
export function freeFile(
  folder: string,
  name: string,
  ending: string,
  taken: readonly string[],
): string {
  for (let number = 1; ; number += 1) {
    const file = `${folder}/${number === 1 ? name : `${name}-${number}`}${ending}`;
    if (!taken.includes(file)) return file;
  }
}

/** A stem in the folder with which no file of `taken` begins: name, name-2 … */
export function freeStem(folder: string, name: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const stem = `${folder}/${number === 1 ? name : `${name}-${number}`}`;
    if (!taken.some((file) => file.startsWith(`${stem}-`) || file === `${stem}.ply`)) return stem;
  }
}
