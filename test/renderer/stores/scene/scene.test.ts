// The open scene: built, built again, cancelled and lost.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Every call of scene.open: what it asked for, what it sends, how it ends. */
let opened: {
  request: { scenario: string; text?: string };
  signal: AbortSignal | undefined;
  send: (names: readonly string[]) => Promise<void>;
  complete: () => unknown;
  fail: (failure: Error) => void;
}[];
let shown: string[];

beforeEach(() => {
  [opened, shown] = [[], []];
  page = openPage({ at: '#/scene' });
  page.answer('scene.open', (request, { signal, onChunk }) => {
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(new UnderstoryError('cancelled', 'ended')));
      opened.push({
        request: request as { scenario: string },
        signal,
        async send(names) {
          const placed = names.map((name, index) => ({ id: index + 1, name, model: 0, class: 0 }));
          await onChunk?.(
            { kind: 'ready', placed, scatters: [], landscapes: [], models: [], classes: [] },
            {},
          );
          await onChunk?.(
            { kind: 'instances', fromRow: 0, total: names.length },
            columnsOf(names.length),
          );
        },
        complete: () => onChunk?.({ kind: 'complete' }, {}),
        fail: reject,
      });
    });
  });
});

function columnsOf(count: number): Columns {
  const f64 = ['x_m', 'y_m', 'z_m', 'qx', 'qy', 'qz', 'qw', 'scale'];
  const f32 = ['min_x_m', 'min_y_m', 'min_z_m', 'max_x_m', 'max_y_m', 'max_z_m'];
  return {
    instance_id: Uint32Array.from({ length: count }, (_, row) => row + 1),
    model_id: new Uint16Array(count),
    class_id: new Uint16Array(count),
    ...Object.fromEntries(f64.map((name) => [name, new Float64Array(count)])),
    ...Object.fromEntries(f32.map((name) => [name, new Float32Array(count)])),
  };
}

function openScene() {
  const scene = useScene();
  scene.subscribe({
    onScene: (_, __, isSame) => void shown.push(isSame ? 'again' : 'new'),
    onMesh: () => undefined,
    onClosed: () => void shown.push('closed'),
  });
  return scene;
}

async function calls(count: number): Promise<void> {
  await vi.waitFor(() => expect(opened).toHaveLength(count));
}

describe('the open scene', () => {
  it('keeps what is selected by name when it is built again, and stays until then', async () => {
    const scene = openScene();
    void scene.open('box');
    await calls(1);
    expect(scene.state).toBe('opening');
    await opened[0]?.send(['oak', 'ash']);
    expect([scene.state, scene.isBuilding]).toEqual(['open', false]);
    scene.select([2]);
    void scene.showText('changed');
    await calls(2);
    expect(opened[1]?.request.text).toBe('changed');
    expect([scene.isBuilding, scene.contents?.placed.length]).toEqual([true, 2]);
    expect(opened[0]?.signal?.aborted).toBe(false);
    await opened[1]?.send(['fir', 'oak', 'ash']);
    expect(scene.selected.map(({ name }) => name)).toEqual(['ash']);
    expect(scene.selection).toEqual([3]);
    expect(shown).toEqual(['closed', 'new', 'again']);
    expect(opened[0]?.signal?.aborted).toBe(true);
  });

  it('that is built next replaces one that has not come yet', async () => {
    const scene = openScene();
    void scene.open('box');
    await calls(1);
    void scene.open('hillside');
    await calls(2);
    expect(opened[0]?.signal?.aborted).toBe(true);
    await opened[0]?.send(['late']);
    expect(scene.contents).toBeNull();
    await opened[1]?.send(['oak']);
    expect([scene.scenario, scene.error]).toEqual(['hillside', null]);
  });

  it('says why it could not be built, and stays as it was', async () => {
    const scene = openScene();
    void scene.open('box');
    await calls(1);
    await opened[0]?.send(['oak']);
    void scene.showText('wrong');
    await calls(2);
    opened[1]?.fail(new UnderstoryError('bad-input', 'no such model'));
    await vi.waitFor(() => expect(scene.error).toBe('no such model'));
    expect([scene.state, scene.contents?.placed.length]).toEqual(['open', 1]);
  });

  it('is awaited as it was asked for last, also where it cannot be built', async () => {
    const scene = openScene();
    await scene.whenBuilt();
    void scene.open('box');
    await calls(1);
    const count = scene.whenBuilt().then(() => scene.contents?.placed.length);
    void scene.showText('changed');
    await calls(2);
    await opened[1]?.send(['fir', 'oak']);
    expect(await count).toBe(2);
    void scene.showText('wrong');
    await calls(3);
    const error = scene.whenBuilt().then(() => scene.error);
    opened[2]?.fail(new UnderstoryError('bad-input', 'no such model'));
    expect(await error).toBe('no such model');
  });

  it('is cancelled without an error', async () => {
    const scene = openScene();
    void scene.open('box');
    await calls(1);
    scene.cancel();
    expect([scene.state, scene.scenario, scene.isBuilding]).toEqual(['empty', null, false]);
    await vi.waitFor(() => expect(scene.error).toBeNull());
    expect(opened[0]?.signal?.aborted).toBe(true);
  });

  it('is built again after a lost connection, but not endlessly', async () => {
    const scene = openScene();
    void scene.open('box');
    await calls(1);
    for (const count of [2, 2]) {
      page.link('lost');
      opened.at(-1)?.fail(new UnderstoryError('io', 'lost'));
      page.link('open');
      await calls(count);
    }
    expect(scene.error).toContain('lost twice');
    expect(scene.state).toBe('failed');
  });

  it('forgets losses once all of it has come', async () => {
    const scene = openScene();
    void scene.open('box');
    await calls(1);
    for (const count of [2, 3, 4]) {
      await opened.at(-1)?.send(['oak']);
      opened.at(-1)?.complete();
      page.link('lost');
      page.link('open');
      await calls(count);
    }
    expect(scene.error).toBeNull();
  });
});
