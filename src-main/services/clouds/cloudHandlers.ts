// Clouds as octrees: opened from the cache or built, one at a time, and read by node.
import { UnderstoryError } from '#contract/errors.ts';
import type { Handlers } from '#services/handlers.ts';
import { createMutex } from '#services/mutex.ts';
import type { OctreeReader, Octrees } from '#services/ports/octrees.ts';
import { cloudOf, type CloudPorts } from './cloudSources.ts';
import { pointFileHandlers, type PointFilePorts } from './pointFiles.ts';

/** The handlers of contract/host/cloudMethods.ts. */
export function cloudHandlers(
  ports: CloudPorts & PointFilePorts & { octrees: Octrees },
): Handlers<'cloud'> {
  const { octrees } = ports;
  // Why: a build fills a disk and a core, and two that ask for one octree need one build.
  const builds = createMutex();
  return {
    ...pointFileHandlers(ports),
    'cloud.open': async ({ source, mayBuild }, { signal, progress }) => {
      const { key, toBuild } = await cloudOf(ports, source, signal);
      const found = await octrees.find(key);
      if (found !== null) return answerOf(found);
      if (!mayBuild) return { reply: { octree: null } };
      const report = (done: number, total: number): void =>
        progress({ phase: 'sorting points', done, total });
      const release = await builds.lock(signal, () => report(0, 0));
      try {
        const made = await octrees.find(key);
        return answerOf(
          made ?? (await octrees.build(await toBuild(), { signal, progress: report })),
        );
      } finally {
        release();
      }
    },
    'cloud.nodes': async ({ key, nodes }, { signal, chunk }) => {
      const octree = await octrees.find(key);
      if (octree === null) {
        throw new UnderstoryError('not-found', 'the octree is no longer in the cache', { key });
      }
      const count = octree.nodes.points.length;
      const wrong = nodes.find((node) => node >= count);
      if (wrong !== undefined) {
        throw new UnderstoryError('bad-input', `expected a node below ${count}, found ${wrong}`);
      }
      for (const node of nodes) {
        if (signal.aborted) throw new UnderstoryError('cancelled', 'the work was cancelled');
        await chunk({ node }, { ...(await octree.points(node)) });
      }
      return { reply: { nodes: nodes.length } };
    },
  };
}

function answerOf({ head, nodes }: OctreeReader) {
  return { reply: { octree: head }, columns: { ...nodes } };
}
