// Calls of each command that do the same to the same file, or ask for as much memory: the first, the middle and the last
// one fail once, in each mode.
import { beforeAll, describe, expect, it } from 'vitest';
import { listCalls, makeBase, tryFault, type Base } from './sweeps.ts';
import type { Fault } from './faulted.ts';

let base: Base;
beforeAll(async () => {
  base = await makeBase();
});

const names = [
  ...['drive, its host', 'drive, its run', 'runs unpack'],
  ...['x.csv', 'x.las', 'x.npz', 'x.understory', 'x.log'],
];
const faults: Fault[] = ['ENOSPC', 'EIO', 'short', 'kill', 'power'];
/** Tries at once: most of their time processes start. */
const together = 3;

describe.each(names)('%s', (name) => {
  it.each(faults)('loses nothing by %s', (how) => sweep(name, how));
});
it.each(['drive, its worker', 'scan.npz', 'x.ply'])('%s loses nothing without memory', (name) =>
  sweep(name, 'ENOMEM'),
);

async function sweep(name: string, how: Fault): Promise<void> {
  const command = base.commands.find((one) => one.name === name);
  if (command === undefined) throw new Error(name);
  const places = placesOf(await listCalls(base, command, how));
  expect(places.length).toBeGreaterThan(0);
  const tries = places.values();
  const work = async (): Promise<void> => {
    for (const at of tries) await tryFault(base, command, at, how);
  };
  await Promise.all(Array.from({ length: together }, work));
}

/** Numbers of calls, from 1: the first, middle and last one of those that are alike. */
function placesOf(calls: readonly string[]): number[] {
  // One column is written as another.
  const kindOf = (call: string): string => call.replace(/\.\w+\.npy\S*/, '.npy');
  const alike = Map.groupBy(calls.keys(), (index) => kindOf(calls[index] ?? ''));
  const chosen = [...alike.values()].flatMap((indices) => {
    const last = indices.length - 1;
    return [indices[0] ?? 0, indices[last >> 1] ?? 0, indices[last] ?? 0];
  });
  return [...new Set(chosen)].map((index) => index + 1);
}
