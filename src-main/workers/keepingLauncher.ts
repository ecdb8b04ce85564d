// A launcher that keeps its worker, and the scene in it, from one run to the next: for a process that executes many
// runs. Guarantees: a scene is used again only for the same recipe, heights and mesh contents, with the same instruction
// set and threads; a worker of which a call failed is never used again.
import { createHash } from 'node:crypto';
import { isCancelled } from '#contract/errors.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import type { ScanWorker, WorkerLauncher } from '#services/ports/workers.ts';

export interface KeepingLauncher extends WorkerLauncher {
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
  scene: { key: string; summary: SceneSummary } | null;
  hasFailed: boolean;
}

/** One worker at a time: it is kept when a run disposes it, until a run needs another. */
export function createKeepingLauncher(launcher: WorkerLauncher): KeepingLauncher {
  let kept: KeptWorker | null = null;
  let contents: string | null = null;

  return {
    async open({ isa, threads }) {
      if (kept === null || kept.hasFailed || kept.isa !== isa || kept.threads !== threads) {
        await discard();
        kept = {
          ...{ worker: await launcher.open({ isa, threads }), isa, threads },
          ...{ scene: null, hasFailed: false },
        };
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
    const watched = async <T>(call: Promise<T>): Promise<T> => {
      try {
        return await call;
      } catch (error) {
        // Why: a drive that ends cancels the scans of the next ticks.
        if (!isCancelled(error)) own.hasFailed = true;
        throw error;
      }
    };
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
      async buildScene(request, heights, options) {
        const key = sceneKey(request.recipe, heights, contentsHash);
        if (own.scene !== null && own.scene.key === key) {
          return { ...own.scene.summary, buildSeconds: 0 };
        }
        own.scene = null;
        const summary = await watched(worker.buildScene(request, heights, options));
        own.scene = key === null ? null : { key, summary };
        return summary;
      },
      planScene: (...args) => watched(worker.planScene(...args)),
      instanceSlices: (...args) => watched(worker.instanceSlices(...args)),
      heightAt: (...args) => watched(worker.heightAt(...args)),
      mesh: (...args) => watched(worker.mesh(...args)),
      ground: (...args) => watched(worker.ground(...args)),
      describeSensor: (...args) => watched(worker.describeSensor(...args)),
      scan: (...args) => watched(worker.scan(...args)),
      scanRays: (...args) => watched(worker.scanRays(...args)),
      scanWaveforms: (...args) => watched(worker.scanWaveforms(...args)),
      explainPulse: (...args) => watched(worker.explainPulse(...args)),
      benchNative: (...args) => watched(worker.benchNative(...args)),
      benchRaw: (...args) => watched(worker.benchRaw(...args)),
      render: (...args) => watched(worker.render(...args)),
      learn: (...args) => watched(worker.learn(...args)),
      evaluate: (...args) => watched(worker.evaluate(...args)),
      compare: (...args) => watched(worker.compare(...args)),
      logCloud: (...args) => watched(worker.logCloud(...args)),
      modelElements: (...args) => watched(worker.modelElements(...args)),
      modelSample: (...args) => watched(worker.modelSample(...args)),
      rangesAtPlace: (...args) => watched(worker.rangesAtPlace(...args)),
      async dispose() {
        if (own.hasFailed && kept === own) await discard();
      },
    };
  }
}

/** Equal for equal scenes; null: not known, since a mesh file may have changed. */
function sceneKey(
  recipe: Parameters<ScanWorker['buildScene']>[0]['recipe'],
  heights: Float32Array,
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
