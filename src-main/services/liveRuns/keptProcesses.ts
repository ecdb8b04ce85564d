// Run processes that stay between drives, with their scenes: a drive that begins again as another one, as episodes of a
// program do, builds no equal scene again. Guarantees: a process has one run at a time, and none outlives `dispose` or
// ten minutes without a run.
import type { RunProcess, RunProcesses } from '#services/ports/runProcesses.ts';
import type { Timer } from '#services/ports/system.ts';
import type { LentProcess } from './liveRun.ts';

export interface KeptProcesses {
  /** @param isKept it stays for another drive when its run has ended well */
  start(isKept: boolean): Promise<LentProcess>;
  /** Ends those without a run, and keeps no more. */
  dispose(): Promise<void>;
}

const idleS = 600;

interface Idle {
  process: RunProcess;
  /** Ends the waiting. */
  used: AbortController;
}

/** For the drives of a host. */
export function createKeptProcesses(processes: RunProcesses, timer: Timer): KeptProcesses {
  const idle: Idle[] = [];
  let isDisposed = false;
  return {
    async start(isKept) {
      const known = isKept ? idle.pop() : undefined;
      known?.used.abort();
      const process = known?.process ?? (await processes.start());
      return {
        execute: (order, heights, options) => process.execute(order, heights, options),
        control: (control) => process.control(control),
        get pid() {
          return process.pid;
        },
        dispose: () => process.dispose(),
        release: () => (isKept && !isDisposed ? keep(process) : process.dispose()),
      };
    },
    async dispose() {
      isDisposed = true;
      const left = idle.splice(0);
      for (const { used } of left) used.abort();
      await Promise.all(left.map(({ process }) => process.dispose()));
    },
  };

  function keep(process: RunProcess): Promise<void> {
    const kept: Idle = { process, used: new AbortController() };
    idle.push(kept);
    void timer.pause(idleS, kept.used.signal).then(async () => {
      const index = idle.indexOf(kept);
      if (index < 0) return;
      idle.splice(index, 1);
      await process.dispose();
    });
    return Promise.resolve();
  }
}
