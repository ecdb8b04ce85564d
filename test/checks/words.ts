// Finds the phrases of words.txt in a text. Pure; test/checks/checkWords.ts applies it to all files.

export interface WordRule {
  /** As written in words.txt. */
  phrase: string;
  pattern: RegExp;
  replacement: string;
}

export interface FoundWord {
  /** From 1. */
  line: number;
  phrase: string;
  replacement: string;
}

/** The rules of words.txt. @throws Error for a line that is neither a comment nor `phrase = replacement`. */
export function readWordRules(text: string): WordRule[] {
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const [, phrase, replacement] = /^(\S.*?) = (\S.*)$/.exec(line) ?? [];
    if (phrase === undefined || replacement === undefined) {
      throw new Error(`words.txt:${index + 1}: expected "phrase = replacement"`);
    }
    return [{ phrase, pattern: patternOf(phrase), replacement }];
  });
}

/** Every rule that a line of the text breaks, once for each line, in the order of lines. */
export function findWords(text: string, rules: readonly WordRule[]): FoundWord[] {
  return text
    .split('\n')
    .flatMap((content, index) =>
      rules
        .filter(({ pattern }) => pattern.test(content))
        .map(({ phrase, replacement }) => ({ line: index + 1, phrase, replacement })),
    );
}

/** Between slashes an expression as it is; otherwise whole words in any case and any spacing. */
function patternOf(phrase: string): RegExp {
  const [, expression] = /^\/(.+)\/$/.exec(phrase) ?? [];
  if (expression !== undefined) return new RegExp(expression, 'u');
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replaceAll(' ', '\\s+');
  return new RegExp(`(?<![\\p{L}\\d])${escaped}(?![\\p{L}\\d])`, 'iu');
}
