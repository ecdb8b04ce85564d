// The messages of a rosbag2 file in SQLite (.db3), which other programs wrote. Here, because SQLite is.
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { SourceMessage } from '#services/ports/logSources.ts';
import { openSqlite } from './sqlite.ts';

/** Messages between two looks at the signal. */
const turnMessages = 64;

/** The CDR messages of a file, in the order of their times. @throws UnderstoryError 'corrupt', 'cancelled' */
export async function* bagMessages(
  file: string,
  signal: AbortSignal,
  progress: (bytes: number) => void,
): AsyncGenerator<SourceMessage> {
  const database = openBag(file);
  try {
    const rows = database
      .prepare(
        `SELECT topics.name AS topic, topics.type AS type, topics.serialization_format AS format, messages.data AS data
         FROM messages JOIN topics ON topics.id = messages.topic_id ORDER BY messages.timestamp, messages.id`,
      )
      .iterate() as IterableIterator<SourceMessage & { format: string }>;
    let bytes = 0;
    let count = 0;
    for (const { topic, type, format, data } of rows) {
      bytes += data.length;
      count += 1;
      if (format === 'cdr') yield { topic, type, data };
      if (count % turnMessages !== 0) continue;
      throwIfCancelled(signal);
      progress(bytes);
      // Others get their turn: SQLite reads at once.
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    throw damaged(file, error);
  } finally {
    database.close();
  }
}

function openBag(file: string): ReturnType<typeof openSqlite> {
  try {
    return openSqlite(file, { timeoutMs: 1000, isReadOnly: true });
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    throw damaged(file, error);
  }
}

function damaged(file: string, error: unknown): UnderstoryError {
  const reason = (error as Error).message;
  return new UnderstoryError('corrupt', `${file} is no file of rosbag2: ${reason}`, { file });
}
