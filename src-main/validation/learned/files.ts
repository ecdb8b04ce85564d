// Files of experiments: in a folder that is gone afterwards, or in one that stays for the next attempt.
import type { ValidationBench } from '../bench.ts';
import type { Steps } from '../steps.ts';

/** Gives names of files in a scratch folder. */
export function withFiles<T>(
  { scratch, files }: Pick<ValidationBench, 'scratch' | 'files'>,
  work: (fileOf: (name: string) => string) => Promise<T>,
): Promise<T> {
  return scratch.use('learned', (folder) => inFolder(files, folder, work));
}

/** As withFiles, but in the folder of the steps where there is one: logs and models stay for the next attempt. */
export function withSiteFiles<T>(
  bench: Pick<ValidationBench, 'scratch' | 'files'>,
  { folder }: Steps,
  work: (fileOf: (name: string) => string) => Promise<T>,
): Promise<T> {
  if (folder === null) return withFiles(bench, work);
  return inFolder(bench.files, folder, work);
}

async function inFolder<T>(
  files: Pick<ValidationBench['files'], 'writeText'>,
  folder: string,
  work: (fileOf: (name: string) => string) => Promise<T>,
): Promise<T> {
  // Why a text: the folder is made with its first file.
  await files.writeText(`${folder}/README.txt`, 'files of an experiment of the validation\n');
  return work((name) => `${folder}/${name}`);
}
