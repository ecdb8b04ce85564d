// Scenarios named on the command line: by a double click on a file, or by a second start of the app.
import { resolve } from 'node:path';

/** Ending of scenario files, which the package associates with the app. */
export const scenarioEnding = '.understory.yaml';

/** Absolute paths of the scenarios among a process's arguments, in order. */
export function scenarioArguments(argv: readonly string[], workingFolder: string): string[] {
  return argv
    .slice(1)
    .filter((argument) => !argument.startsWith('-') && argument.endsWith(scenarioEnding))
    .map((file) => resolve(workingFolder, file));
}
