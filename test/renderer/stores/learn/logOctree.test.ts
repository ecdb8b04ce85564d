// A log with more returns than may be drawn: its octree from the cache of the host, or a sample until it was made.
import { beforeEach, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { useLearnView } from '#renderer/stores/learn/learnView.ts';
import { useLogFiles } from '#renderer/stores/learn/logFiles.ts';
import { useLogOctree } from '#renderer/stores/learn/logOctree.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import { answerNodes, openedOctree } from '../cloud/answerOctree.ts';
import { answerLearning, logOf } from '../hostAnswers.ts';
import { fakePage, untilCancelled, type FakePage, type WithColumns } from '../pageOf.ts';

let page: FakePage;
const returns = 1_000_000;
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const opened = (key = 'a') => openedOctree(key, returns);

beforeEach(() => {
  page = fakePage();
  answerLearning(page);
  const large = (name: string): object => ({
    ...logOf(name),
    statistics: { hash: name, beams: returns, returns, missesAre: 'recorded' },
  });
  page.answer('log.list', () => ({ folder: '/d/logs', logs: ['a', 'b'].map(large) }));
  answerNodes(page);
});

it('is shown by the octree in the cache, without a sample', async () => {
  page.answer('cloud.open', () => opened());
  const view = useLearnView();
  await settled();
  expect(useLogOctree().octree?.root).toBe(1);
  expect(view.cloud.table?.positionsM.length).toBe(6);
  expect(view.cloud.reply).toMatchObject({ sent: 2, returns, hash: 'a', classes: ['leaf'] });
  expect(view.originM).toEqual([100, 0, 0]);
  expect(page.calls).not.toContain('log.cloud');
});

it('is shown by a sample until its octree was made, with progress', async () => {
  const { promise, resolve } = Promise.withResolvers<WithColumns>();
  page.answer('cloud.open', (request, { onProgress }) => {
    if (!(request as { mayBuild: boolean }).mayBuild) return { octree: null };
    onProgress?.({ phase: 'sorting points', done: 1, total: 4 });
    return promise;
  });
  const [view, octree] = [useLearnView(), useLogOctree()];
  await settled();
  expect(view.cloud.reply).toMatchObject({ sent: 1, returns: 8 });
  expect([octree.octree, octree.progress?.done]).toEqual([null, 1]);
  resolve(opened());
  await settled();
  expect([octree.octree?.root, octree.progress]).toEqual([1, null]);
});

it('is not made any longer where another log is chosen', async () => {
  let ended = 0;
  page.answer('cloud.open', (request, options) => {
    const { source, mayBuild } = request as { source: { log: string }; mayBuild: boolean };
    if (!mayBuild) return source.log.endsWith('b.log') ? opened('b') : { octree: null };
    options.signal?.addEventListener('abort', () => (ended += 1));
    return untilCancelled().how(request, options);
  });
  const [view, octree] = [useLearnView(), useLogOctree()];
  await settled();
  expect(octree.octree).toBeNull();
  useLogFiles().show('/d/logs/b.log');
  await settled();
  expect([ended, octree.octree?.head.key, view.cloud.reply?.hash]).toEqual([1, 'b', 'b']);
  expect(octree.error).toBeNull();
});

it('stays a sample, and says why, where no octree can be made', async () => {
  page.answer('cloud.open', (request) => {
    if (!(request as { mayBuild: boolean }).mayBuild) return { octree: null };
    throw new UnderstoryError('disk-full', 'there is no room');
  });
  const [view, octree] = [useLearnView(), useLogOctree()];
  await settled();
  expect(octree.error).toMatch('there is no room');
  expect(view.cloud.table?.positionsM.length).toBe(3);
});

it('is sampled again for a larger budget, and read whole where that holds it', async () => {
  page.answer('cloud.open', () => ({ octree: null }));
  const view = useLearnView();
  await settled();
  const { budget } = usePointBudget();
  const before = page.calls.length;
  budget.value = 2_000_000;
  await settled();
  expect(page.calls.slice(before)).toEqual(['log.cloud']);
  expect(view.cloud.error).toBeNull();
  budget.value = 430_000;
});
