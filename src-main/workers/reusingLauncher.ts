// A launcher that keeps its worker, and the scene in it, from one run to the next: for a process that executes many
// runs. Guarantees: a scene is used again only for the same recipe, heights and mesh contents, with the same instruction
// set and threads; a worker of which a call failed is never used again.
import { createHash } from 'node:crypto';
import { isCancelled, UnderstoryError } from '#contract/errors.ts';
import type { WorkerReply } from '#contract/worker/workerMethods.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';
import { isSceneCall, type SceneCall } from './sceneCall.ts';

export interface ReusingLauncher extends WorkerLauncher {
  /**
   * Hash of the contents of the mesh files that the next scene names; null: not known, and a scene with meshes is
   * built again.
   */
  expectContents(hash: string | null): void;
  dispose(): Promise<void>;
}

interface KeptWorker {
  worker: ScanWorker;
  isa: string | null;
  threads: number | null;
  scene: { key: string; summary: object } | null;
  hasFailed: boolean;
}

/** One worker at a time: it is kept when a run disposes it, until a run needs another. */
export function createReusingLauncher(launcher: WorkerLauncher): ReusingLauncher {
  let kept: KeptWorker | null = null;
  let contents: string | null = null;

  return {
    async open({ isa, threads }) {
      if (kept === null || kept.hasFailed || kept.isa !== isa || kept.threads !== threads) {
        await discard();
        const worker = await launcher.open({ isa, threads });
        kept = { worker, isa, threads, scene: null, hasFailed: false };
      }
      return lent(kept, contents);
    },
    expectContents(hash) {
      contents = hash;
    },
    dispose: discard,
  };

  async function discard(): Promise<void> {
    const before = kept;
    kept = null;
    await before?.worker.dispose();
  }

  /** The kept worker as one run sees it: disposing it ends nothing unless a call has failed. */
  function lent(own: KeptWorker, contentsHash: string | null): ScanWorker {
    const { worker } = own;
    return {
      get hello() {
        return worker.hello;
      },
      get pid() {
        return worker.pid;
      },
      get peakRssBytes() {
        return worker.peakRssBytes;
      },
      async call(method, body, columns, options) {
        const order = { method, body, columns };
        const isBuild = method === 'scene.build' && isSceneCall(order);
        const key = isBuild ? sceneKey(order, contentsHash) : null;
        if (isBuild && own.scene !== null && own.scene.key === key) {
          const again = { body: { ...own.scene.summary, buildSeconds: 0 }, columns: {} };
          // Why the cast: the compiler does not follow the method through a type parameter.
          return again as WorkerReply<typeof method>;
        }
        if (isBuild) own.scene = null;
        try {
          const reply = await worker.call(method, body, columns, options);
          if (key !== null) own.scene = { key, summary: reply.body };
          return reply;
        } catch (error) {
          // Why: a drive that ends cancels the scans of the next ticks, of which one may lack the tick before.
          const isOfEnd = options?.signal?.aborted === true && isLacking(error);
          if (!isCancelled(error) && !isOfEnd) own.hasFailed = true;
          throw error;
        }
      },
      async dispose() {
        if (own.hasFailed && kept === own) await discard();
      },
    };
  }
}

function isLacking(error: unknown): boolean {
  return error instanceof UnderstoryError && error.code === 'not-found';
}

/** Equal for equal scenes; null: not known, since a mesh file may have changed. */
function sceneKey(
  { body: { recipe }, columns: { heights } }: SceneCall,
  contentsHash: string | null,
): string | null {
  const hasMeshes = recipe.models.some(({ source }) => source.kind === 'mesh');
  if (hasMeshes && contentsHash === null) return null;
  return createHash('sha256')
    .update(`${contentsHash ?? ''}\n`)
    .update(new Uint8Array(heights.buffer, heights.byteOffset, heights.byteLength))
    .update(JSON.stringify(recipe))
    .digest('hex');
}
