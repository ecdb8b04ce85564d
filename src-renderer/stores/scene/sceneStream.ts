// A scene as the host sends it: contents and instances first, then the levels of its models, coarse ones first.
import type { Columns } from '#contract/columns.ts';
import type { SceneChunk, SceneContents } from '#contract/host/sceneMethods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import { type ColumnSlices, createColumnSlices } from '#domain/shared/columnSlices.ts';
import { nextFrame } from '#renderer/browser/nextFrame.ts';
import type { Client } from '#renderer/client/client.ts';
import { instanceTable, type InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { ArrivedMesh } from './sceneListeners.ts';

export interface SceneStreamEvents {
  progress: (next: Progress) => void;
  /** It is built, and all its instances have come. */
  scene: (contents: SceneContents, table: InstanceTable) => void;
  /** Where it returns a promise, the next one waits for that. */
  mesh: (mesh: ArrivedMesh) => unknown;
  /** Nothing of it is still to come. */
  complete: () => void;
}

/** Finest first, which is for close looks in the view of a scene alone; the last are for ground cover far away. */
const levels = [200_000, 40_000, 8_000, 1_500, 250, 50];

/**
 * Opens a scenario; `text`, where it is not null, in place of its file's. The scene stays open on the host until
 * `signal` ends the call. Of a run it brings the scene as it was simulated, and ends when everything has come.
 * @throws UnderstoryError 'cancelled' by `signal`; what the host throws
 */
export async function streamScene(
  client: Client,
  source: { scenario: string; text: string | null } | { runId: string },
  signal: AbortSignal,
  on: SceneStreamEvents,
): Promise<void> {
  let ready: SceneContents | null = null;
  let slices: ColumnSlices | null = null;
  const options = { signal, onProgress: on.progress, onChunk };
  if ('runId' in source) {
    await client.call('runs.scene', { ...source, levels: levels.slice(1) }, options);
  } else {
    const { scenario, text } = source;
    await client.call('scene.open', { scenario, levels, ...(text !== null && { text }) }, options);
  }

  async function onChunk(body: unknown, columns: Columns): Promise<void> {
    if (signal.aborted) return;
    const chunk = body as SceneChunk;
    if (chunk.kind === 'ready') ready = chunk;
    else if (chunk.kind === 'complete') on.complete();
    else if (chunk.kind === 'mesh') {
      const mesh = arrivedMesh(chunk, columns);
      if (mesh === null) return;
      await on.mesh(mesh);
      await nextFrame();
    } else if (chunk.kind === 'instances' && ready !== null) {
      slices ??= createColumnSlices(chunk.total);
      slices.put(chunk.fromRow, columns);
      if (chunk.fromRow + (columns['instance_id']?.length ?? 0) < chunk.total) return;
      const table = instanceTable(slices.columns);
      // Why: what is shown of a scene takes its own share of a frame.
      await nextFrame();
      if (!signal.aborted) on.scene(ready, table);
    }
  }
}

/** Null for columns of other types: a bug of the host. */
function arrivedMesh(
  { model, level }: { model: number; level: number },
  { position, index, material }: Columns,
): ArrivedMesh | null {
  if (!(position instanceof Float32Array && index instanceof Uint32Array)) return null;
  if (!(material instanceof Uint16Array)) return null;
  return { model, level, triangles: { positionM: position, index, material } };
}
