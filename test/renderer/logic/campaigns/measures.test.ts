// Each measure that the form offers is one that the host can compute.
import { describe, expect, it } from 'vitest';
import { compileMeasure } from '#domain/campaign/measures.ts';
import {
  measureExamples,
  measureNames,
  newMeasureName,
} from '#renderer/logic/campaigns/measures.ts';

describe('the measures of the form', () => {
  it.each([...measureNames.map(({ name }) => name), ...measureExamples])(
    '%s can be computed',
    (text) => {
      expect(compileMeasure(text).fault).toBeNull();
    },
  );

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
