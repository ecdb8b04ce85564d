// Scans that are larger than the page in the view of a scene: by a sample until the first points of their octree have come,
// and where it has not what is asked for.
import { PerspectiveCamera } from 'three';
import { beforeEach, expect, it, vi } from 'vitest';
import { shallowReactive, shallowRef } from 'vue';
import { UnderstoryError } from '#contract/errors.ts';
import { useScanOctreeLayers } from '#renderer/composables/scene/useScanOctrees.ts';
import { usePointBudget } from '#renderer/stores/preferences/pointBudget.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import type { SavedScan } from '#renderer/stores/sensor/savedScans.ts';
import { useScanOctrees } from '#renderer/stores/sensor/scanOctrees.ts';
import { useScans } from '#renderer/stores/sensor/scans.ts';
import { createOctreeLayer, type OwnOctreeLayer } from '#renderer/viewer/cloud/octreeLayer.ts';
import { createViewClip } from '#renderer/viewer/engine/clip/clipUniforms.ts';
import type { Viewport } from '#renderer/viewer/engine/viewport.ts';
import type { SceneViewer } from '#renderer/viewer/scene/sceneViewerTypes.ts';
import { answerNodes, openedOctree } from '#test/renderer/stores/cloud/answerOctree.ts';
import { answerScenario, sceneContents } from '#test/renderer/stores/hostAnswers.ts';
import { openPage } from '#test/renderer/stores/openPage.ts';
import { untilCancelled, type FakePage } from '#test/renderer/stores/pageOf.ts';
import { mounted } from '../mounted.ts';

const returns = 2_000_000;
const contents = sceneContents([2, 2, 2], { sceneHash: 'a' });
let page: FakePage;
let layers: OwnOctreeLayer[];
let unmount: () => void;
let sources: unknown[];

/** A view that looks at the cube of the octree. */
function viewOf(): SceneViewer {
  const camera = new PerspectiveCamera(60, 1, 0.1, 1000);
  camera.position.set(64, 64, 300);
  camera.lookAt(64, 64, 0);
  camera.updateMatrixWorld();
  const view = {
    camera: { camera },
    size: () => ({ widthPx: 800, heightPx: 800, pixelRatio: 1 }),
    slowFrameMs: () => null,
    invalidate: () => undefined,
  } as unknown as Viewport;
  return {
    addCloud: () => {
      const layer = createOctreeLayer(createViewClip(), () => view);
      layers.push(layer);
      return layer;
    },
    invalidate: () => undefined,
  } as unknown as SceneViewer;
}

/** A frame, and the time in which what is drawn is read. */
async function drawFrames(): Promise<void> {
  for (let frame = 0; frame < 4; frame += 1) {
    for (const layer of layers) layer.detail.choose(true);
    await vi.advanceTimersByTimeAsync(300);
  }
}

function largeScan(id: number): SavedScan {
  return shallowReactive({
    id,
    name: `${id}`,
    colour: [1, 2, 3],
    isVisible: true,
    scene: { scenario: '/s.yaml', contents, edits: 0 },
    returns,
    table: { rows: 1_000_000, noisyM: new Float32Array(3), ring: Uint16Array.of(5) },
    saved: `${id}`,
  } as unknown as SavedScan);
}

async function save(id: number): Promise<SavedScan> {
  const scan = largeScan(id);
  useScans().saved.push(scan);
  await vi.advanceTimersByTimeAsync(0);
  return scan;
}

beforeEach(async () => {
  vi.useFakeTimers();
  [layers, sources] = [[], []];
  page = openPage({ at: '#/scene' });
  answerScenario(page);
  answerNodes(page);
  page.answer('cloud.open', (request) => {
    sources.push(request);
    return openedOctree('k', returns);
  });
  Object.assign(useScene(), { scenario: '/s.yaml', contents });
  const viewer = shallowRef(viewOf());
  ({ unmount } = mounted(page, () => useScanOctreeLayers(viewer)));
  await vi.advanceTimersByTimeAsync(0);
  return () => vi.useRealTimers();
});

it('are drawn by a sample until points of the octree have come, within the budget', async () => {
  const octrees = useScanOctrees();
  const scan = await save(7);
  expect(sources).toEqual([{ source: { scan: '7' }, mayBuild: true }]);
  expect([octrees.isDrawn(scan), octrees.textOf(scan)]).toEqual([
    false,
    '1.00 M of 2.00 M returns · a sample; reading …',
  ]);
  await drawFrames();
  expect([octrees.isDrawn(scan), octrees.textOf(scan)]).toEqual([
    true,
    expect.stringMatching(/^2 of 2\.00 M returns · left out: points nearer than \d+ px to others$/),
  ]);
  usePointBudget().budget.value = 2_000_000;
  await drawFrames();
  expect(octrees.textOf(scan)).toBe('2.00 M returns');
  usePointBudget().budget.value = 430_000;
});

it('are drawn by a sample where the octree has not the colours or places', async () => {
  const [scans, octrees] = [useScans(), useScanOctrees()];
  const scan = await save(7);
  await drawFrames();
  scans.by = 'ring';
  await vi.advanceTimersByTimeAsync(0);
  expect([octrees.isDrawn(scan), layers[0]?.object.visible]).toEqual([false, false]);
  expect(octrees.textOf(scan)).toMatch(
    /^1\.00 M of .* coloured by scan, height, intensity or class$/,
  );
  scans.by = 'class';
  await vi.advanceTimersByTimeAsync(0);
  expect([octrees.isDrawn(scan), layers[0]?.object.visible]).toEqual([true, true]);
  scans.isClean = true;
  await vi.advanceTimersByTimeAsync(0);
  expect(octrees.isDrawn(scan)).toBe(false);
  expect(octrees.textOf(scan)).toContain('a sample: all returns are shown with their noise only');
});

it('share the budget, and are hidden with their scan', async () => {
  const octrees = useScanOctrees();
  const [one, other] = [await save(1), await save(2)];
  usePointBudget().budget.value = 2_000_000;
  await drawFrames();
  expect(octrees.textOf(one)).toMatch(/^2 of 2\.00 M returns · left out/);
  useScans().setVisible(2, false);
  await drawFrames();
  expect(layers.map(({ object }) => object.visible)).toEqual([true, false]);
  expect([octrees.textOf(one), octrees.isDrawn(other)]).toEqual(['2.00 M returns', true]);
  usePointBudget().budget.value = 430_000;
});

it('are not made any longer once their scan is deleted, or the view is closed', async () => {
  let ended = 0;
  page.answer('cloud.open', (request, options) => {
    options.signal?.addEventListener('abort', () => (ended += 1));
    options.onProgress?.({ phase: 'sorting points', done: 1, total: 4 });
    return untilCancelled().how(request, options);
  });
  const octrees = useScanOctrees();
  const scan = await save(1);
  expect(octrees.textOf(scan)).toBe('1.00 M of 2.00 M returns · a sample; sorting points 25 %');
  useScans().remove(1);
  await vi.advanceTimersByTimeAsync(0);
  expect([ended, octrees.states.size, octrees.textOf(scan)]).toEqual([1, 0, null]);
  unmount();
});

it('stay a sample where no octree can be made, which says why', async () => {
  page.answer('cloud.open', () => {
    throw new UnderstoryError('not-found', 'the scan is no longer in the cache: scan again');
  });
  const octrees = useScanOctrees();
  const scan = await save(1);
  await drawFrames();
  expect(octrees.textOf(scan)).toBe('1.00 M of 2.00 M returns · a sample');
  expect(octrees.states.get(1)?.error).toMatch('scan again');
});
