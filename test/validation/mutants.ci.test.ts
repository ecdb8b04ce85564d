// The shorter form of the mutants: each of them turns a check red. Those of learned models are in test/native/mutants.
import { expect, it } from 'vitest';
import { nativeMutations, mutationNames } from '#contract/worker/mutations.ts';
import { experiments } from '#validation/experiments.ts';
import { validate } from '#validation/validate.ts';
import { unattended, validationPorts } from './validationPorts.ts';

it('every mutant is caught by a check', async () => {
  const order = { isQuick: true, only: ['mutants'] };
  const { validation } = await validate(validationPorts(), experiments, order, unattended);
  const ofNative = new Set<string>(nativeMutations);
  const expected = mutationNames.filter((name) => !ofNative.has(name));
  expect(validation.mutants.map(({ name }) => name)).toEqual(expected);
  expect(validation.mutants.filter(({ caughtBy }) => caughtBy.length === 0)).toEqual([]);
  expect(validation.criteria.filter(({ pass }) => !pass)).toEqual([]);
});
