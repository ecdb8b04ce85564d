// Whether the processes that launched a command still live: setup.mjs under another Node, npm and its shell. Why:
// killed with SIGKILL, or npm with SIGTERM, they pass no signal on, and a web host would listen endlessly.
import { readFileSync } from 'node:fs';

/** Holds the id of the process that launched this one, where that is setup.mjs. */
const launcherVariable = 'UNDERSTORY_LAUNCHER';

const intervalMs = 500;
/** setup.mjs, a shell, npm. */
const maxAncestors = 4;

/** Calls `onGone` once a launcher has died; returns what ends the watching. Without a launcher nothing is watched. */
export function watchLauncher(
  environment: Record<string, string | undefined>,
  onGone: () => void,
): () => void {
  const toNpm = environment['npm_command'] === undefined ? [] : ancestorsToNpm();
  const isSetup = environment[launcherVariable] === String(process.ppid);
  const chain = toNpm.length === 0 && isSetup ? [process.ppid] : toNpm;
  if (chain.length === 0) return () => undefined;
  // Why the links, and not the last one's own parent: the process that started npm may end, as after nohup.
  const links = chain.map((parent, at) => ({ parent, child: chain[at - 1] ?? process.pid }));
  const timer = setInterval(() => {
    if (links.every(({ child, parent }) => parentOf(child) === parent)) return;
    clearInterval(timer);
    onGone();
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** From this process's parent up to npm; none where npm is not among them. */
function ancestorsToNpm(): number[] {
  const chain: number[] = [];
  let pid: number | null = process.ppid;
  while (pid !== null && pid > 1 && chain.length < maxAncestors) {
    chain.push(pid);
    if (/\bnp[mx]\b/.test(readOf(pid, 'cmdline') ?? '')) return chain;
    pid = parentOf(pid);
  }
  return [];
}

/** Null for a process that does not live; that of a child whose parent has died is another. */
function parentOf(pid: number): number | null {
  const [, rest] = /\) \S (\d+)/.exec(readOf(pid, 'stat') ?? '') ?? [];
  return rest === undefined ? null : Number(rest);
}

function readOf(pid: number, name: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    // Why swallowed: the process has ended, which is the answer.
    return null;
  }
}
