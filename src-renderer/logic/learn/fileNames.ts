// Names of logs and models: as they are shown, as they are proposed, and as scenarios name them.

/** Without folder and ending. */
export function stemOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(log|ply)$/i, '');
}

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

/** A name of letters that every file system takes. */
export function slugOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  return slug === '' ? 'site' : slug.slice(0, 60);
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

/** The path of a file that a scenario names, absolute. */
export function fileSeenFrom(scenario: string, file: string): string {
  if (/^([/\\]|[a-z]:)/i.test(file)) return file;
  const parts = scenario.split('/').slice(0, -1);
  for (const part of file.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

/**
 * `target` as a scenario names it: relative where both are in the data folder, so that the folder can be moved, absolute
 * otherwise. All are absolute, with slashes.
 */
export function fileFrom(scenario: string, target: string, dataFolder: string): string {
  const isInside = (file: string): boolean => file.startsWith(`${dataFolder}/`);
  if (dataFolder === '' || !isInside(scenario) || !isInside(target)) return target;
  const from = scenario.split('/').slice(0, -1);
  const to = target.split('/');
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  const up = from.slice(common).map(() => '..');
  return [...up, ...to.slice(common)].join('/');
}
