// Finding a title by a few of its letters: 'slt' finds 'Save layout'. Beginnings of words count most, letters in
// a row next; what is far apart or late counts less.

export interface FuzzyMatch {
  /** Larger is better; comparable between titles for one query. */
  score: number;
  /** Places of the query's letters in the title, ascending: to be marked. */
  at: number[];
}

const wordStartScore = 6;
const inRowScore = 5;
const letterScore = 1;
/** Taken off for each letter skipped between two that match. */
const gapCost = 0.2;

/** Null where not all letters of the query are in the title in order. Case and spaces do not matter. */
export function fuzzyMatch(query: string, title: string): FuzzyMatch | null {
  const letters = [...query.toLowerCase()].filter((letter) => letter.trim() !== '');
  const text = title.toLowerCase();
  if (letters.length === 0) return { score: 0, at: [] };
  // best[i]: the best match of the letters so far that ends at place i of the title.
  let best: (FuzzyMatch | null)[] = [];
  letters.forEach((letter, index) => {
    const next: (FuzzyMatch | null)[] = Array.from(text, () => null);
    let before: FuzzyMatch | null = null;
    for (let i = 0; i < text.length; i += 1) {
      if (text[i] === letter) {
        const own = letterScore + (isWordStart(title, i) ? wordStartScore : 0);
        if (index === 0) {
          next[i] = { score: own - gapCost * Math.min(i, 10), at: [i] };
        } else {
          const row = best[i - 1] ?? null;
          const joined = row === null ? null : { ...row, score: row.score + inRowScore };
          const from = better(joined, before);
          if (from !== null) next[i] = { score: from.score + own, at: [...from.at, i] };
        }
      }
      // Why after: a letter that ends at i - 1 is in a row, not across a gap.
      const ended = best[i] ?? null;
      before = better(ended, before === null ? null : { ...before, score: before.score - gapCost });
    }
    best = next;
  });
  return best.reduce<FuzzyMatch | null>(better, null);
}

function better(one: FuzzyMatch | null, other: FuzzyMatch | null): FuzzyMatch | null {
  if (one === null || other === null) return one ?? other;
  return other.score > one.score ? other : one;
}

function isWordStart(title: string, at: number): boolean {
  const before = title[at - 1];
  return before === undefined || /[\s:/·(-]/.test(before);
}
