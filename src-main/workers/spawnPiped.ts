// Starting a child process with pipes. Why not spawn alone: without a free file descriptor it returns a child that has
// no pipes, and reports the reason as an event that has no listener yet.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { UnderstoryError } from '#contract/errors.ts';

/**
 * @param isDetached a session of its own. Why: Ctrl+C in a terminal reaches the whole process group, and it is the host that
 * decides how a run ends
 * @throws UnderstoryError 'io' where the system has no room for its pipes; any other failure is its 'error' event
 */
export function spawnPiped(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  isDetached = true,
): ChildProcessWithoutNullStreams {
  const child = spawn(command, args, { stdio: 'pipe', detached: isDetached, env: environment });
  const streams: readonly unknown[] = [child.stdin, child.stdout, child.stderr];
  if (streams.every((stream) => stream instanceof Object)) return child;
  child.on('error', () => undefined);
  throw new UnderstoryError(
    'io',
    'a process cannot be started: too many files are open; raise the limit (ulimit -n)',
  );
}
