// The measures that the form offers are those that the host knows, and each example is one that it can compile.
import { describe, expect, it } from 'vitest';
import { compileMeasure } from '#domain/campaign/measures.ts';
import { runMeasures } from '#domain/campaign/measuredRun.ts';
import {
  measureExamples,
  measureNames,
  newMeasureName,
} from '#renderer/logic/campaigns/measures.ts';

describe('the measures of the form', () => {
  it('are those of the host, with their meaning', () => {
    const known = Object.entries(runMeasures).map(([name, { meaning }]) => ({ name, meaning }));
    const byName = (one: { name: string }, other: { name: string }): number =>
      one.name < other.name ? -1 : 1;
    expect(measureNames.toSorted(byName)).toEqual(known.toSorted(byName));
  });

  it.each(measureExamples)('%s can be computed', (text) => {
    expect(compileMeasure(text).fault).toBeNull();
  });

  it('get names of their own', () => {
    const taken: string[] = [];
    for (const text of [...measureNames.map(({ name }) => name), ...measureExamples]) {
      const name = newMeasureName(text, taken);
      expect(name).toMatch(/^[a-z][a-z0-9_]{0,39}$/i);
      expect(taken).not.toContain(name);
      taken.push(name);
    }
  });
});
