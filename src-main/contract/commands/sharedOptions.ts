// Options of several commands.
import { isas } from '../worker/worker.ts';
import { choice, number, on, port } from './commandOptions.ts';

export const threads = threadsFor('byte');
/** For commands that print numbers. */
export const threadsOfMetrics = threadsFor('metric');
/** --threads and --isa. */
export const compute = [
  threads,
  choice('isa', '--isa <set>', 'instruction set of the ray kernels', isas),
] as const;
export const force = on('isReplacing', '--force', 'replace the file where there is one');
export const frame = choice(
  'frame',
  '--frame <frame>',
  "of the points; sensor: each at its pulse's own time; default: world",
  ['world', 'sensor'],
);
export const seed = number('seed', '--seed <n>', "default: the scenario's");

/** Port of the server for Foxglove, unless an option says otherwise. */
export const foxglovePort = 8765;
export const foxglove = {
  ...port(
    'foxglove',
    '--foxglove [port]',
    `runs under way for Foxglove, over a WebSocket on this machine; default: port ${foxglovePort}`,
  ),
  bare: true as const,
};

function threadsFor(unchanged: string) {
  const help = `threads of the worker; never changes a ${unchanged}`;
  return number('threads', '--threads <n>', help);
}
