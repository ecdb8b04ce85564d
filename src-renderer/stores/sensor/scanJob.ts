// Scans of an open scene as jobs of the page, one at a time: their returns as a table, or an even sample of them where the
// page cannot hold all.
import { ref, type Ref } from 'vue';
import type { Columns } from '#contract/columns.ts';
import { isCancelled, UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestInputOf } from '#contract/host/methods.ts';
import { scanColumns, scanTable, type ScanTable } from '#renderer/logic/scans/scanTable.ts';
import { useJobs } from '../host/jobs.ts';

export interface ScanJob {
  /** Name of the sensor. */
  name: string;
  request: Omit<RequestInputOf<'scene.scan'>, 'columns' | 'maxRows'>;
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
   * @throws UnderstoryError 'cancelled' where its scene was closed; what the host throws
   */
  run: (job: ScanJob) => Promise<ScanResult | null>;
  cancel: () => void;
}

/** An edit of the scene closes the one that is scanned. */
const endedEarly = 'the scan was cancelled, as when its scene is edited: scan again';

/** The page holds and draws them: more are drawn by an octree (scanOctrees.ts). */
const maxRows = 1_500_000;

/** Within a set-up. */
export function createScanRunner(): ScanRunner {
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
    const chunks: Columns[] = [];
    const options = {
      ...(command !== null && { command }),
      signal,
      onChunk: (_: unknown, columns: Columns): void => void chunks.push(columns),
    };
    const asked = { ...request, columns: [...scanColumns], maxRows };
    const { reply } = await jobs.run(`Scan: ${name}`, 'scene.scan', asked, options);
    return { reply, table: scanTable(chunks) };
  }
}
