// The scene of a run, for its views: that of its scenario as it was simulated, whatever became of the file.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import type { Method, RequestInputOf } from '#contract/host/methods.ts';
import type { SceneChunk, SceneContents } from '#contract/host/sceneMethods.ts';
import { dispatch } from '#services/handlers.ts';
import { driveHere } from '#test/support/commandLine.ts';
import { callContext } from '#test/support/context.ts';
import { flatGround, placed, scenario } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost, type OpenHost } from '#test/support/host.ts';

const levels = [400, 50];

async function chunksOf<M extends Method>(
  host: OpenHost,
  method: M,
  request: RequestInputOf<M>,
): Promise<{ body: SceneChunk; rows: number }[]> {
  const chunks: { body: SceneChunk; rows: number }[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const chunk = (body: unknown, columns: Columns): Promise<void> => {
    const rows = Math.max(0, ...Object.values(columns).map((column) => column?.length ?? 0));
    chunks.push({ body: body as SceneChunk, rows });
    // Why here: a scene that is opened stays so until then.
    if ((body as SceneChunk).kind === 'complete') controller.abort();
    return Promise.resolve();
  };
  await host.ask(method, request, { signal, chunk }).catch((failure: unknown) => {
    if (!controller.signal.aborted) throw failure;
  });
  return chunks;
}

const text = scenario({
  ground: flatGround(60),
  instances: [placed('box', [8, 0, 0.5], { name: 'crate' })],
  models: { box: { kind: 'box', sizeM: [1, 1, 1], material: 'grey' } },
  sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } }],
  mission: { startM: [0, 0], startYawDeg: 90, goalM: [0, 20] },
});

it('is the one that scene.open gives for its scenario, after the file is gone, too', async () => {
  const folder = temporaryFolder({ 'scene.yaml': text });
  const file = join(folder, 'scene.yaml');
  const runId = await driveHere(folder, file, '--seconds=0.1');
  const host = await openHost(join(folder, 'data'));
  const opened = await chunksOf(host, 'scene.open', { scenario: file, levels });
  await rm(file);
  const ofRun = await chunksOf(host, 'runs.scene', { runId, levels });

  const parts = (chunks: typeof opened): unknown[] =>
    chunks.slice(1).map(({ body, rows }) => ({ ...body, rows }));
  expect(parts(ofRun)).toEqual(parts(opened));
  expect(ofRun.at(-1)?.body.kind).toBe('complete');
  const ready = ofRun[0]?.body as SceneContents;
  const asked = opened[0]?.body as SceneContents;
  expect(ready.summary.sceneHash).toBe(asked.summary.sceneHash);
  expect(ready.placed.map(({ name }) => name)).toContain('crate');
  expect(ready.sensors).toMatchObject([
    { name: 'lidar', mount: { positionM: [0, 0, 2] }, view: { scan: { kind: 'spinning' } } },
  ]);
  // The VLP-16 sees 15° up and down.
  const [low = NaN, high = NaN] = ready.sensors[0]?.view.elevationRad ?? [];
  expect(low).toBeCloseTo((-15 * Math.PI) / 180, 6);
  expect(high).toBeCloseTo((15 * Math.PI) / 180, 6);
  await expect(host.ask('runs.scene', { runId: 'none' })).rejects.toThrow(/none/);
});

it('is seen by a camera as the scenario is, after the file is gone, too', async () => {
  const folder = temporaryFolder({ 'scene.yaml': text });
  const file = join(folder, 'scene.yaml');
  const runId = await driveHere(folder, file, '--seconds=0.1');
  const host = await openHost(join(folder, 'data'));
  const camera = { positionM: [0, 0, 2] as [number, number, number], yawDeg: 0, pitchDeg: 10 };
  const image = { camera, atS: 0.1, widthPx: 64, heightPx: 48 };
  const rgbOf = async (method: 'render.start' | 'runs.image', request: object) =>
    (await dispatch(host.handlers, method, { ...request, ...image }, callContext)).columns?.['rgb'];
  const asked = await rgbOf('render.start', { scenario: file });
  const empty = await rgbOf('render.start', { scenario: file, settings: ['scene.instances=[]'] });
  await rm(file);
  const ofRun = await rgbOf('runs.image', { runId });
  expect(ofRun?.length).toBe(3 * 64 * 48);
  expect(ofRun).toEqual(asked);
  expect(ofRun).not.toEqual(empty);
  const far = { ...camera, positionM: [1e9, 0, 0] as [number, number, number] };
  await expect(host.ask('runs.image', { runId, ...image, camera: far })).rejects.toThrow(/camera/);
});
