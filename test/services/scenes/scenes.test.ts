// Open scenes over the real worker: what they report, that their scans are those of scan.start, one pulse of them, and
// how they end.
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SensorInput } from '#contract/documents/sensor.ts';
import { rayColumnNames, returnColumnNames } from '#contract/columns.ts';
import { instanceColumnNames, type SceneSummary } from '#contract/worker/worker.ts';
import { createNodeMachine } from '#hosts/node/nodeMachine.ts';
import { isAlive, sceneServices, type OpenedScene } from './openScene.ts';
import { circularBeam, flatGround, scenario, sensor } from '#test/support/documents.ts';

const services = sceneServices();
const pose = { positionM: [0, 0, 1] as [number, number, number], yawDeg: 20, pitchDeg: 3 };
let box: OpenedScene;
let boxPid: number;

beforeAll(async () => {
  box = await services.open({ scenario: 'box' });
  boxPid = services.workers[0]?.pid ?? 0;
});
afterAll(() => services.closeAll());

describe('an open scene', () => {
  it('reports its contents', () => {
    const { contents, instances } = box;
    expect(contents.summary.instances).toBe(4);
    expect(contents.models.map(({ name, triangles }) => [name, triangles])).toEqual(
      contents.summary.models.map(({ name, triangles }) => [name, triangles]),
    );
    expect(Object.keys(instances)).toEqual([...instanceColumnNames]);
    expect(instances['instance_id']).toHaveLength(4);
    const placed = contents.placed.find(({ name }) => name === 'box');
    expect(contents.classes[placed?.class ?? -1]).toBe('box');
    expect(contents.models[placed?.model ?? -1]?.triangles).toBe(12);
  });

  it('scans as scan.start does, to the byte', async () => {
    const { scene } = box.contents;
    const order = { sensor: 'hdl-64e-s2', pose, seed: 7, columns: returnColumnNames };
    const here = await services.ask('scene.scan', { scene, ...order, seconds: 0.05 });
    const there = await services.ask('scan.start', { scenario: 'box', ...order, seconds: 0.05 });
    const { hash, pulses, rays, hits, returns, rows } = there.reply;
    expect(here.reply).toMatchObject({ hash, pulses, rays, hits, returns, rows });
    expect(returns).toBeGreaterThan(1000);
    const other = await services.ask('scene.scan', { scene, ...order, seed: 8, seconds: 0.05 });
    expect(other.reply.hash).not.toBe(hash);
  });

  it('refuses a pose more than 10 km from the origin of the scene', async () => {
    const far = { positionM: [0, 1e4, 1] as [number, number, number], yawDeg: 0 };
    const order = { scene: box.contents.scene, sensor: 'vlp-16', pose: far };
    await expect(services.ask('scene.scan', order)).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path: 'pose', code: 'too-far' }] },
    });
  });

  it('gives one scan of the sensor by default', async () => {
    const { scene } = box.contents;
    const { reply } = await services.ask('scene.scan', { scene, sensor: 'vlp-16', pose });
    const whole = await services.ask('scene.scan', { scene, sensor: 'vlp-16', pose, seconds: 0.1 });
    expect(reply.hash).toBe(whole.reply.hash);
  });

  it('takes a sensor from a text, and says what is wrong with it', async () => {
    const { scene } = box.contents;
    const order = { scene, sensor: 'mine.yaml', pose, seconds: 0.01 };
    const sensorText = sensorOf({ mode: 'all', rangeResolutionM: 0.5 });
    const { reply } = await services.ask('scene.scan', { ...order, sensorText });
    expect(reply.returns).toBeGreaterThan(0);
    await expect(
      services.ask('scene.scan', { ...order, sensorText: sensorOf({ mode: 'best' as never }) }),
    ).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path: 'returns.mode' }] },
    });
  });

  it('refuses a scene that is not open, and pulses that are not fired', async () => {
    const order = { sensor: 'vlp-16-goodin2018', pose };
    await expect(services.ask('scene.scan', { scene: 'nope', ...order })).rejects.toMatchObject({
      code: 'not-found',
    });
    const { scene } = box.contents;
    await expect(
      services.ask('scene.pulse', { scene, ...order, pulse: 5, timeNs: 1 }),
    ).rejects.toMatchObject({ code: 'not-found' });
  });
});

