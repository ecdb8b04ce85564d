// scene.*: scenes that stay open while a client uses them. Each has a worker of its own, which ends with
// the call that opened it, however that ends; their number is limited, for each connection and for the host.
import { orAborted, throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Documents } from '#services/documents/documents.ts';
import type { Octrees } from '#services/ports/octrees.ts';
import { withScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { sendContents } from './sceneContents.ts';
import { heightInScene, scanScene, tracePulse } from './sceneScans.ts';
import { measurePlants, plantList } from './scenePlants.ts';
import { createSceneSession, type SceneSession } from './sceneSession.ts';

export interface SceneHandlerPorts extends ScenePorts {
  documents: Documents;
  octrees: Pick<Octrees, 'saveScan'>;
  newId(): string;
}

/** Open scenes of a host: a worker alone takes 15 MB, and whether its scene fits is checked before it is built. */
const maxScenes = 32;
/** … of a connection: a page has one, and two while it opens another. */
const maxScenesOfConnection = 16;

/** The handlers of `scene.*` (contract/host/sceneMethods.ts), and what ends every open scene. */
export function sceneHandlers(ports: SceneHandlerPorts): {
  handlers: Handlers<'scene'>;
  /** Resolves when their workers are gone. */
  closeAll: () => Promise<void>;
} {
  const { documents } = ports;
  const sessions = new Map<string, SceneSession>();
  /** Calls of scene.open with the connections that they came over. */
  const calls = new Map<Promise<never>, AbortSignal | undefined>();
  const closing = new AbortController();

  const handlers: Handlers<'scene'> = {
    'scene.open': async (request, context) => {
      const { connection } = context;
      expectFewer(connection);
      const signal = AbortSignal.any([context.signal, closing.signal]);
      // Why: a client that takes no chunk must not hold the end of the host.
      const chunk: HandlerContext['chunk'] = (...sent) => orAborted(context.chunk(...sent), signal);
      const call = keepOpen(request, { ...context, signal, chunk });
      calls.set(call, connection);
      try {
        return await call;
      } finally {
        calls.delete(call);
      }
    },
    'scene.scan': (request, context) =>
      scanScene(ports, sessionOf(request.scene), request, context),
    'scene.heightAt': (request, context) =>
      heightInScene(sessionOf(request.scene), request, context),
    'scene.plants': async ({ scene }, { signal: caller, progress }) => {
      const session = sessionOf(scene);
      const columns = await session.ask(caller, (worker, signal) =>
        measurePlants({ worker, summary: session.summary }, session.compiled.recipe, {
          signal,
          progress,
        }),
      );
      return { reply: plantList(session.compiled.recipe, columns), columns };
    },
    'scene.pulse': (request, context) =>
      tracePulse(documents, sessionOf(request.scene), request, context),
  };

  return {
    handlers,
    async closeAll() {
      closing.abort();
      await Promise.allSettled(calls.keys());
    },
  };

  /** @throws 'locked' where another scene would be one too many */
  function expectFewer(connection: AbortSignal | undefined): void {
    const own = [...calls.values()].filter((other) => other === connection).length;
    const isOwnLimit = connection !== undefined && own >= maxScenesOfConnection;
    if (!isOwnLimit && calls.size < maxScenes) return;
    const open = isOwnLimit
      ? `${own} scenes are open on this connection`
      : `${calls.size} scenes are open`;
    const message = `${open}, the limit: close one first (cancel its scene.open)`;
    throw new UnderstoryError('locked', message);
  }

  async function keepOpen(
    { scenario, text, seed, levels, isShown }: Parameters<Handlers['scene.open']>[0],
    context: HandlerContext,
  ): Promise<never> {
    const loaded = await documents.compile(scenario, { text, seed, signal: context.signal });
    throwIfCancelled(context.signal);
    const { compiled, heights } = loaded;
    const scene = { recipe: compiled.recipe, heights };
    return withScene(ports, scene, {}, context, async (open) => {
      const session = createSceneSession(ports.newId(), open, compiled);
      sessions.set(session.id, session);
      try {
        const shown = isShown ? levels : null;
        await sendContents(session, open.summary, loaded, shown, context);
        return await session.untilEnd(context.signal);
      } finally {
        sessions.delete(session.id);
        await session.end();
      }
    });
  }

  function sessionOf(scene: string): SceneSession {
    const session = sessions.get(scene);
    if (session !== undefined) return session;
    throw new UnderstoryError('not-found', `there is no open scene '${scene}': open it again`);
  }
}
