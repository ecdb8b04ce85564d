// The option --foxglove of `serve` and `drive`.
import type { Understory } from '#hosts/compose.ts';
import { foxglovePort, serveFoxglove } from '#hosts/foxglove/serveFoxglove.ts';
import { parsePort } from './arguments.ts';
import type { Terminal } from './terminal.ts';

/** Arguments of Command.option. */
export const foxgloveOption = [
  '--foxglove [port]',
  `runs under way for Foxglove, over a WebSocket on this machine; default: port ${foxglovePort}`,
  parsePort,
] as const;

/** Works while runs are shown in Foxglove. @param port true: the default; undefined: they are not shown */
export async function withFoxglove<T>(
  understory: Understory,
  terminal: Terminal,
  port: number | true | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (port === undefined) return work();
  const host = await serveFoxglove(understory, port === true ? foxglovePort : port);
  terminal.say(`Foxglove: open the connection ${host.address}`);
  try {
    return await work();
  } finally {
    await host.close();
  }
}
