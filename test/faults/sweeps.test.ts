// Every kind of call fails once, in some places of each command; `sweeps.long.test.ts` tries more of them.
import { beforeAll, expect, it } from 'vitest';
import { listCalls, makeBase, tryFault, type Base } from './sweeps.ts';

let base: Base;
beforeAll(async () => {
  base = await makeBase();
});

const plans = [
  ['drive, its host', 'kill', 2],
  ['drive, its run', 'ENOSPC', 2],
  ['drive, its run', 'power', 2],
  ['drive, its worker', 'ENOMEM', 2],
  ['scan.npz', 'ENOMEM', 2],
  ['x.ply', 'ENOMEM', 2],
  ['x.csv', 'EIO', 3],
  ['x.understory', 'short', 1],
  ['x.understory', 'power', 2],
  ['runs unpack', 'ENOSPC', 3],
  ['x.log', 'power', 2],
] as const;

it.each(plans)('%s: nothing is lost by %s at %i of its calls', async (name, how, tries) => {
  const command = base.commands.find((one) => one.name === name);
  if (command === undefined) throw new Error(name);
  const { length: calls } = await listCalls(base, command, how);
  expect(calls).toBeGreaterThan(tries);
  for (let index = 0; index < tries; index += 1) {
    await tryFault(base, command, 1 + Math.floor(((index + 0.5) * calls) / tries), how);
  }
});
