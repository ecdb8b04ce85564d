// Sections of the manual and the search in them.
import { describe, expect, it } from 'vitest';
import type { ManualPage } from '#contract/host/manualMethods.ts';
import {
  findSections,
  manualSections,
  markedPieces,
} from '#renderer/logic/frame/manualSections.ts';

const pages: ManualPage[] = [
  {
    name: 'scenarios',
    title: 'Scenarios',
    text: '# Scenarios\n\nA **scenario** is a [file](surveys.md).\n\n## Ground\n\n- a plane\n- `terrain`\n',
  },
  {
    name: 'surveys',
    title: 'Surveys',
    text: '# Surveys\n\n| pose | file |\n| --- | --- |\n| TUM | poses.txt |\n\n```sh\nscan it\n```\n',
  },
];
const sections = manualSections(pages);

it('has a section for each heading, with its text as one line', () => {
  expect(sections).toEqual([
    { page: 'scenarios', title: 'Scenarios', heading: 'Scenarios', text: 'A scenario is a file.' },
    { page: 'scenarios', title: 'Scenarios', heading: 'Ground', text: 'a plane terrain' },
    {
      page: 'surveys',
      title: 'Surveys',
      heading: 'Surveys',
      text: 'pose file TUM poses.txt scan it',
    },
  ]);
});

describe('a search', () => {
  const headings = (search: string): string[] =>
    findSections(sections, search).map(({ heading }) => heading);

  it('finds sections with all of its words in any case; those of headings first', () => {
    expect(headings('')).toEqual([]);
    expect(headings('FILE')).toEqual(['Scenarios', 'Surveys']);
    expect(headings('file surveys')).toEqual(['Surveys']);
    expect(headings('terrain scenario')).toEqual(['Ground']);
    expect(headings('ground')).toEqual(['Ground']);
    expect(headings('file absent')).toEqual([]);
  });

  it('shows words around the first hit', () => {
    const text = `${'before '.repeat(20)}needle${' after'.repeat(40)}`;
    const [found] = findSections([{ page: 'app', title: 'T', heading: 'H', text }], 'needle');
    expect(found?.excerpt).toMatch(/^… (before )+needle( after)+ …$/);
    expect(found?.excerpt.length).toBeLessThan(160);
    const short = findSections(sections, 'plane')[0];
    expect(short?.excerpt).toBe('a plane terrain');
  });

  it('marks its words, which are no pattern', () => {
    expect(markedPieces('A (b) and B', ['(b)'])).toEqual([
      { text: 'A ', isHit: false },
      { text: '(b)', isHit: true },
      { text: ' and B', isHit: false },
    ]);
    expect(markedPieces('one', [])).toEqual([{ text: 'one', isHit: false }]);
  });
});
