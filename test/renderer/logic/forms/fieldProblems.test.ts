// Problems of the parts of a field, in the names that a person sees.
import { describe, expect, it } from 'vitest';
import {
  fieldProblems,
  namedLines,
  namedParts,
  plainKeys,
} from '#renderer/logic/forms/fieldProblems.ts';

const at = (...paths: string[]) => paths.map((path) => ({ path, message: 'expected a number' }));

describe('problems of a field', () => {
  it('name the part that is wrong, and mark it', () => {
    const place = namedParts(['x', 'y']);
    expect(fieldProblems(at('a.positionM[1]'), 'a.positionM', place)).toEqual({
      text: 'y: expected a number',
      parts: new Set([1]),
    });
  });

  it('mark the whole field where one is about it, and say the same once', () => {
    const { text, parts } = fieldProblems(
      at('a.m', 'a.m', 'a.m[2]'),
      'a.m',
      namedParts(['x', 'y']),
    );
    expect(text).toBe('expected a number; number 3: expected a number');
    expect(parts).toBeNull();
  });

  it('are empty if the document has no problems', () => {
    expect(fieldProblems([], 'a', plainKeys)).toEqual({ text: undefined, parts: new Set() });
  });

  it.each([
    ['areaM[0][1]', 'line 1, y'],
    ['areaM[2]', 'line 3'],
    ['areaM[1].radiusM', 'line 2, radius'],
    ['areaM[1].centreM[0]', 'line 2, x'],
    ['areaM[1].other', 'line 2, other'],
  ])('of lines name line and column: %s', (path, name) => {
    const lines = namedLines(['x', 'y'], { radiusM: 'radius' });
    expect(fieldProblems(at(path), 'areaM', lines).text).toBe(`${name}: expected a number`);
  });
});
