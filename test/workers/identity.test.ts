// Rule 1 of ARCHITECTURE.md: a scan is a pure function of its request. More than 10 million rays through
// grass, in other chunks, with other threads, in another process: the same bytes in every column. Once for each
// instruction set that this machine has: each has its own packets and kernels.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isas, type Isa } from '#contract/worker/worker.ts';
import {
  compileScenario,
  openWorker,
  scanBytes,
  scanRows,
  type ScanBytes,
  onlySensor,
} from './realWorker.ts';
import { straight } from '#validation/trajectories.ts';

const flags =
  readFileSync('/proc/cpuinfo', 'utf8')
    .match(/^flags\s*:(.*)$/m)?.[1]
    ?.split(' ') ?? [];
const flagOf = { 'sse4.2': 'sse4_2', avx: 'avx', avx2: 'avx2', avx512: 'avx512vl' };
const machineIsas = isas.filter((isa) => flags.includes(flagOf[isa]));

// More than 10 million rays with the best set, a quarter of them with each of the others.
const best = machineIsas.at(-1);
const toNsOf = (isa: Isa): number => (isa === best ? 1.2e9 : 0.3e9);

it('has an instruction set to run with', () => {
  expect(machineIsas).toContain('sse4.2');
});

describe.each(machineIsas)('identity with %s', async (isa) => {
  const toNs = toNsOf(isa);
  const field = await compileScenario();
  const { worker: one } = await openWorker(field, { threads: 1, isa });
  const { worker: two } = await openWorker(field, { threads: 2, isa });
  const trajectory = straight([-2, -1, 1.5], [2, 1, 1.6], toNs);
  const order = { sensor: onlySensor(field), toNs, trajectory };
  const first = await scanBytes(one, order);

  function expectSame(scan: ScanBytes): void {
    expect(scan.digests).toEqual(first.digests);
    expect(scan.result.hash).toBe(first.result.hash);
    expect(scan.objects).toEqual(first.objects);
  }

  it('runs with that set', () => {
    expect(one.hello.isa).toBe(isa);
    expect(two.hello.isa).toBe(isa);
  });

  it('is asserted on millions of rays, most of which meet grass', () => {
    expect(first.result.rays).toBeGreaterThan(isa === best ? 10e6 : 2.5e6);
    const grassFrom = field.compiled.recipe.scatters[0]?.firstId ?? 0;
    const { object_id: objectId, object_returns: objectReturns } = first.objects;
    const onGrass = objectId.reduce(
      (sum, id, k) => sum + (id >= grassFrom ? (objectReturns[k] ?? 0) : 0),
      0,
    );
    expect(onGrass / first.result.returns).toBeGreaterThan(0.3);
  });

  it('holds for another process, two threads and odd chunks', async () => {
    const scan = await scanBytes(two, { ...order, chunkPulses: 99_991 });
    expectSame(scan);
    expect(scan.chunks).toBeGreaterThan(isa === best ? 10 : 2);
  });

  it('holds for tiny chunks that cut every batch of pulses', async () => {
    const short = { ...order, toNs: 50e6 };
    const whole = await scanBytes(one, short);
    const cut = await scanBytes(two, { ...short, chunkPulses: 61 });
    expect(cut.digests).toEqual(whole.digests);
    expect(cut.chunks).toBeGreaterThan(500);
  });

  it('holds for an interval that is cut anywhere', async () => {
    const middleNs = 20_123_457;
    const whole = await scanRows(one, { ...order, toNs: 40e6 });
    const head = await scanRows(two, { ...order, toNs: middleNs });
    const tail = await scanRows(two, { ...order, fromNs: middleNs, toNs: 40e6 });
    for (const [name, values] of Object.entries(whole)) {
      const column = name as keyof typeof whole;
      expect([...head[column], ...tail[column]], name).toEqual(values);
    }
  });

  it('is sharp: another pose by a micrometre gives other bytes', async () => {
    const trajectory = straight([-2, -1, 1.500001], [2, 1, 1.6], toNs);
    const short = { ...order, toNs: 50e6 };
    const moved = await scanBytes(one, { ...short, trajectory });
    const still = await scanBytes(one, short);
    expect(moved.result.hash).not.toBe(still.result.hash);
  });
});