it('has the height of what lies at a place, of the ground below it, and of nothing', async () => {
  const { scene, summary } = box.contents;
  const [xM, yM] = [summary.maxM[0] + 5, summary.maxM[1] + 5];
  const there = await services.ask('scene.heightAt', { scene, ...middleOf(summary) });
  expect(there.reply.heightM).toBeGreaterThanOrEqual(summary.minM[2]);
  expect(there.reply.heightM).toBeLessThanOrEqual(summary.maxM[2]);
  // The box hangs above the ground.
  const at = { scene, xM: 5.5, yM: 0 };
  expect((await services.ask('scene.heightAt', at)).reply.heightM).toBeCloseTo(1.5, 5);
  const below = await services.ask('scene.heightAt', { ...at, ofGround: true });
  expect(below.reply.heightM).toBe(0);
  const beside = await services.ask('scene.heightAt', { scene, xM, yM });
  expect(beside.reply.heightM).toBeNull();
});

function middleOf({ minM, maxM }: SceneSummary): { xM: number; yM: number } {
  return { xM: (minM[0] + maxM[0]) / 2, yM: (minM[1] + maxM[1]) / 2 };
}

describe('one pulse', () => {
  it.each([
    ['vlp-16', undefined],
    [
      'a sensor with a waveform',
      sensorOf({ mode: 'all', waveform: { binNs: 1, pulseWidthNs: 4 } }),
    ],
  ])('of %s has the rays and returns that it has in the whole scan', async (sensor, sensorText) => {
    const { scene } = box.contents;
    const order = { scene, sensor, pose, seed: 3, ...(sensorText && { sensorText }) };
    const whole = await services.ask('scene.scan', {
      ...order,
      seconds: 0.02,
      columns: returnColumnNames,
    });
    const rows = whole.chunks.flatMap(({ columns }) =>
      Array.from({ length: columns['pulse']?.length ?? 0 }, (_, row) =>
        Object.fromEntries(returnColumnNames.map((name) => [name, columns[name]?.[row]])),
      ),
    );
    const numbers = [...new Set(rows.map(({ pulse }) => Number(pulse)))];
    expect(numbers.length).toBeGreaterThan(100);
    for (const pulse of [numbers[0], numbers[57], numbers.at(-1)].map(Number)) {
      const expected = rows.filter((row) => Number(row.pulse) === pulse);
      const timeNs = Number(expected[0]?.time_ns);
      const { reply, columns } = await services.ask('scene.pulse', { ...order, pulse, timeNs });
      expect(reply.returns).toBe(expected.length);
      for (const name of returnColumnNames) {
        const values = expected.map((row) => row[name]);
        expect([...(columns[`return_${name}`] ?? [])], name).toEqual(values);
      }
      expectRaysOf(columns, reply.rayRows, expected);
      expect(columns['signal_ray']?.length).toBe(
        columns['hit_no']?.filter((number) => number > 0).length,
      );
      expect(reply.seenHits).toBe(columns['signal_ray']?.length);
      expect(reply.waveform === null).toBe(sensorText === undefined);
      expect(columns['waveform']?.length).toBe(reply.waveform?.binsPerPulse);
    }
  });
});

/** The weights of the rays add up to 1, and those that went into a return to its share of the beam. */
function expectRaysOf(
  columns: Awaited<ReturnType<typeof services.ask<'scene.pulse'>>>['columns'],
  rayRows: number,
  returns: Record<string, unknown>[],
): void {
  for (const name of rayColumnNames) expect(columns[name], name).toHaveLength(rayRows);
  const of = (name: string): number[] => Array.from(columns[name] ?? [], Number);
  const [ray, weight, share, hit] = [of('ray'), of('weight'), of('share'), of('return_no')];
  const weights = new Map(ray.map((number, row) => [number, weight[row] ?? 0]));
  expect([...weights.values()].reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 6);
  for (const found of returns) {
    const inside = ray.map((_, row) =>
      hit[row] === found['return_no'] ? (weight[row] ?? 0) * (share[row] ?? 0) : 0,
    );
    expect(inside.reduce((sum, value) => sum + value, 0)).toBeCloseTo(
      Number(found['beam_share']),
      6,
    );
  }
}

