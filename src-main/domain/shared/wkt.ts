// Well-known text of coordinate reference systems, versions 1 and 2, as a tree. Why not the parser below proj4: it drops
// the units of heights and of single axes, and the page imports this folder, too.

export interface WktNode {
  /** In capital letters, as 'PROJCS'. */
  keyword: string;
  /** Numbers and quoted texts as they are written. */
  values: (WktNode | string)[];
}

const maxDepth = 64;

/** The tree; null: the text is no well-known text. */
export function parseWkt(text: string): WktNode | null {
  const tokens = text.match(/"(?:[^"]|"")*"|[[\](),"]|[^\s"[\](),]+/g) ?? [];
  const open: WktNode[] = [];
  let root: WktNode | null = null;
  let word: string | null = null;
  const take = (): void => {
    if (word !== null) open.at(-1)?.values.push(word);
    word = null;
  };
  for (const token of tokens) {
    if (token === '"' || (root !== null && open.length === 0)) return null;
    if (token === '[' || token === '(') {
      if (word === null || !/^[A-Z_0-9]+$/i.test(word) || open.length === maxDepth) return null;
      const node: WktNode = { keyword: word.toUpperCase(), values: [] };
      open.at(-1)?.values.push(node);
      root ??= node;
      open.push(node);
      word = null;
    } else if (token === ',' || token === ']' || token === ')') {
      if (open.length === 0) return null;
      take();
      if (token !== ',') open.pop();
    } else {
      if (word !== null) return null;
      word = token;
    }
  }
  return open.length === 0 ? root : null;
}

export function wktText({ keyword, values }: WktNode): string {
  const texts = values.map((value) => (typeof value === 'string' ? value : wktText(value)));
  return `${keyword}[${texts.join(',')}]`;
}

/** The nodes directly below, of any of the keywords. */
export function childrenOf({ values }: WktNode, ...keywords: readonly string[]): WktNode[] {
  return values.filter(
    (value): value is WktNode => typeof value !== 'string' && keywords.includes(value.keyword),
  );
}

/** A quoted text or a number, without quotes; '': there is none. */
export function wordOf({ values }: WktNode, index: number): string {
  const value = values[index];
  if (typeof value !== 'string') return '';
  return value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value;
}
