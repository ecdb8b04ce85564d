import { describe, expect, it } from 'vitest';
import { fuzzyMatch } from '#renderer/logic/frame/fuzzyMatch.ts';

function best(query: string, titles: string[]): string | undefined {
  return titles
    .map((title) => ({ title, score: fuzzyMatch(query, title)?.score ?? -Infinity }))
    .filter(({ score }) => score > -Infinity)
    .sort((one, other) => other.score - one.score)[0]?.title;
}

describe('a fuzzy match', () => {
  it('takes letters in order only', () => {
    expect(fuzzyMatch('pv', 'Pause view')).not.toBeNull();
    expect(fuzzyMatch('vp', 'Pause view')).toBeNull();
    expect(fuzzyMatch('pausee', 'Pause')).toBeNull();
    expect(fuzzyMatch('', 'anything')).toEqual({ score: 0, at: [] });
  });

  it('says where the letters are, at beginnings of words where it can', () => {
    expect(fuzzyMatch('sl', 'Also save layout')?.at).toEqual([5, 10]);
    expect(fuzzyMatch('lay', 'Always save layout')?.at).toEqual([12, 13, 14]);
  });

  it('puts first what a person means', () => {
    const titles = ['Bring the drive into sight', 'Theme: light', 'Restore default layout'];
    expect(best('light', titles)).toBe('Theme: light');
    expect(best('default', titles)).toBe('Restore default layout');
    expect(best('bds', titles)).toBe('Bring the drive into sight');
    expect(best('stop', ['Show the top of it', 'Stop the drive'])).toBe('Stop the drive');
  });

  it('is the best of all matches, as trying each one shows', () => {
    // Every ascending choice of places, scored by the rules said in fuzzyMatch.ts.
    const title = 'a ab bab';
    const ways: number[] = [];
    const at = (letter: string): number[] =>
      [...title].flatMap((one, i) => (one === letter ? [i] : []));
    for (const i of at('a')) {
      for (const j of at('b').filter((one) => one > i)) {
        const starts = [i, j].filter((one) => one === 0 || title[one - 1] === ' ').length;
        const joint = j === i + 1 ? 5 : -0.2 * (j - i - 1);
        ways.push(2 + 6 * starts - 0.2 * Math.min(i, 10) + joint);
      }
    }
    expect(fuzzyMatch('ab', title)?.score).toBeCloseTo(Math.max(...ways), 9);
  });
});
