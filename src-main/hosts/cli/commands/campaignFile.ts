// The campaign that an argument names. Guarantees: a file is absolute, so that the catalogue finds it from any folder, and
// every spelling of one file is the same campaign.
import { resolve } from 'node:path';
import type { Surroundings } from '../session.ts';

/** Names of samples and campaigns have neither a folder nor the extension of a document. */
const filePattern = /[/\\]|\.(ya?ml|json)$/i;

/** The absolute file for a path as seen from the working folder; a name as it is. */
export function campaignFile(
  { workingFolder }: Pick<Surroundings, 'workingFolder'>,
  fileOrName: string,
): string {
  return filePattern.test(fileOrName) ? resolve(workingFolder, fileOrName) : fileOrName;
}
