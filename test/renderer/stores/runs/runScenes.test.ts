// Scenes of runs: read once for all runs of the same scene, and no longer than they are looked at.
import { beforeEach, expect, it, vi } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { useRunScenes, type RunSceneListener } from '#renderer/stores/runs/runScenes.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Every call of runs.scene: of which run, what it sends, how it ends. */
let reads: {
  runId: string;
  signal: AbortSignal | undefined;
  send: (body: object) => unknown;
  end: () => void;
  fail: (failure: Error) => void;
}[];
let failures: string[];
let closed: number;

beforeEach(() => {
  [reads, failures, closed] = [[], [], 0];
  page = openPage({ at: '#/runs' });
  page.answer('runs.scene', (request, { signal, onChunk }) => {
    return new Promise((resolve, reject) => {
      const { runId } = request as { runId: string };
      signal?.addEventListener('abort', () => reject(new UnderstoryError('cancelled', 'ended')));
      const send = (body: object): unknown => onChunk?.(body, {});
      reads.push({ runId, signal, send, end: () => resolve({}), fail: reject });
    });
  });
});

function listener(): RunSceneListener {
  return {
    onScene: () => undefined,
    onMesh: () => undefined,
    onClosed: () => (closed += 1),
    onFailed: (reason) => failures.push(reason),
  };
}

async function complete(): Promise<void> {
  await reads.at(-1)?.send({ kind: 'complete' });
  reads.at(-1)?.end();
}

it('is read once for two runs of one scene, and again for another scene', () => {
  const scenes = useRunScenes();
  scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener());
  scenes.subscribe({ id: 'b', sceneHash: 'one' }, listener());
  scenes.subscribe({ id: 'c', sceneHash: 'two' }, listener());
  expect(reads.map(({ runId }) => runId)).toEqual(['a', 'c']);
});

it('is cancelled on the host when its last view is gone before it has come', () => {
  const scenes = useRunScenes();
  const ends = [1, 2].map(() => scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener()));
  ends[0]?.();
  expect(reads[0]?.signal?.aborted).toBe(false);
  ends[1]?.();
  expect(reads[0]?.signal?.aborted).toBe(true);
  scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener());
  expect(reads).toHaveLength(2);
});

it('stays when it is complete, until another one is looked at', async () => {
  const scenes = useRunScenes();
  scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener());
  await complete();
  scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener())();
  scenes.subscribe({ id: 'b', sceneHash: 'one' }, listener());
  expect(reads).toHaveLength(1);
});

it('is freed after another was looked at', async () => {
  const scenes = useRunScenes();
  const first = scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener());
  await complete();
  const second = scenes.subscribe({ id: 'b', sceneHash: 'two' }, listener());
  await complete();
  first();
  second();
  scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener());
  expect(reads.map(({ runId }) => runId)).toEqual(['a', 'b', 'a']);
});

it('tells its listeners why it cannot be read, and is tried again for the next one', async () => {
  const scenes = useRunScenes();
  scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener());
  reads[0]?.fail(new UnderstoryError('scene-too-large', 'the scene takes 80 GB'));
  await vi.waitFor(() => expect(failures).toHaveLength(1));
  expect(failures[0]).toContain('80 GB');
  scenes.subscribe({ id: 'a', sceneHash: 'one' }, listener());
  expect(reads).toHaveLength(2);
  expect(closed).toBe(0);
});