describe('several at once', () => {
  it('two scenes are independent', async () => {
    const clearing = await services.open({ scenario: 'clearing', seed: 2 });
    expect(clearing.contents.seed).toBe(2);
    for (const { sensor } of clearing.contents.sensors) expect(sensor).toMatch(/^\/.*\.yaml$/);
    expect(clearing.contents.sensors.length).toBeGreaterThan(0);
    expect(clearing.contents.scene).not.toBe(box.contents.scene);
    const order = { sensor: 'vlp-16', pose, seconds: 0.01 };
    const [a, b] = await Promise.all(
      [box, clearing].map(({ contents: { scene } }) =>
        services.ask('scene.scan', { scene, ...order }),
      ),
    );
    expect(a?.reply.hash).not.toBe(b?.reply.hash);
    const pid = services.workers.at(-1)?.pid ?? 0;
    expect(await clearing.close()).toMatchObject({ code: 'cancelled' });
    expect(isAlive(pid)).toBe(false);
    expect(isAlive(boxPid)).toBe(true);
    const { scene } = clearing.contents;
    await expect(services.ask('scene.scan', { scene, ...order })).rejects.toMatchObject({
      code: 'not-found',
    });
  });

  it('calls of one scene wait for each other; a call cancelled while waiting delays no other', async () => {
    const { scene } = box.contents;
    const order = { scene, sensor: 'vlp-16', pose, seconds: 0.02 };
    const ended: number[] = [];
    const controllers = [0, 1, 2].map(() => new AbortController());
    const calls = controllers.map(({ signal }, index) =>
      services
        .ask('scene.scan', order, { signal })
        .then(
          ({ reply }) => reply.hash,
          (error: { code: string }) => error.code,
        )
        .finally(() => ended.push(index)),
    );
    controllers[1]?.abort();
    const [first, second, third] = await Promise.all(calls);
    expect(second).toBe('cancelled');
    expect(third).toBe(first);
    expect(ended).toEqual([1, 0, 2]);
  });

  it('a cancelled scan leaves the scene usable', async () => {
    const { scene } = box.contents;
    const order = { scene, sensor: 'vlp-16', pose };
    const controller = new AbortController();
    const scan = services.ask(
      'scene.scan',
      { ...order, seconds: 60 },
      { signal: controller.signal, onChunk: () => controller.abort() },
    );
    await expect(scan).rejects.toMatchObject({ code: 'cancelled' });
    const { reply } = await services.ask('scene.scan', { ...order, seconds: 0.01 });
    expect(reply.returns).toBeGreaterThan(0);
    expect(services.workers[0]?.pid).toBe(boxPid);
  });
});

describe('a worker that dies', () => {
  it('in mid-scan is brought back, and the scan has the same bytes', async () => {
    const opened = await services.open({ scenario: 'box' });
    const worker = services.workers.at(-1);
    const { scene } = opened.contents;
    const order = { scene, sensor: 'hdl-64e', pose, seconds: 0.3 };
    const undisturbed = await services.ask('scene.scan', order);
    expect(undisturbed.chunks.length).toBeGreaterThan(2);
    let isKilled = false;
    const pid = worker?.pid ?? 0;
    const disturbed = await services.ask('scene.scan', order, {
      onChunk: () => {
        if (!isKilled) process.kill(pid, 'SIGKILL');
        isKilled = true;
      },
    });
    expect(disturbed.reply).toEqual(undisturbed.reply);
    expect(disturbed.chunks).toEqual(undisturbed.chunks);
    expect(worker?.pid).not.toBe(pid);
    await opened.close();
    expect(isAlive(worker?.pid ?? 0)).toBe(false);
  });

  it('without recovery ends the scene', async () => {
    const opened = await services.open({ scenario: 'box' });
    const worker = services.workers.at(-1);
    await worker?.dispose();
    const { scene } = opened.contents;
    const order = { scene, sensor: 'vlp-16', pose, seconds: 0.01 };
    await expect(services.ask('scene.scan', order)).rejects.toMatchObject({ code: 'worker-lost' });
    expect(await opened.ended).toMatchObject({ code: 'worker-lost' });
    await expect(services.ask('scene.scan', order)).rejects.toMatchObject({ code: 'not-found' });
  });
});

