// The octree of a cloud that has more points than a view draws: from the cache of the host, or made there while a sample
// is shown.
import { ref, shallowRef, type UnwrapNestedRefs } from 'vue';
import { isCancelled } from '#contract/errors.ts';
import type { CloudSource, OctreeNodeColumns } from '#contract/host/cloudMethods.ts';
import type { Progress } from '#contract/worker/worker.ts';
import type { Client, ClientCallOptions } from '#renderer/client/client.ts';
import { octreeOf, type CloudOctree } from '#renderer/logic/cloud/octree.ts';
import { sentenceOf } from '#renderer/logic/problems.ts';

/** As a store or a reactive object has it. */
export type CloudOctreeState = UnwrapNestedRefs<ReturnType<typeof createCloudOctree>>;

/** No octree at first. */
export function createCloudOctree(client: Client) {
  const octree = shallowRef<CloudOctree | null>(null);
  /** It is being made. */
  const progress = shallowRef<Progress | null>(null);
  const error = ref<string | null>(null);
  let controller = new AbortController();
  return { octree, progress, error, open, close, readNodes, fail };

  /** Shows no octree, and ends the making of one. */
  function close(): void {
    controller.abort();
    [octree.value, progress.value, error.value] = [null, null, null];
  }

  /**
   * Shows that of a cloud; true where there is one. `mayBuild`: it is made where it is not in the cache; `distancesTo`: with
   * the distances to this cloud.
   */
  async function open(
    source: CloudSource,
    mayBuild: boolean,
    distancesTo: CloudSource | null = null,
  ): Promise<boolean> {
    close();
    const mine = new AbortController();
    controller = mine;
    const isMine = (): boolean => controller === mine && !mine.signal.aborted;
    try {
      const { reply, columns } = await client.query(
        'cloud.open',
        { source, mayBuild, ...(distancesTo !== null && { distancesTo }) },
        {
          signal: mine.signal,
          onProgress: (now) => {
            if (isMine()) progress.value = now;
          },
        },
      );
      if (!isMine() || reply.octree === null) return false;
      // Why the cast: the contract has the columns of the reply.
      const opened = octreeOf(reply.octree, columns as unknown as OctreeNodeColumns);
      octree.value = opened.root < 0 ? null : opened;
    } catch (failure) {
      if (isMine() && !isCancelled(failure)) error.value = sentenceOf(failure);
    } finally {
      if (isMine()) progress.value = null;
    }
    return isMine() && octree.value !== null;
  }

  /** Each node is a chunk. @throws UnderstoryError as cloud.nodes */
  async function readNodes(
    { head }: CloudOctree,
    nodes: readonly number[],
    options: ClientCallOptions,
  ): Promise<void> {
    await client.call('cloud.nodes', { key: head.key, nodes: [...nodes] }, options);
  }

  /** Nodes cannot be read any more. */
  function fail(failure: unknown): void {
    error.value = sentenceOf(failure);
  }
}
