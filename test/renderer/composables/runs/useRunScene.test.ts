// The scene of a run in its view: when it is asked for, and that it goes.
import { beforeEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick, ref, shallowRef, type EffectScope, type Ref } from 'vue';
import { UnderstoryError } from '#contract/errors.ts';
import { useRunScene } from '#renderer/composables/runs/useRunScene.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';
import { openPage, type OpenPage } from '#test/renderer/stores/openPage.ts';

let page: OpenPage;
let cleared: number;
let isWanted: Ref<boolean>;
let sceneHash: string | null;
/** Ends the reading of the scene with a failure. */
let fail: (failure: Error) => void;

beforeEach(() => {
  page = openPage({ at: '#/drive' });
  [cleared, isWanted, sceneHash] = [0, ref(false), 'one'];
  page.answer('runs.show', () => ({ id: 'run', sceneHash }));
  page.answer('runs.scene', () => new Promise((_, reject) => (fail = reject)));
});

function begin(): { error: Readonly<Ref<string | null>>; scope: EffectScope } {
  const viewer = shallowRef({ clearScene: () => (cleared += 1) } as unknown as RunViewer);
  const scope = effectScope(true);
  const error = page.within(() =>
    scope.run(() =>
      useRunScene(
        viewer,
        () => 'run',
        () => isWanted.value,
      ),
    ),
  );
  return { error: error!, scope };
}

const reads = (): number => page.calls.filter((method) => method === 'runs.scene').length;

it('is asked for once it is wanted, and not before', async () => {
  begin();
  await nextTick();
  expect(reads()).toBe(0);
  isWanted.value = true;
  await vi.waitFor(() => expect(reads()).toBe(1));
});

it('goes from the view when it is not wanted any more', async () => {
  isWanted.value = true;
  begin();
  await vi.waitFor(() => expect(reads()).toBe(1));
  const before = cleared;
  isWanted.value = false;
  await nextTick();
  expect(cleared).toBe(before + 1);
});

it('is not asked for where the run has none', async () => {
  [sceneHash, isWanted.value] = [null, true];
  const { error } = begin();
  await vi.waitFor(() => expect(page.calls).toContain('runs.show'));
  await nextTick();
  expect([reads(), error.value]).toEqual([0, null]);
});

it('says why it cannot be shown', async () => {
  isWanted.value = true;
  const { error } = begin();
  await vi.waitFor(() => expect(reads()).toBe(1));
  fail(new UnderstoryError('unsupported', 'the run came without a mesh'));
  await vi.waitFor(() => expect(error.value).toContain('without a mesh'));
});
