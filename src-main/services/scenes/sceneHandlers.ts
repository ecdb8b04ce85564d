// scene.*: scenes that stay open while a client uses them. Each has a worker of its own, which ends with
// the call that opened it, however that ends.
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Documents } from '#services/documents/documents.ts';
import { withScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { sendContents } from './sceneContents.ts';
import { heightInScene, scanScene, tracePulse } from './sceneScans.ts';
import { createSceneSession, type SceneSession } from './sceneSession.ts';

export interface SceneHandlerPorts extends ScenePorts {
  documents: Documents;
  newId(): string;
}

/** The handlers of `scene.*` (contract/host/sceneMethods.ts), and what ends every open scene. */
export function sceneHandlers(ports: SceneHandlerPorts): {
  handlers: Handlers<'scene'>;
  /** Resolves when their workers are gone. */
  closeAll: () => Promise<void>;
} {
  const { documents } = ports;
  const sessions = new Map<string, SceneSession>();
  const calls = new Set<Promise<never>>();
  const closing = new AbortController();

  const handlers: Handlers<'scene'> = {
    'scene.open': async (request, context) => {
      const signal = AbortSignal.any([context.signal, closing.signal]);
      const call = keepOpen(request, { ...context, signal });
      calls.add(call);
      try {
        return await call;
      } finally {
        calls.delete(call);
      }
    },
    'scene.scan': (request, context) =>
      scanScene(documents, sessionOf(request.scene), request, context),
    'scene.heightAt': (request, context) =>
      heightInScene(sessionOf(request.scene), request, context),
    'scene.pulse': (request, context) =>
      tracePulse(documents, sessionOf(request.scene), request, context),
  };

  return {
    handlers,
    async closeAll() {
      closing.abort();
      await Promise.allSettled(calls);
    },
  };

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