describe('building', () => {
  it('is cancelled with its caller, and the worker goes', async () => {
    const controller = new AbortController();
    const phases: string[] = [];
    const call = services.ask(
      'scene.open',
      { scenario: 'courtyard' },
      {
        signal: controller.signal,
        onProgress: (phase) => {
          phases.push(phase);
          controller.abort();
        },
      },
    );
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    expect(phases.length).toBeGreaterThan(0);
    await expectGone(services.workers.at(-1)?.pid ?? 0);
  });

  it('is refused before it begins where the scene would not fit', async () => {
    const machine = { ...createNodeMachine(), availableMemoryBytes: () => 1e6 };
    const small = sceneServices(machine);
    const chunks: unknown[] = [];
    const onChunk = (body: unknown): void => void chunks.push(body);
    await expect(
      small.ask('scene.open', { scenario: 'courtyard' }, { onChunk }),
    ).rejects.toMatchObject({ code: 'scene-too-large' });
    expect(chunks).toEqual([]);
    await expectGone(small.workers[0]?.pid ?? 0);
  });

  it('takes the text of a scenario, and looks for what it refers to beside the file', async () => {
    const text = scenario({
      models: { cube: { kind: 'box', sizeM: [1, 1, 1], material: 'grey' } },
      ground: flatGround(20),
      instances: [{ name: 'cube', model: 'cube', positionM: [3, 0, 0] }],
    });
    const opened = await services.open({ scenario: '/nowhere/new.understory.yaml', text });
    expect(opened.contents.placed.map(({ name }) => name)).toContain('cube');
    await opened.close();
    const bad = services.open({ scenario: 'box', text: text.replace('0.5', '5') });
    await expect(bad).rejects.toMatchObject({
      code: 'bad-input',
      details: { problems: [{ path: 'scene.materials.grey.reflectance' }] },
    });
  });
});

describe('closing all', () => {
  it('ends open scenes and scenes under construction', async () => {
    const own = sceneServices();
    const opened = await own.open({ scenario: 'box' });
    const building = own
      .ask('scene.open', { scenario: 'courtyard' })
      .catch((error: unknown) => error);
    await expect.poll(() => own.workers.length).toBe(2);
    await own.closeAll();
    expect(await opened.ended).toMatchObject({ code: 'cancelled' });
    expect(await building).toMatchObject({ code: 'cancelled' });
    expect(own.workers.map(({ pid }) => isAlive(pid))).toEqual([false, false]);
  });

  it('ends those whose documents are still read, before they have a worker', async () => {
    const own = sceneServices();
    const opening = own
      .ask('scene.open', { scenario: 'courtyard' })
      .catch((error: unknown) => error);
    await own.closeAll();
    expect(await opening).toMatchObject({ code: 'cancelled' });
    expect(own.workers).toEqual([]);
  });
});

async function expectGone(pid: number): Promise<void> {
  expect(pid).toBeGreaterThan(0);
  for (let wait = 0; wait < 50 && isAlive(pid); wait++) await pause(20);
  expect(isAlive(pid)).toBe(false);
}

function sensorOf(returns: Partial<SensorInput['returns']>): string {
  return sensor({
    scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 1000 },
    banks: [{ name: 'all', elevationsDeg: [-10, -5, 0] }],
    range: { minM: 0.5, maxM: 60 },
    beam: circularBeam(20, 30),
    returns: { mode: 'strongest', signalCutoffM: 0.5, ...returns },
  });
}
