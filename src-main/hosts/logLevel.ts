// How much a host logs: --log-level, else UNDERSTORY_LOG, else 'info'.
import { UnderstoryError } from '#contract/errors.ts';
import { logLevels, type LogLevel } from '#services/ports/system.ts';

/** The environment variable; a host sets it for its run processes. */
export const logLevelVariable = 'UNDERSTORY_LOG';

export interface LogLevelSources {
  /** Value of --log-level, if given. */
  option?: string | undefined;
  environment: Record<string, string | undefined>;
}

/** @throws UnderstoryError 'bad-input' for a value that is no level */
export function logLevelOf({ option, environment }: LogLevelSources): LogLevel {
  const chosen = option ?? environment[logLevelVariable] ?? '';
  if (chosen === '') return 'info';
  const level = logLevels.find((name) => name === chosen);
  if (level !== undefined) return level;
  throw new UnderstoryError(
    'bad-input',
    `'${chosen}' is not a log level: choose one of ${logLevels.join(', ')}`,
  );
}
