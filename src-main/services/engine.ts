// The engine: the native worker and the TypeScript of a run. Two runs of one engine, scenario, seed and
// instruction set have the same bytes; runs of different engines need not.
import type { WorkerHello } from '#contract/worker/worker.ts';
import { sha256 } from './sha256.ts';

/**
 * The engine's hash: SHA-256, hex, over the worker (sources, compiler, flags), its Embree and the simulating
 * TypeScript. The instruction set is not part of it.
 */
export async function engineHash(
  { engine, embree }: Pick<WorkerHello, 'engine' | 'embree'>,
  simulatingSources: string,
): Promise<string> {
  const text = `worker ${engine}\nembree ${embree}\nsources ${simulatingSources}\n`;
  return sha256(text);
}
