// Every call of each command fails once, in each way.
import { beforeAll, describe, expect, it } from 'vitest';
import { countCalls, makeBase, tryFault, type Base } from './sweeps.ts';
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

describe.each(names)('%s', (name) => {
  it.each(faults)('loses nothing by %s at any of its calls', async (how) => {
    const command = base.commands.find((one) => one.name === name);
    if (command === undefined) throw new Error(name);
    const calls = await countCalls(base, command);
    expect(calls).toBeGreaterThan(0);
    for (let at = 1; at <= calls; at += 1) await tryFault(base, command, at, how);
  });
});
