// All instances of a scene went through every pipe as one message: above 700,000 a browser was cut off and built the
// scene again endlessly, above 11 million a drive ended with 'protocol'. An answer too large for a message broke its
// connection.
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { openCatalogue } from '#catalogue/catalogue.ts';
import type { SceneChunk } from '#contract/host/sceneMethods.ts';
import { createPeer } from '#contract/wire/rpc.ts';
import { createColumnSlices } from '#domain/shared/columnSlices.ts';
import { maxUnsentBytes } from '#contract/wire/unsent.ts';
import { webSocketChannel } from '#hosts/web/webSocketChannel.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import {
  sampleInstances,
  sampleRecipe,
  sampleRun,
  sampleSavedScene,
} from '#test/catalogue/sampleScene.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { fakePage, untilCancelled } from '#test/renderer/stores/pageOf.ts';
import { sceneServices } from '#test/services/scenes/openScene.ts';
import { memoryChannelPair } from '#test/wire/memoryChannel.ts';
import { scenario } from '#test/support/documents.ts';

const sliceRows = 2 ** 16;

it('a scene is sent in slices, and says when all of it has come', async () => {
  const many = scenario({
    models: { b: { kind: 'box', sizeM: [0.1, 0.1, 0.1], material: 'grey', solid: false } },
    scatters: [
      {
        name: 's',
        model: 'b',
        count: 140_000,
        areaM: [
          [0, 0],
          [900, 0],
          [900, 900],
          [0, 900],
        ],
      },
    ],
  });
  const file = join(temporaryFolder({ 'many.understory.yaml': many }), 'many.understory.yaml');
  const services = sceneServices();
  const controller = new AbortController();
  const slices: { fromRow: number; total: number; rows: number }[] = [];
  const ids: number[] = [];
  const open = services.ask(
    'scene.open',
    { scenario: file },
    {
      signal: controller.signal,
      onChunk: (body, columns) => {
        const chunk = body as SceneChunk;
        if (chunk.kind === 'complete') controller.abort();
        if (chunk.kind !== 'instances') return;
        const { fromRow, total } = chunk;
        const of = columns['instance_id'] ?? new Uint32Array();
        slices.push({ fromRow, total, rows: of.length });
        for (const id of of) ids.push(Number(id));
      },
    },
  );
  await expect(open).rejects.toMatchObject({ code: 'cancelled' });
  await services.closeAll();
  const total = ids.length;
  expect(total).toBeGreaterThan(2 * sliceRows);
  expect(slices).toEqual([
    { fromRow: 0, total, rows: sliceRows },
    { fromRow: sliceRows, total, rows: sliceRows },
    { fromRow: 2 * sliceRows, total, rows: total - 2 * sliceRows },
  ]);
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
});

it('the catalogue takes a scene in slices, and keeps none that was not sent to its end', () => {
  const file = join(temporaryFolder(), 'catalogue.sqlite');
  const catalogue = openCatalogue(file);
  onTestFinished(() => catalogue.dispose());
  const scene = sampleSavedScene();
  const [whole, sliced, broken] = [sampleRun(1), sampleRun(2), sampleRun(3)];
  for (const run of [whole, sliced, broken]) catalogue.insertRun(run);
  const instances = sampleInstances();
  const slice = (from: number, rows: number) =>
    Object.fromEntries(
      Object.entries(instances).map(([name, array]) => [name, array.subarray(from, from + rows)]),
    );
  expect(catalogue.beginScene(broken.id, scene)).toBe(true);
  catalogue.addInstances(broken.id, sampleRecipe, slice(0, 5000));
  expect(catalogue.sceneSummary(broken.id)).toBeNull();

  expect(catalogue.beginScene(sliced.id, scene)).toBe(true);
  const rows = instances['instance_id']?.length ?? 0;
  for (let from = 0; from < rows; from += 5000) {
    catalogue.addInstances(sliced.id, sampleRecipe, slice(from, 5000));
  }
  catalogue.endScene(sliced.id, scene);
  expect(catalogue.beginScene(whole.id, scene)).toBe(false);
  expect(catalogue.instances(whole.id)).toEqual(catalogue.instances(sliced.id));
  expect(catalogue.instances(sliced.id)).toHaveLength(rows);
  const again = createColumnSlices(1);
  again.put(0, slice(rows - 1, 1));
  expect(catalogue.instances(sliced.id).at(-1)?.id).toBe(Number(again.columns['instance_id']?.[0]));

  // The other run begins once more; the scene is known by now.
  expect(catalogue.beginScene(broken.id, scene)).toBe(false);
  expect(catalogue.instances(broken.id)).toHaveLength(rows);
});

it('one message above the limit of unsent bytes reaches its reader', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const values = new Uint8Array(maxUnsentBytes + 1_000_000).fill(7);
  server.on('connection', (socket) => {
    createPeer(webSocketChannel(socket), {
      serve: { large: () => ({ body: {}, columns: { values } }) },
    });
  });
  const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
    maxPayload: 0,
  });
  await once(socket, 'open');
  const peer = createPeer(webSocketChannel(socket));
  const { columns } = await peer.call('large', {});
  expect(columns['values']).toHaveLength(values.length);
  peer.close();
});

it('an answer that no message can hold is refused in a sentence, and the connection stays', async () => {
  const [here, there] = memoryChannelPair();
  createPeer(there, {
    serve: {
      large: () => ({ body: 'x'.repeat(65 * 2 ** 20), columns: {} }),
      small: () => ({ body: 'y', columns: {} }),
    },
  });
  const peer = createPeer(here);
  await expect(peer.call('large', {})).rejects.toMatchObject({
    code: 'bad-input',
    message: 'the answer takes 69 MB, a message holds at most 68 MB: ask for less at a time',
  });
  expect((await peer.call('small', {})).body).toBe('y');
});

it('the page does not build a scene again and again whose sending loses the connection', async () => {
  // The parts of a browser that the page uses.
  vi.stubGlobal('location', { hash: '#/scene' });
  vi.stubGlobal('addEventListener', () => undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  const page = fakePage();
  page.answer('scenario.list', () => []);
  page.answer('scene.open', untilCancelled().how);
  const scene = useScene();
  void scene.open('courtyard');
  const opened = (): number => page.calls.filter((method) => method === 'scene.open').length;
  await expect.poll(opened).toBe(1);
  page.link('lost');
  page.link('open');
  await expect.poll(opened).toBe(2);
  page.link('lost');
  page.link('open');
  await expect.poll(() => scene.error).toContain('lost twice');
  expect(opened()).toBe(2);
  expect(scene.state).toBe('failed');
  // Asked for by a person, it is tried once more.
  void scene.open('courtyard');
  await expect.poll(opened).toBe(3);
});
