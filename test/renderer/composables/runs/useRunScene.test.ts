// The scene of a run in its view: when it is asked for, and that it goes.
import { beforeEach, expect, it, vi } from 'vitest';
import { effectScope, nextTick, ref, shallowRef, type EffectScope, type Ref } from 'vue';
import { UnderstoryError } from '#contract/errors.ts';
import { useRunScene } from '#renderer/composables/runs/useRunScene.ts';
import type { SceneAir } from '#renderer/logic/scene/sceneAir.ts';
import type { RunViewer } from '#renderer/viewer/run/runViewer.ts';
import { openPage, type OpenPage } from '#test/renderer/stores/openPage.ts';

let page: OpenPage;
const visibilityM = 200;
let cleared: number;
/** As it was given to the viewer. */
let air: SceneAir | null;
let isWanted: Ref<boolean>;
let sceneHash: string | null;
/** Ends the reading of the scene with a failure. */
let fail: (failure: Error) => void;

beforeEach(() => {
  page = openPage({ at: '#/drive' });
  [cleared, air, isWanted, sceneHash] = [0, null, ref(false), 'one'];
  page.answer('runs.show', () => ({ id: 'run', sceneHash }));
  page.answer('runs.scenario', () => ({
    document: { scene: { models: {}, weather: { fog: { visibilityM } } } },
  }));
  page.answer('runs.scene', () => new Promise((_, reject) => (fail = reject)));
});

function begin(): { error: Readonly<Ref<string | null>>; scope: EffectScope } {
  const viewer = shallowRef({
    clearScene: () => (cleared += 1),
    setAir: (next: SceneAir) => (air = next),
  } as unknown as RunViewer);
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

it('is shown in its weather', async () => {
  isWanted.value = true;
  begin();
  // Koschmieder: at the visibility 2 % of the contrast are left.
  await vi.waitFor(() => expect(air?.extinctionPerM).toBeCloseTo(-Math.log(0.02) / visibilityM, 4));
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
