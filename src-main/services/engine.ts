// The engine: the native worker and the TypeScript of a run. Two runs of one engine, scenario, seed and
// instruction set have the same bytes; runs of different engines need not.
import type { WorkerHello } from '#contract/worker/worker.ts';
import { sha256 } from './sha256.ts';

/**
 * The engine's hash: SHA-256, hex, over the worker (sources, compiler, flags), its Embree, the processor's approximate
 * reciprocals and the simulating TypeScript. The instruction set is not part of it. Why the reciprocals: Embree divides
 * by them, and processors of different makers round them differently; ranges differ in their last digit.
 */
export async function engineHash(
  { engine, embree, reciprocals }: Pick<WorkerHello, 'engine' | 'embree' | 'reciprocals'>,
  simulatingSources: string,
): Promise<string> {
  const parts = { worker: engine, embree, reciprocals, sources: simulatingSources };
  return sha256(
    Object.entries(parts)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(''),
  );
}
