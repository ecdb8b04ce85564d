// The manual as sections, which a search finds by their words.
import { lexer, type Token, type Tokens, type TokensList } from 'marked';
import type { ManualPage, ManualPageName } from '#contract/host/manualMethods.ts';

/** A page from a heading to the next one. */
export interface ManualSection {
  page: ManualPageName;
  /** The title of the page. */
  title: string;
  /** The heading of the section; the first one has the title. */
  heading: string;
  /** The text that is read, code included, in one line. */
  text: string;
}

export interface FoundSection extends ManualSection {
  /** Words around the first hit. */
  excerpt: string;
}

export function parsedPage({ text }: Pick<ManualPage, 'text'>): TokensList {
  return lexer(text);
}

/** Sections in the order of reading; every page begins with its title. */
export function manualSections(pages: readonly ManualPage[]): ManualSection[] {
  return pages.flatMap((page) => {
    const sections: ManualSection[] = [];
    for (const token of parsedPage(page)) {
      if (token.type === 'heading') {
        const { name, title } = page;
        sections.push({ page: name, title, heading: plainText(token), text: '' });
        continue;
      }
      const last = sections.at(-1);
      if (last !== undefined) last.text = `${last.text} ${plainText(token)}`.trim();
    }
    return sections;
  });
}

/** Words of a search in lower case; none where it is empty. */
export function searchWords(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Sections with every word of a search; those with a word in the heading or title first. */
export function findSections(sections: readonly ManualSection[], search: string): FoundSection[] {
  const words = searchWords(search);
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, rank: rankOf(section, words) }))
    .filter(({ rank }) => rank > 0)
    .sort((one, other) => other.rank - one.rank)
    .map(({ section }) => ({ ...section, excerpt: excerptOf(section.text, words) }));
}

/** Pieces of a text, those that are words of a search marked. */
export function markedPieces(
  text: string,
  words: readonly string[],
): { text: string; isHit: boolean }[] {
  if (words.length === 0) return [{ text, isHit: false }];
  const escaped = words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return text
    .split(new RegExp(`(${escaped.join('|')})`, 'gi'))
    .map((piece, index) => ({ text: piece, isHit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** 0: a word is missing. */
function rankOf({ title, heading, text }: ManualSection, words: readonly string[]): number {
  const [head, all] = [heading.toLowerCase(), `${title} ${heading} ${text}`.toLowerCase()];
  if (!words.every((word) => all.includes(word))) return 0;
  const inHeading = words.filter((word) => head.includes(word)).length;
  const inTitle = words.filter((word) => title.toLowerCase().includes(word)).length;
  return 1 + 2 * inHeading + inTitle;
}

const wordsAround = { before: 40, after: 100 };

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const hits = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const at = hits.length === 0 ? 0 : Math.min(...hits);
  const start = at <= wordsAround.before ? 0 : text.indexOf(' ', at - wordsAround.before) + 1;
  const end = text.lastIndexOf(' ', at + wordsAround.after);
  const isWhole = text.length <= at + wordsAround.after;
  const cut = isWhole ? text.slice(start) : text.slice(start, end > at ? end : undefined);
  return `${start > 0 ? '… ' : ''}${cut}${isWhole ? '' : ' …'}`;
}

/** Text of a token without its marks; pictures give their description. */
function plainText(token: Token): string {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows]
      .map((row) => row.map(({ tokens }) => plainTexts(tokens)).join(' '))
      .join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(plainText).join(' ');
  const { tokens } = token as { tokens?: Token[] };
  const text =
    tokens === undefined ? ((token as { text?: string }).text ?? '') : plainTexts(tokens);
  return text.replace(/\s+/g, ' ');
}

function plainTexts(tokens: readonly Token[]): string {
  return tokens.map(plainText).join('');
}
