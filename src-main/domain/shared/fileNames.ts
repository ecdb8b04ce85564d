// Names of logs, models and scenarios: as they are shown, as they are proposed, and as scenarios name them.

/** Without folder and ending. */
export function stemOf(file: string): string {
  return (file.split(/[\\/]/).at(-1) ?? file).replace(/\.(log|ply)$/i, '');
}

/** A name of letters that every file system takes. */
export function slugOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  return slug === '' ? 'site' : slug.slice(0, 60);
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
 * `target` as a scenario names it: relative where it is in the folder of the scenario, or both are in the data folder, so
 * that the folder can be moved; absolute otherwise. All are absolute, with slashes.
 */
export function fileFrom(scenario: string, target: string, dataFolder: string): string {
  const from = scenario.split('/').slice(0, -1);
  const isIn = (file: string, folder: string): boolean => file.startsWith(`${folder}/`);
  const areInData = dataFolder !== '' && [scenario, target].every((file) => isIn(file, dataFolder));
  if (!areInData && !isIn(target, from.join('/'))) return target;
  const to = target.split('/');
  let common = 0;
  while (common < from.length && from[common] === to[common]) common += 1;
  const up = from.slice(common).map(() => '..');
  return [...up, ...to.slice(common)].join('/');
}
