// The mutations of the binary scanWorkerMutants (contract/worker/mutations.ts): each does what it is
// named after, through the protocol that `npm run validate` uses. The released worker has none.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Mutation, mutationNames } from '#contract/worker/mutations.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { mutantsBinary, workerBinary } from '#hosts/packageFolders.ts';
import { createMutantLauncher, createWorkerLauncher } from '#workers/workerLauncher.ts';
import { keptLog, silentLog } from '#test/support/log.ts';
import { startWorker } from '#test/support/worker.ts';
import {
  noiseOf,
  sceneOf,
  scanScene,
  singleBeam,
  slab,
  standingAt,
  type Placed,
} from '../physics/bench.ts';
import {} from './realWorker.ts';

const pulses = 20;
const pulsesPerSecond = 1000;
const strongest = singleBeam(pulsesPerSecond, 0.001, {
  mode: 'strongest',
  signalCutoffM: 1,
  window: false,
});
const noisy = { ...strongest, noise: noiseOf({ laserBiasSigmaM: 0.02 }) };
const options = { log: silentLog, binary: workerBinary };

/** The column of one stationary scan, by a worker that makes the error, or by a sound one. */
async function scanned(
  mutation: Mutation | null,
  placed: Placed[],
  sensor: SensorRecipe,
  column: 'range_m' | 'intensity' = 'range_m',
): Promise<number[]> {
  const launcher =
    mutation === null
      ? createWorkerLauncher(options)
      : createMutantLauncher({ ...options, binary: mutantsBinary ?? '' }, mutation);
  const worker = await launcher.open({ isa: null, threads: null });
  try {
    const scene = sceneOf(placed);
    const at = standingAt([0, 0, 0]);
    const { table } = await scanScene(worker, scene, sensor, at, pulses / pulsesPerSecond, [
      column,
    ]);
    return table[column] ?? [];
  } finally {
    await worker.dispose();
  }
}

describe('mutants', () => {
  // Nine rays: three to each side, three on the edge.
  const edge = [slab(10, 'left'), slab(13, 'right')];
  // Rays to the right meet it, the one on the axis does not.
  const aside: Placed = { ...slab(10, 'right'), at: [{ positionM: [10.1, -1.001, 0] }] };
  const nothing = slab(-10, 'both');

  it('cutoff-ignored: the mean of `first` takes in what lies 3 m behind', async () => {
    const first = { ...strongest, returns: { ...strongest.returns, mode: 'first' as const } };
    expect((await scanned(null, edge, first))[0]).toBeCloseTo(10, 3);
    expect((await scanned('cutoff-ignored', edge, first))[0]).toBeGreaterThan(10.9);
  });

  it('strongest-is-closest: a dark slab wins over a bright one behind it', async () => {
    // Turned by 45 degrees, it sends back less; it ends 1 mm to the left of the axis, 9.4 m away.
    const tilted: Placed = {
      source: { kind: 'box', sizeM: [0.001, 4, 4], material: 0 },
      at: [
        {
          positionM: [8, 1.4155, 0],
          rotation: [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)],
        },
      ],
    };
    const sound = await scanned(null, [tilted, slab(13, 'both')], strongest);
    const mutant = await scanned('strongest-is-closest', [tilted, slab(13, 'both')], strongest);
    expect(sound[0]).toBeCloseTo(13, 3);
    expect(mutant[0]).toBeCloseTo(9.41, 1);
  });

  it('bias-of-each-ray: a stationary laser before a wall sees it move', async () => {
    expect(new Set(await scanned(null, [slab(10, 'both')], noisy)).size).toBe(1);
    const mutant = await scanned('bias-of-each-ray', [slab(10, 'both')], noisy);
    expect(new Set(mutant).size).toBe(pulses);
  });

  it('noise-on-empty-pulses: returns where there is nothing', async () => {
    expect(await scanned(null, [nothing], noisy)).toEqual([]);
    expect(await scanned('noise-on-empty-pulses', [nothing], noisy)).toHaveLength(pulses);
  });

  it('centre-miss-drops-pulse: a slab that only the edge of the spot meets is not seen', async () => {
    expect(await scanned(null, [aside], strongest)).toHaveLength(pulses);
    expect(await scanned('centre-miss-drops-pulse', [aside], strongest)).toEqual([]);
  });

  it('stencil-off-centre: what lies just to the right of the spot is missed, to the left met', async () => {
    // The ring's rightmost ray goes 0.375 mrad off the axis, 3.75 mm at 10 m; half a half-divergence is 2.5 mm.
    const justRight: Placed = { ...slab(10, 'right'), at: [{ positionM: [10.1, -1.003, 0] }] };
    expect(await scanned(null, [justRight], strongest)).toHaveLength(pulses);
    expect(await scanned('stencil-off-centre', [justRight], strongest)).toEqual([]);
  });

  it('fourth-power: a wall loses 16 times as much as it should at twice the distance', async () => {
    const radar = { ...strongest, radiometry: 'radar-equation' as const };
    const ratio = async (mutation: Mutation | null): Promise<number> => {
      const [near = NaN] = await scanned(mutation, [slab(10, 'both')], radar, 'intensity');
      const [far = NaN] = await scanned(mutation, [slab(20, 'both')], radar, 'intensity');
      return near / far;
    };
    expect(await ratio(null)).toBeCloseTo(4, 4);
    expect(await ratio('fourth-power')).toBeCloseTo(16, 3);
  });

  it('refuses the names of unknown errors', async () => {
    const open = startWorker({
      binary: mutantsBinary ?? '',
      environment: { UNDERSTORY_TEST: 'mutation=no-such-error' },
    });
    await expect(open).rejects.toMatchObject({ code: 'worker-lost' });
  });
});

describe('the released worker', () => {
  it('has no name of a mutation in its binary, nor what switches one on', () => {
    const binary = readFileSync(workerBinary);
    const names = [...mutationNames, 'setMutation'];
    for (const name of names) expect(binary.includes(name), name).toBe(false);
    // The same search finds them in the other binary.
    const mutants = readFileSync(mutantsBinary ?? '');
    for (const name of names) expect(mutants.includes(name), name).toBe(true);
  });

  it('refuses a mutation: it ends at its start', async () => {
    const { log } = keptLog();
    const open = createMutantLauncher({ log, binary: workerBinary }, 'fourth-power').open({
      isa: null,
      threads: null,
    });
    await expect(open).rejects.toMatchObject({ code: 'worker-lost' });
  });
});
