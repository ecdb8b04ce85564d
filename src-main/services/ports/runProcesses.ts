// Run processes, and the locks that say which of them live.
import type { Columns } from '#contract/columns.ts';
import type { RunControl, RunEvent, RunOrder, RunOutcome, RunView } from '#contract/host/run.ts';
import type { Progress } from '#contract/worker/worker.ts';

export interface RunProcess {
  /** Ends cleanly on abort: the chunk under way is finished and the recording closed. */
  execute(
    order: RunOrder,
    heights: Float32Array,
    options: {
      signal?: AbortSignal;
      onProgress?: (progress: Progress) => void;
      onRunEvent: (event: RunEvent, columns: Columns) => void | Promise<void>;
      onView?: (view: RunView, columns: Columns) => void;
    },
  ): Promise<RunOutcome>;
  /** Sends to the running run; messages after its end are lost. */
  control(control: RunControl): void;
  readonly pid: number;
  dispose(): Promise<void>;
}

export interface RunProcesses {
  start(): Promise<RunProcess>;
}

/** A lock that dies with its process. */
export interface RunLock {
  release(): void;
}

export interface RunLocks {
  /** @throws 'locked' when another live process holds it. */
  acquire(file: string): RunLock;
  isHeld(file: string): boolean;
}
