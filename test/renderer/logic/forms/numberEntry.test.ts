// Typed numbers: what the published schemas take, refused in the words of the host's own checks.
import { describe, expect, it } from 'vitest';
import { parseWith } from '#contract/documents/problems.ts';
import { publishedSchema } from '#contract/documents/publishedSchemas.ts';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { schemaAt, type DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { boundsOf, numberEntries, numberEntry } from '#renderer/logic/forms/numberEntry.ts';

const schema = publishedSchema('scenario');
const scene = {
  materials: { soil: { reflectance: 0.3, surface: { kind: 'oren-nayar', roughnessDeg: 20 } } },
  models: {
    ball: { kind: 'sphere', radiusM: 1, material: 'soil' },
    box: { kind: 'box', sizeM: [1, 1, 1], material: 'soil' },
  },
  scatters: [
    {
      name: 'a',
      model: 'ball',
      count: 3,
      areaM: [
        [0, 0],
        [1, 0],
        [1, 1],
      ],
    },
  ],
};
const data = { understory: 2, name: 'x', scene };

/** The host's problems for the document with another number at that path. */
function saidByHost(path: DocumentPath, value: number): string[] {
  const changed = structuredClone(data);
  let at: unknown = changed;
  for (const key of path.slice(0, -1)) at = (at as Record<string, unknown>)[key];
  (at as Record<string, unknown>)[path.at(-1) ?? ''] = value;
  return parseWith(scenarioSchema, changed).problems.map(({ message }) => message);
}

describe('a typed number', () => {
  it.each([
    ['a count', ['scene', 'scatters', 0, 'count'], [-4, 0, 2.5, 3e7], [1, 20_000_000]],
    ['a length', ['scene', 'models', 'ball', 'radiusM'], [-1, 0, 2e9], [0.001]],
    ['whole and of another kind', ['scene', 'models', 'ball', 'rings'], [1, 5000], [2, 64]],
    ['a part of a size', ['scene', 'models', 'box', 'sizeM', 1], [0, -2], [3]],
    ['of a variant', ['scene', 'materials', 'soil', 'surface', 'roughnessDeg'], [-1, 91], [0, 90]],
    ['a number or a spectrum', ['scene', 'materials', 'soil', 'reflectance'], [-0.1, 1.5], [0, 1]],
  ] satisfies [string, DocumentPath, number[], number[]][])(
    '%s is refused at its field exactly where the host would, in its words',
    (_, path, wrong, right) => {
      const bounds = boundsOf(schemaAt(schema, data, path));
      expect(bounds).toBeDefined();
      for (const value of wrong) {
        const said = saidByHost(path, value);
        expect(said).toHaveLength(1);
        expect(numberEntry(String(value), false, bounds)).toEqual({ problem: said[0] });
      }
      for (const value of right) {
        expect(saidByHost(path, value)).toEqual([]);
        expect(numberEntry(String(value), false, bounds)).toEqual({ value });
      }
    },
  );

  it('may be missing, or no number', () => {
    expect(numberEntry(' ', false)).toBe('empty');
    expect(numberEntry('', true)).toEqual({ problem: 'not a number' });
    expect(numberEntry('1e999', false)).toEqual({ problem: 'not a number' });
    expect(numberEntry('-1.5', false)).toEqual({ value: -1.5 });
  });

  it('is one of several: the wrong ones are distinguished', () => {
    const path = ['scene', 'models', 'box', 'sizeM'];
    const bounds = [0, 1, 2].map((part) => boundsOf(schemaAt(schema, data, [...path, part])));
    const typed = ['2', '-1', ''].map((value) => ({ value, isBad: false }));
    expect(numberEntries(typed, bounds)).toEqual({
      values: [2],
      problems: [
        { index: 1, problem: 'expected at least 0.000001, found -1', isUnfinished: false },
        { index: 2, problem: 'enter a number', isUnfinished: true },
      ],
    });
  });
});

describe('the schema of a place in a document', () => {
  it('is undefined if the schema has no entry', () => {
    expect(schemaAt(schema, data, ['scene', 'nowhere'])).toBeNull();
    expect(schemaAt(schema, data, ['scene', 'models', 'ball', 'sides'])).toBeNull();
    expect(schemaAt(schema, data, ['scene', 'models', 'box', 'sizeM', 3])).toBeNull();
  });

  it('takes missing values from their default', () => {
    const rate = schemaAt(schema, data, ['vehicle', 'gps', 'rateHz']);
    expect(boundsOf(rate)).toMatchObject({ least: 0, isLeastExcluded: true, most: 1000 });
  });
});
