// Scans of an open scene as jobs of the page, one at a time: their returns as a table, bounded in rows.
import { ref, type Ref } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled, UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestInputOf } from '#contract/host/methods.ts';
import { scanColumns, scanTable, type ScanTable } from '#renderer/logic/scans/scanTable.ts';
import { useJobs } from '../host/jobs.ts';

export interface ScanJob {
  /** Name of the sensor. */
  name: string;
  request: Omit<RequestInputOf<'scene.scan'>, 'columns'>;
  /** Null: no command does the same. */
  command: string | null;
}

export interface ScanResult {
  reply: Replies['scene.scan'];
  table: ScanTable;
}

export interface ScanRunner {
  isScanning: Ref<boolean>;
  /**
   * Null after `cancel`.
   * @throws UnderstoryError 'bad-input' where there are too many rows, 'cancelled' where its scene was closed; what the
   * host throws
   */
  run: (job: ScanJob) => Promise<ScanResult | null>;
  cancel: () => void;
}

/** An edit of the scene closes the one that is scanned. */
const endedEarly = 'the scan was cancelled, as when its scene is edited: scan again';

/** The page has to hold and draw them. */
const maxScanRows = 1_500_000;

/** Within a set-up. */
export function createScanRunner(maxRows = maxScanRows): ScanRunner {
  const jobs = useJobs();
  const isScanning = ref(false);
  let running: AbortController | null = null;
  return {
    isScanning,
    async run(job) {
      const own = new AbortController();
      running = own;
      isScanning.value = true;
      try {
        return await read(job, own.signal);
      } catch (failure) {
        if (own.signal.aborted && isCancelled(failure)) return null;
        throw isCancelled(failure) ? new UnderstoryError('cancelled', endedEarly) : failure;
      } finally {
        isScanning.value = false;
        running = null;
      }
    },
    cancel: () => running?.abort(),
  };

  async function read(
    { name, request, command }: ScanJob,
    signal: AbortSignal,
  ): Promise<ScanResult> {
    const tooMany = new AbortController();
    const chunks: Columns[] = [];
    let rows = 0;
    const options = {
      ...(command !== null && { command }),
      signal: AbortSignal.any([signal, tooMany.signal]),
      onChunk: (_: unknown, columns: Columns): void => {
        chunks.push(columns);
        rows += columns['pulse']?.length ?? 0;
        if (rows > maxRows) tooMany.abort();
      },
    };
    try {
      const columns = [...scanColumns];
      const asked = { ...request, columns };
      const { reply } = await jobs.run(`Scan: ${name}`, 'scene.scan', asked, options);
      return { reply, table: scanTable(chunks) };
    } catch (failure) {
      throw tooMany.signal.aborted ? new UnderstoryError('bad-input', tooManyRows(rows)) : failure;
    }
  }
}

function tooManyRows(rows: number): string {
  const millions = (rows / 1e6).toFixed(1);
  return `More than ${millions} million returns: too many for the page. Scan for a shorter time, or copy the command and scan to a file.`;
}
