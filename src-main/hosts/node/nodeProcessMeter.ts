// The ProcessMeter port: what Linux counts for a process, all of its threads included, and Node for its own main thread.
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { ProcessMeter } from '#services/ports/system.ts';

/** The kernel's unit of time, USER_HZ, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

export function createNodeProcessMeter(): ProcessMeter {
  return {
    ownPid: process.pid,
    cpuSeconds(pid) {
      const stat = readIfThere(`/proc/${pid}/stat`);
      // Why from the last parenthesis: the name of the program, in parentheses, may hold anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[11] ?? 'none') + Number(fields[12] ?? 'none')) / ticksPerSecond;
    },
    peakRssBytes(pid) {
      const match = /^VmHWM:\s+(\d+) kB$/m.exec(readIfThere(`/proc/${pid}/status`));
      return match === null ? Number.NaN : Number(match[1]) * 1024;
    },
    movedBytes(pid) {
      const counters = [...readIfThere(`/proc/${pid}/io`).matchAll(/^[rw]char: (\d+)$/gm)];
      if (counters.length === 0) return Number.NaN;
      return counters.reduce((sum, [, bytes]) => sum + Number(bytes), 0);
    },
    mainThread() {
      const { user, system } = process.threadCpuUsage();
      return {
        busy: performance.eventLoopUtilization().active / 1e3,
        cpu: (user + system) / 1e6,
      };
    },
  };
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
