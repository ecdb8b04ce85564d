// Clouds as octrees: opened from the cache or built, one at a time, and read by node.
import { UnderstoryError } from '#contract/errors.ts';
import { maxCloudDistanceM, type CloudSource } from '#contract/host/cloudMethods.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import { createMutex } from '#services/mutex.ts';
import type { BuildOptions, OctreeReader, Octrees } from '#services/ports/octrees.ts';
import { sha256 } from '#services/sha256.ts';
import { cloudOf, type CloudPorts } from './cloudSources.ts';
import { pointFileHandlers, type PointFilePorts } from './pointFiles.ts';

/** The handlers of contract/host/cloudMethods.ts. */
export function cloudHandlers(
  ports: CloudPorts & PointFilePorts & { octrees: Octrees },
): Handlers<'cloud'> {
  const { octrees } = ports;
  // Why: a build fills a disk and a core, and two that ask for one octree need one build.
  const builds = createMutex();

  async function opened(
    source: CloudSource,
    mayBuild: boolean,
    context: HandlerContext,
    keep: readonly string[] = [],
  ): Promise<OctreeReader | null> {
    const { key, toBuild } = await cloudOf(ports, source, context.signal);
    if (!mayBuild) return octrees.find(key);
    return orMade(key, 'sorting points', context, async (options) =>
      octrees.build(await toBuild(), { ...options, keep }),
    );
  }

  async function measured(
    { head: { key: from } }: OctreeReader,
    { head: { key: to } }: OctreeReader,
    mayBuild: boolean,
    context: HandlerContext,
  ): Promise<OctreeReader | null> {
    const key = await sha256(canonicalJson({ from, to, maxCloudDistanceM }));
    if (!mayBuild) return octrees.find(key);
    return orMade(key, 'measuring distances', context, (options) =>
      octrees.measure({ from, to, key }, options),
    );
  }

  async function orMade(
    key: string,
    phase: string,
    { signal, progress }: HandlerContext,
    make: (options: BuildOptions) => Promise<OctreeReader>,
  ): Promise<OctreeReader> {
    const found = await octrees.find(key);
    if (found !== null) return found;
    const report = (done: number, total: number): void => progress({ phase, done, total });
    const release = await builds.lock(signal, () => report(0, 0));
    try {
      return (await octrees.find(key)) ?? (await make({ signal, progress: report }));
    } finally {
      release();
    }
  }

  return {
    ...pointFileHandlers(ports),
    'cloud.open': async ({ source, distancesTo, mayBuild }, context) => {
      const own = await opened(source, mayBuild, context);
      if (own === null || distancesTo === undefined) return answerOf(own);
      const other = await opened(distancesTo, mayBuild, context, [own.head.key]);
      return answerOf(other && (await measured(own, other, mayBuild, context)));
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

function answerOf(octree: OctreeReader | null) {
  if (octree === null) return { reply: { octree } };
  return { reply: { octree: octree.head }, columns: { ...octree.nodes } };
}
