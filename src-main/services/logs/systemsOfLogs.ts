// The coordinate reference systems that logs state.
import type { Logs } from '#services/ports/logs.ts';

/** Null: not stated. @throws what reading the head of a log throws */
export async function systemsOfLogs(
  logs: Pick<Logs, 'open'>,
  files: readonly string[],
): Promise<(string | null)[]> {
  const stated: (string | null)[] = [];
  for (const file of files) {
    const reader = await logs.open(file);
    stated.push(reader.head.crs);
    await reader.close();
  }
  return stated;
}
