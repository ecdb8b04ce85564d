// Experiments put together: order, choice, verdict; criteria; the page of an outcome.
import { describe, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { nativeMutations, mutationNames } from '#contract/worker/mutations.ts';
import { above, atLeast, atMost, below, equal, within } from '#validation/criteria.ts';
import type { Experiment } from '#validation/experiment.ts';
import { mutants } from '#validation/mutants.ts';
import { checks } from '#validation/pieces.ts';
import type { Section } from '#validation/section.ts';
import { reportPage } from '#validation/report/page.ts';
import { validate } from '#validation/validate.ts';
import { unattended, validationPorts } from './validationPorts.ts';

function experiment(name: string, section: Partial<Section>): Experiment {
  const empty: Section = {
    paper: [],
    ours: [],
    charts: [],
    pictures: [],
    tables: [],
    criteria: [],
    metrics: {},
  };
  return { name, title: `Title of ${name}`, run: () => Promise.resolve({ ...empty, ...section }) };
}

const holds = experiment('holds', { criteria: [equal('one', 1, 1)] });
const fails = experiment('fails', {
  criteria: [equal('two', 1, 2), below('three', 1, 2)],
  metrics: { invariants: [equal('two', 1, 2)] },
});

const run = (experiments: Experiment[], only: string[] = []) =>
  validate(validationPorts(), experiments, { isQuick: false, only }, unattended);

describe('validate', () => {
  it('passes only if every criterion holds, and some were put to the test', async () => {
    expect((await run([holds])).validation).toMatchObject({ passed: true, seeds: [1, 2, 3] });
    const { validation } = await run([holds, fails]);
    expect(validation).toMatchObject({ passed: false, experiments: ['holds', 'fails'] });
    expect(validation.criteria.map((each) => [each.experiment, each.name, each.pass])).toEqual([
      ['holds', 'one', true],
      ['fails', 'two', false],
      ['fails', 'three', true],
    ]);
    expect(validation.invariants).toHaveLength(1);
    expect((await run([experiment('empty', {})])).validation.passed).toBe(false);
  });

  it('carries out the chosen ones, and refuses unknown names', async () => {
    expect((await run([holds, fails], ['holds'])).validation.experiments).toEqual(['holds']);
    const error: unknown = await run([holds, fails], ['hold']).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(UnderstoryError);
    expect(error).toMatchObject({
      code: 'bad-input',
      details: {
        problems: [{ path: 'only', message: "expected one of holds, fails, found 'hold'" }],
      },
    });
  });

  it('stops when it is cancelled', async () => {
    const stopped = { ...unattended, signal: AbortSignal.abort() };
    const order = { isQuick: true, only: [] };
    await expect(validate(validationPorts(), [holds], order, stopped)).rejects.toThrow();
  });
});

describe('criteria', () => {
  it('are exact at their limits', () => {
    expect(within('a', 1.5, 1, 0.5).pass).toBe(true);
    expect(within('a', 1.51, 1, 0.5).pass).toBe(false);
    expect(within('a', Number.NaN, 1, 0.5).pass).toBe(false);
    expect([below('a', 2, 2).pass, atMost('a', 2, 2).pass]).toEqual([false, true]);
    expect([above('a', 2, 2).pass, atLeast('a', 2, 2).pass]).toEqual([false, true]);
    expect([equal('a', 2, 2).pass, equal('a', 2, 3).pass]).toEqual([true, false]);
  });
});

describe('mutants', () => {
  it('are each caught by one piece of the validation, but for those of learned models', () => {
    const ofNative: readonly string[] = nativeMutations;
    const caught = checks.flatMap(({ catches = [] }) => catches);
    const expected = mutationNames.filter((name) => !ofNative.includes(name));
    expect(caught.toSorted()).toEqual(expected.toSorted());
  });
});

describe('outside of a clone, without workers with mutations', () => {
  it('the report states that the mutants are left out, and nothing passes by them', async () => {
    const ports = { ...validationPorts(), mutantLauncher: null };
    const order = { isQuick: true, only: ['mutants'] };
    const outcome = await validate(ports, [holds, mutants], order, unattended);
    expect(outcome.validation).toMatchObject({ criteria: [], mutants: [], passed: false });
    const page = reportPage(outcome);
    expect(page).toContain(mutants.title);
    expect(page).toContain('Left out: the workers with deliberate faults');
  });
});

describe('report', () => {
  it('names what failed, and escapes texts', async () => {
    const odd = experiment('odd', {
      paper: ['a < b & "c"'],
      criteria: [below('x < y', 3, 2, 'm')],
    });
    const page = reportPage(await run([holds, odd]));
    expect(page).toContain('1 of 2 criteria hold');
    expect(page).toContain('a &lt; b &amp; &quot;c&quot;');
    expect(page).toContain('<td>x &lt; y</td><td class="number">3 m</td>');
    expect(page).toContain('FAILS');
  });

  it('writes axes with their units, every series and its marks', async () => {
    const chart = {
      title: 'Chart',
      x: { name: 'range', unit: 'm', from: 0, to: 1 },
      y: { name: 'count', unit: '', from: 0 },
      series: [
        { name: 'bars of it', kind: 'bars' as const, widthX: 0.5, data: [[0.25, 2] as const] },
        {
          name: 'a line',
          kind: 'line' as const,
          data: [
            [0, 0],
            [1, 2],
          ] as [number, number][],
        },
      ],
      marks: [{ axis: 'x' as const, at: 0.5, label: 'half' }],
    };
    const page = reportPage(await run([holds, experiment('drawn', { charts: [chart] })]));
    for (const text of ['range (m)', '>count<', 'bars of it', 'a line', 'half']) {
      expect(page).toContain(text);
    }
  });
});
