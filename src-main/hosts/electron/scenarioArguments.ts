// Scenarios and bundles of runs named on the command line: by a double click on a file, or by a second start of the app.
import { resolve } from 'node:path';

/** Ending of scenario files, which the package associates with the app. */
export const scenarioEnding = '.understory.yaml';

/** Ending of bundles of runs, which the package associates with the app, too. */
export const bundleEnding = '.understory';

/** Absolute paths of the scenarios and bundles among a process's arguments, in order. */
export function scenarioArguments(argv: readonly string[], workingFolder: string): string[] {
  return argv
    .slice(1)
    .filter((argument) => !argument.startsWith('-') && isOpenable(argument))
    .map((file) => resolve(workingFolder, file));
}

function isOpenable(file: string): boolean {
  return file.endsWith(scenarioEnding) || file.endsWith(bundleEnding);
}
