// All returns of a run in its view: asked for by its id and sensor, with the colours that all have, and closed with the
// choice.
import { beforeEach, expect, it, vi } from 'vitest';
import { nextTick, reactive, ref, shallowRef, type Ref } from 'vue';
import { UnderstoryError } from '#contract/errors.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import { useAllReturns } from '#renderer/composables/runs/useAllReturns.ts';
import type { ValueRange } from '#renderer/logic/colours/valueRange.ts';
import { createRunLook, type RunLook } from '#renderer/logic/viewer/viewSettings.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';
import { answerNodes, openedOctree } from '#test/renderer/stores/cloud/answerOctree.ts';
import { fakePage, untilCancelled, type FakePage } from '#test/renderer/stores/pageOf.ts';
import { mounted } from '../mounted.ts';

let page: FakePage;
let look: RunLook;
let run: Ref<string>;
let coloured: [string, ValueRange][];
let requests: unknown[];
/** Keys of the octrees that the view was given. */
let shownKeys: (string | null)[];

const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

function allReturns() {
  const viewer = {
    all: {
      showOctree: (octree: { head: { key: string } } | null) =>
        void shownKeys.push(octree?.head.key ?? null),
      onMissing: () => undefined,
      add: () => undefined,
      drawn: () => ({ points: 90, nodes: 1, chosenPoints: 90, cutSpacingPx: 2.4 }),
      slowFrameMs: () => null,
      tables: () => [{ distancesM: Float32Array.of(0.2, 0.3, NaN, 0.5) }],
      colour: (by: string, _: string, range: ValueRange) => void coloured.push([by, range]),
    },
  } as unknown as RunViewer;
  const details = (): RunDetails => ({ id: run.value }) as RunDetails;
  return mounted(page, () => useAllReturns(shallowRef(viewer), details, look));
}

beforeEach(() => {
  [coloured, requests, shownKeys] = [[], [], []];
  look = reactive(createRunLook());
  look.colouring.ranges.height = [1, 4];
  run = ref('r1');
  page = fakePage();
  answerNodes(page);
  page.answer('cloud.open', (request) => {
    const { source, distancesTo } = request as { source: unknown; distancesTo?: unknown };
    requests.push(source, ...(distancesTo === undefined ? [] : [distancesTo]));
    return openedOctree('k', 100);
  });
});

it('are opened when they are asked for, of all sensors or of one, and say what is left out', async () => {
  const { result } = allReturns();
  await settled();
  expect([requests, result.note.value]).toEqual([[], '']);
  result.shown.value = { of: 'all' };
  await nextTick();
  expect(result.note.value).toBe('All returns: opening …');
  await settled();
  expect(result.note.value).toBe('90 of 100 returns · left out: points nearer than 2 px to others');
  result.shown.value = { of: 'sensor', name: 'rear' };
  await settled();
  expect(requests).toEqual([{ run: 'r1' }, { run: 'r1', sensor: 'rear' }]);
  result.shown.value = { of: 'time' };
  await settled();
  expect([shownKeys.at(-1), result.note.value]).toEqual([null, '']);
});

it('have colours that all returns have', async () => {
  const { result } = allReturns();
  look.colouring.by = 'ring';
  await settled();
  expect(result.colourings.value).toContain('ring');
  result.shown.value = { of: 'all' };
  await settled();
  expect(result.colourings.value).toEqual(['height', 'intensity', 'class']);
  expect(coloured).toEqual([['height', [1, 4]]]);
  look.colouring.by = 'class';
  await settled();
  expect(coloured.at(-1)?.[0]).toBe('class');
});

it('show the progress of the host, which ends with the choice, the run or the view', async () => {
  let ended = 0;
  page.answer('cloud.open', (request, options) => {
    options.signal?.addEventListener('abort', () => (ended += 1));
    options.onProgress?.({ phase: 'sorting points', done: 1, total: 4 });
    return untilCancelled().how(request, options);
  });
  const { result, unmount } = allReturns();
  result.shown.value = { of: 'all' };
  await settled();
  expect(result.note.value).toBe('All returns: sorting points 25 %');
  result.shown.value = { of: 'time' };
  await settled();
  expect([ended, result.note.value]).toEqual([1, '']);
  result.shown.value = { of: 'all' };
  await settled();
  run.value = 'r2';
  await settled();
  expect([ended, result.shown.value]).toEqual([2, { of: 'time' }]);
  result.shown.value = { of: 'all' };
  await settled();
  unmount();
  expect([ended, result.error.value]).toEqual([3, null]);
});

it('are coloured by their distances to those of another run, in a range that views of one look share', async () => {
  const { result } = allReturns();
  look.colouring.ranges.distance = [0, 0.4];
  result.shown.value = { of: 'distances', toRun: 'r2' };
  look.colouring.by = 'distance';
  await vi.waitFor(() => expect(look.colouring.ranges.distance).toEqual([0, 0.5]));
  expect(requests).toEqual([{ run: 'r1' }, { run: 'r2' }]);
  await nextTick();
  expect(coloured.at(-1)).toEqual(['distance', [0, 0.5]]);
  expect(result.colourings.value).toContain('distance');
  result.shown.value = { of: 'all' };
  await nextTick();
  expect(look.colouring.by).toBe('height');
});

it('report why a run has none, and that it has no returns', async () => {
  const { result } = allReturns();
  page.answer('cloud.open', () => {
    throw new UnderstoryError('locked', 'run r1 is under way');
  });
  result.shown.value = { of: 'all' };
  await settled();
  expect([result.error.value, result.note.value]).toEqual(['run r1 is under way', '']);
  page.answer('cloud.open', () => ({ octree: null }));
  result.shown.value = { of: 'sensor', name: 'rear' };
  await settled();
  expect([result.error.value, result.note.value]).toEqual([null, 'There are no returns.']);
});
