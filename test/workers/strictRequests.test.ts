// The worker refuses requests and recipes that are not as the contract says, with the path and what was expected; and
// replies are checked where they arrive.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPeer, type Peer } from '#contract/wire/rpc.ts';
import {
  checkedReply,
  workerMethodNames,
  type WorkerMethodName,
} from '#contract/worker/workerMethods.ts';
import { learnPresets } from '#domain/shared/learnPresets.ts';
import { workerBinary } from '#hosts/packageFolders.ts';
import { stdioChannel } from '#workers/stdioChannel.ts';
import { goldenSensors } from '../wire/goldenRecipes.ts';
import { standingAt } from './realWorker.ts';

const trajectory = { ...standingAt(0, 0, 2) };

/** Methods whose requests have columns: heights, or a trajectory. */
const takesColumns = new Set<WorkerMethodName>([
  ...(['scene.plan', 'scene.build', 'scan', 'scan.rays'] as const),
  ...(['scan.waveforms', 'scan.signal', 'bench.native', 'bench.raw'] as const),
]);

describe('a worker', () => {
  let peer: Peer;
  let end: () => void;

  beforeAll(() => {
    const child = spawn(workerBinary, ['--threads', '1'], { stdio: ['pipe', 'pipe', 'ignore'] });
    peer = createPeer(stdioChannel(child.stdout, child.stdin));
    end = () => child.kill('SIGKILL');
  });
  afterAll(() => end());

  it('has no method but those of the contract', async () => {
    await expect(peer.call('scan.echo', {})).rejects.toMatchObject({ code: 'protocol' });
  });

  it.each(workerMethodNames)('refuses a surplus field of %s, at its path', async (method) => {
    const { scene } = goldenRecipes();
    const heights = { heights: new Float32Array(6) };
    const sceneRequest = {
      recipe: { ...scene, models: withoutMesh(scene.models) },
      memoryLimitBytes: 1e9,
    };
    await peer.call('scene.build', sceneRequest, { columns: heights });
    const interval = { sensor: goldenSensors.sweep, fromNs: 0, toNs: 1e6, seed: 1 };
    const scan = { ...interval, misses: false, columns: ['range_m'] };
    const most = { maxElements: 9, maxTriangles: 9, maxPoints: 9 };
    const camera = { positionM: [0, 0, 9], yawRad: 0, pitchRad: 1, verticalFovRad: 1 };
    const requests: Record<WorkerMethodName, object> = {
      hello: {},
      'scene.plan': sceneRequest,
      'scene.build': sceneRequest,
      'scene.instances': { fromRow: 0, maxRows: 1 },
      'scene.plants': {},
      'scene.heightAt': { xM: 0, yM: 0, ofGround: true },
      'scene.mesh': { model: 0, maxTriangles: 50 },
      'scene.ground': {},
      'truth.plants': {},
      'truth.voxels': {
        minM: [0, 0, 0],
        stepM: [1, 1, 1],
        split: [1, 1, 1],
        memoryLimitBytes: 1e9,
      },
      'truth.gaps': { minM: [0, 0, 0], maxM: [1, 1, 1], rays: 18, seed: 1 },
      'sensor.describe': { sensor: goldenSensors.sweep },
      scan,
      'scan.write': { stored: 1, file: 'a.mcap', device: '1', inode: '1', offset: 0, crc32: 0 },
      'scan.rays': interval,
      'scan.waveforms': { ...interval, misses: false },
      'scan.signal': { ...interval, pulse: 0 },
      'bench.native': scan,
      'bench.raw': scan,
      'learn.model': {
        logs: ['a.log'],
        out: 'a.ply',
        model: 'voxel',
        seed: 1,
        memoryLimitBytes: 1e9,
        parameters: learnPresets['browning-2012'],
      },
      'learn.evaluate': {
        model: 'a.ply',
        log: 'a.log',
        seed: 1,
        maxPoints: 0,
        memoryLimitBytes: 1e9,
      },
      'log.compare': { logs: ['a.log'], memoryLimitBytes: 1e9 },
      'log.voxels': {
        logs: ['a.log'],
        minM: [0, 0, 0],
        voxelM: 1,
        split: [1, 1, 1],
        leafAngles: 'spherical',
        oneLeafM2: 0,
        memoryLimitBytes: 1e9,
      },
      'learn.elements': { model: 'a.ply', ...most, memoryLimitBytes: 1e9 },
      'learn.sample': {
        model: 'a.ply',
        log: 'a.log',
        maxPoints: 9,
        seed: 1,
        memoryLimitBytes: 1e9,
      },
      'learn.place': {
        models: ['a.ply'],
        log: 'a.log',
        placeM: [0, 0, 0],
        radiusM: 0.1,
        windowM: 1,
        bins: 10,
        draws: 10,
        seed: 1,
        memoryLimitBytes: 1e9,
      },
      'log.cloud': { log: 'a.log', maxPoints: 9, memoryLimitBytes: 1e9 },
      render: { ...camera, widthPx: 4, heightPx: 4, samplesPerPixel: 1 },
    };
    const columns = method.startsWith('scene.') ? heights : trajectory;
    const options = takesColumns.has(method) ? { columns } : {};
    const call = peer.call(method, { ...requests[method], surplus: 1 }, options);
    await expect(call).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path: 'surplus', code: 'unrecognized_keys' }] },
    });
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
    ['more than all light', { transmittance: 0.7 }, {}, /materials\[0\].*at most 1 together/],
    ['a negative mirror depth', {}, { mirrorDepth: -1 }, /mirrorDepth: expected .* from 0 to 32/],
    ['more mirrors than are counted', {}, { mirrorDepth: 33 }, /mirrorDepth: expected .* 0 to 32/],
  ])('refuses scenes with %s', async (_, material, change, message) => {
    const { scene } = goldenRecipes();
    const [first, ...others] = scene.materials;
    const materials = [{ ...first, reflectance: 0.4, ...material }, ...others];
    const recipe = { ...scene, models: withoutMesh(scene.models), materials, ...change };
    const call = peer.call(
      'scene.plan',
      { recipe, memoryLimitBytes: 1e9 },
      { columns: { heights: new Float32Array(6) } },
    );
    await expect(call).rejects.toThrow(message);
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
    const { scene } = goldenRecipes();
    const request = { recipe: scene, memoryLimitBytes: 1e9 };
    const columns = { heights: new Float32Array(6) };
    await expect(peer.call('scene.plan', request, { columns })).rejects.toMatchObject({
      code: 'not-found',
    });
    const recipe = { ...scene, models: withoutMesh(scene.models) };
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
    learner: 'l',
    isa: 'avx2',
    reciprocals: '0123456789abcdef',
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

interface GoldenRecipes {
  scene: { models: Model[]; materials: object[] };
}

interface Model {
  source: { kind: string };
}

/** Why: its file is not there. No instance is one of the mesh or of a model behind it. */
function withoutMesh(models: readonly Model[]): Model[] {
  return models.filter(({ source }) => source.kind !== 'mesh');
}

function goldenRecipes(): GoldenRecipes {
  const text = readFileSync(new URL('../wire/golden/recipes.json', import.meta.url), 'utf8');
  return JSON.parse(text) as GoldenRecipes;
}
