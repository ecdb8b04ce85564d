// Two scenes that were built at once were each allowed 80 % of the same free memory.
import { expect, it, onTestFinished } from 'vitest';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createDocuments } from '#services/documents/documents.ts';
import type { HandlerContext } from '#services/handlers.ts';
import { checkedReply } from '#contract/worker/workerMethods.ts';
import type { WorkerLauncher } from '#services/ports/workers.ts';
import { planScene, withScene, type ScenePorts } from '#services/scans/sceneWork.ts';
import { createMutex } from '#services/mutex.ts';
import { createRunProcesses } from '#hosts/runProcess/runProcess.ts';
import { spawnRunChild } from '#hosts/runProcess/launch.ts';
import { orderFor } from '#test/hosts/runProcess/realRun.ts';
import {} from '#test/workers/realWorker.ts';
import { silentLog } from '#test/support/log.ts';
import { realLauncher } from '#test/support/worker.ts';

const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
const workers = realLauncher();
/** Free memory, so much at first, that shrinks by what each scene takes once it is built, as that of a real machine. */
function smallMachine(freeBytes: number): {
  ports: ScenePorts;
  phases: string[];
  context: HandlerContext;
} {
  let takenBytes = 0;
  const phases: string[] = [];
  const launcher: WorkerLauncher = {
    open: async (options) => {
      const worker = await workers.open(options);
      onTestFinished(() => worker.dispose());
      const call: typeof worker.call = async (method, ...args) => {
        const reply = await worker.call(method, ...args);
        if (method === 'scene.build')
          takenBytes += checkedReply('scene.build', reply).body.memoryBytes;
        return reply;
      };
      return { ...worker, call };
    },
  };
  const machine = { availableMemoryBytes: () => freeBytes - takenBytes };
  const context: HandlerContext = {
    signal: new AbortController().signal,
    progress: ({ phase }) => void phases.push(phase),
    chunk: () => Promise.resolve(),
  };
  return { ports: { launcher, machine, builds: createMutex() }, phases, context };
}

it('a scene that does not fit beside one that is being built is refused', async () => {
  const { compiled, heights } = await documents.compile('box');
  const scene = { recipe: compiled.recipe, heights };
  const { context: planning, ports: large } = smallMachine(1e9);
  const { memoryBytes } = await planScene(large, scene, planning);
  // Four fifths of it for a scene: for one and a half.
  const { ports, phases, context } = smallMachine((1.5 * memoryBytes) / 0.8);
  const open = (): Promise<number> =>
    withScene(ports, scene, {}, context, ({ summary }) => Promise.resolve(summary.memoryBytes));
  const ends = await Promise.allSettled([open(), open()]);
  // Whichever worker starts first is built first.
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refused = ends.find(({ status }) => status === 'rejected');
  expect(refused).toMatchObject({ reason: { code: 'scene-too-large' } });
  expect(phases).toContain('waiting for another scene to be built');
});

it('the scene of a run is built when those before it are, and delays no other afterwards', async () => {
  const loaded = await documents.compile('clearing', {}, { sensor: 'vlp-16' });
  const builds = createMutex();
  const process = await createRunProcesses({
    log: silentLog,
    builds,
    startChild: spawnRunChild,
  }).start();
  onTestFinished(() => process.dispose());
  const heard: string[] = [];
  const unlock = await builds.lock();
  const order = { ...orderFor(loaded, '/nowhere'), recordingFile: null, lockFile: null };
  const run = process.execute({ ...order, seconds: 0.2 }, loaded.heights, {
    onProgress: ({ phase }) => void heard.push(phase),
    onRunEvent: async ({ kind }) => {
      if (kind !== 'scene') return;
      heard.push('built');
      // While the run continues.
      (await builds.lock())();
    },
  });
  await expect.poll(() => heard).toEqual(['waiting for another scene to be built']);
  heard.push('free');
  unlock();
  expect((await run).end).toBe('seconds');
  expect(heard.indexOf('built')).toBeGreaterThan(heard.indexOf('free'));
});
