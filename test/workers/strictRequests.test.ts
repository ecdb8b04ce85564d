// The worker refuses requests and recipes that are not as the contract says, with the path and what was expected; and
// replies are checked where they arrive.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPeer, type Peer } from '#contract/wire/rpc.ts';
import { checkedReply, workerMethodNames } from '#contract/worker/workerMethods.ts';
import { workerBinary } from '#hosts/packageFolders.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';
import { goldenSensors } from '../wire/goldenRecipes.ts';

describe('a worker', () => {
  let peer: Peer;
  let end: () => void;

  beforeAll(() => {
    const child = spawn(workerBinary, ['--threads', '1'], { stdio: ['pipe', 'pipe', 'ignore'] });
    peer = createPeer(stdioChannel(child.stdout, child.stdin));
    end = () => child.kill('SIGKILL');
  });
  afterAll(() => end());

  it('has every method of the contract, and no other', async () => {
    for (const method of workerMethodNames) {
      await expect(peer.call(method, { surplus: 1 })).rejects.toMatchObject({
        code: 'bad-input',
      });
    }
    await expect(peer.call('scan.echo', {})).rejects.toMatchObject({ code: 'protocol' });
  });

  it.each([
    ['hello', { surplus: 1 }, 'surplus'],
    ['sensor.describe', { sensor: goldenSensors.sweep, rangeCm: 5 }, 'rangeCm'],
    ['sensor.describe', { sensor: goldenSensors.sweep, rangeM: -5 }, 'rangeM'],
    ['sensor.describe', { sensor: goldenSensors.sweep, seed: 1.5 }, 'seed'],
    ['sensor.describe', { sensor: { ...goldenSensors.sweep, backFoldM: 150 } }, 'backFoldM'],
    ['scene.plan', { recipe: {}, memoryLimitBytes: 1e9 }, 'seed'],
    ['scene.plan', { memoryLimitBytes: 1e9 }, 'recipe'],
  ])('refuses %s with %o at its path', async (method, body, path) => {
    await expect(peer.call(method, body)).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path, message: expect.stringMatching(/^expected /) as string }] },
    });
  });

  it.each([
    ['hello', { heights: new Float32Array(1) }, 'heights'],
    ['scene.plan', { heights: new Float32Array(1), depths: new Float32Array(1) }, 'depths'],
    ['scan.rays', { packed_before: new Uint8Array(1) }, 'packed_before'],
  ])('refuses %s with a column that it does not have', async (method, columns, name) => {
    await expect(peer.call(method, {}, { columns })).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path: `columns.${name}`, code: 'unrecognized_keys' }] },
    });
  });

  it('plans the golden scene but for the mesh file that it names', async () => {
    const text = readFileSync(new URL('../wire/golden/recipes.json', import.meta.url), 'utf8');
    const { scene } = JSON.parse(text) as { scene: { models: object[] } };
    const request = { recipe: scene, memoryLimitBytes: 1e9 };
    const columns = { heights: new Float32Array(6) };
    await expect(peer.call('scene.plan', request, { columns })).rejects.toMatchObject({
      code: 'not-found',
    });
    const recipe = { ...scene, models: scene.models.slice(0, -1) };
    const reply = await peer.call('scene.plan', { ...request, recipe }, { columns });
    expect(checkedReply('scene.plan', reply).body.scatters).toEqual([
      expect.objectContaining({ name: 'grass', requested: 4 }),
    ]);
  });
});

describe('a reply', () => {
  const hello = {
    worker: 'scanWorker',
    version: '1',
    embree: '4',
    engine: 'e',
    isa: 'avx2',
    threads: 2,
  };

  it('is taken as the contract says', () => {
    expect(checkedReply('hello', { body: hello, columns: {} }).body).toEqual(hello);
  });

  it.each([
    ['lacks a field', 'hello', { ...hello, isa: undefined }, {}],
    ['has a field of another name', 'hello', { ...hello, cores: 2 }, {}],
    ['has a field of another type', 'hello', { ...hello, threads: '2' }, {}],
    ['has a column too many', 'hello', hello, { x_m: new Float64Array(1) }],
    ['lacks a column', 'render', {}, {}],
    ['has a column of another type', 'render', {}, { rgb: new Float32Array(3) }],
  ] as const)('that %s is refused', (_, method, body, columns) => {
    expect(() => checkedReply(method, { body, columns })).toThrow(
      expect.objectContaining({ code: 'protocol' }),
    );
  });
});
