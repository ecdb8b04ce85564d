// The option --foxglove of `serve` and `drive`.
import { foxglovePort } from '#contract/commands/sharedOptions.ts';
import { dataFolderOf } from '#hosts/dataFolder.ts';
import { serveFoxglove } from '#hosts/foxglove/serveFoxglove.ts';
import { foxgloveToken, webToken } from '#hosts/web/webToken.ts';
import type { Session, SharedOptions } from './session.ts';

/** Works while runs are shown in Foxglove. @param foxglove true: the default port; undefined: they are not shown */
export async function withFoxglove<T>(
  { understory, terminal, surroundings }: Session,
  { foxglove, data }: SharedOptions & { foxglove?: number | true | undefined },
  work: () => Promise<T>,
): Promise<T> {
  if (foxglove === undefined) return work();
  const token = foxgloveToken(webToken(dataFolderOf({ ...surroundings, option: data })));
  const port = foxglove === true ? foxglovePort : foxglove;
  const host = await serveFoxglove(understory, { port, token });
  terminal.say(`Foxglove: open the connection ${host.address}`);
  try {
    return await work();
  } finally {
    await host.close();
  }
}
