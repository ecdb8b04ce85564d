// The whole host in this process, on a data folder of its own.
import type { Method, Replies, RequestInputOf } from '#contract/host/methods.ts';
import { openUnderstory, type Understory } from '#hosts/compose.ts';
import type { HandlerContext } from '#services/handlers.ts';
import { afterwards } from './afterwards.ts';
import { ask } from './context.ts';
import { temporaryFolder } from './folder.ts';

export interface OpenHost extends Understory {
  ask: <M extends Method>(
    method: M,
    request: RequestInputOf<M>,
    context?: Partial<HandlerContext>,
  ) => Promise<Replies[M]>;
}

/** Opens a host that is closed after the test that asks for it, or, outside of tests, after those of the file. */
export async function openHost(dataFolder = temporaryFolder()): Promise<OpenHost> {
  const understory = await openUnderstory({ dataFolder });
  afterwards(() => understory.dispose());
  return {
    ...understory,
    ask: (method, request, context) => ask(understory.handlers, method, request, context),
  };
}
