// Unsaved texts over a reload: as they were, junk left out, and never more than what a tab can keep.
import { describe, expect, it } from 'vitest';
import { draftsText, isDraftOf, readDrafts } from '#renderer/logic/forms/drafts.ts';

const draft = (text: string) => ({ text, savedText: 'a: 1\n', hash: 'h' });

describe('drafts that are kept', () => {
  it('come back in their order, without the state of the page', () => {
    const drafts = new Map([
      ['box', { ...draft('a: 2\n'), past: [1, 2, 3] }],
      ['/my/yard.yaml', { ...draft('a: 3\n'), past: [] }],
    ]);
    expect([...readDrafts(draftsText(drafts))]).toEqual([
      ['box', draft('a: 2\n')],
      ['/my/yard.yaml', draft('a: 3\n')],
    ]);
  });

  it.each([
    ['nothing', null],
    ['no JSON', '[{'],
    ['no list', '{"text":"a"}'],
    ['drafts without a text', '[7, null, {"document":"box","savedText":"","hash":""}]'],
  ])('are none where there is junk: %s', (_, text) => {
    expect(readDrafts(text).size).toBe(0);
  });

  it('are bounded: the earlier ones go first', () => {
    const drafts = ['a', 'b', 'c'].map((name) => [name, draft('x'.repeat(40))] as const);
    // Each: 1 of its name, 40 of its text, 5 of the text before.
    expect([...readDrafts(draftsText(drafts, 3 * 46)).keys()]).toEqual(['a', 'b', 'c']);
    expect([...readDrafts(draftsText(drafts, 3 * 46 - 1)).keys()]).toEqual(['b', 'c']);
    expect([...readDrafts(draftsText(drafts, 10)).keys()]).toEqual([]);
  });
});

describe('a draft', () => {
  it('fits a file without changes since', () => {
    expect(isDraftOf(draft('a: 2\n'), { text: 'a: 1\n', hash: 'other' })).toBe(true);
    expect(isDraftOf(draft('a: 2\n'), { text: 'b: 1\n', hash: 'h' })).toBe(true);
    expect(isDraftOf(draft('a: 2\n'), { text: 'b: 1\n', hash: 'other' })).toBe(false);
    // Texts that were dropped on the page have no file, and the same hash: none.
    const dropped = { ...draft('a: 2\n'), hash: '' };
    expect(isDraftOf(dropped, { text: 'b: 1\n', hash: '' })).toBe(false);
    expect(isDraftOf(dropped, { text: 'a: 1\n', hash: '' })).toBe(true);
  });
});
