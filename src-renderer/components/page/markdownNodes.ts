// Markdown as nodes of Vue: text stays text, so that nothing of a document is taken for HTML.
import { h, type VNode } from 'vue';
import type { Token, Tokens } from 'marked';
import { markedPieces } from '#renderer/logic/frame/manualSections.ts';

export interface MarkdownOptions {
  /** Words that are marked, in lower case. */
  words: readonly string[];
  /** Address of a picture by its path in the document; null: it is left out. */
  pictureOf: (path: string) => string | null;
  /** Action of a click on a link; null: the link is shown as text. */
  linkOf: (path: string) => (() => void) | null;
}

type Node = VNode | string;

/** The nodes of a document, or of a part of it. */
export function markdownNodes(tokens: readonly Token[], options: MarkdownOptions): Node[] {
  return tokens.flatMap((token) => nodesOf(token, options));
}

function nodesOf(token: Token, options: MarkdownOptions): Node[] {
  const inner = (): Node[] => markdownNodes((token as Tokens.Paragraph).tokens, options);
  switch (token.type) {
    case 'heading':
      return [h(`h${(token as Tokens.Heading).depth + 1}`, { tabindex: -1 }, inner())];
    case 'paragraph':
      return [h('p', inner())];
    case 'list': {
      const items = (token as Tokens.List).items;
      return [
        h(
          'ul',
          items.map((item) => h('li', markdownNodes(item.tokens, options))),
        ),
      ];
    }
    case 'table':
      return [tableNode(token as Tokens.Table, options)];
    case 'code':
      return [
        h('pre', { class: 'card scroll', tabindex: 0 }, [
          h('code', textNodes((token as Tokens.Code).text, options)),
        ]),
      ];
    case 'codespan':
      return [h('code', textNodes((token as Tokens.Codespan).text, options))];
    case 'strong':
    case 'em':
      return [h(token.type, inner())];
    case 'link':
      return linkNodes(token as Tokens.Link, options, inner());
    case 'image':
      return pictureNodes(token as Tokens.Image, options);
    case 'space':
      return [];
    default: {
      const { tokens } = token as { tokens?: Token[] };
      if (tokens !== undefined) return inner();
      return textNodes((token as Tokens.Text).text, options);
    }
  }
}

function tableNode({ header, rows }: Tokens.Table, options: MarkdownOptions): VNode {
  const cells = (tag: string, row: Tokens.TableCell[]): VNode =>
    h(
      'tr',
      row.map(({ tokens }) => h(tag, markdownNodes(tokens, options))),
    );
  return h('table', [
    h('thead', [cells('th', header)]),
    h(
      'tbody',
      rows.map((row) => cells('td', row)),
    ),
  ]);
}

function linkNodes({ href }: Tokens.Link, { linkOf }: MarkdownOptions, inner: Node[]): Node[] {
  const open = linkOf(href);
  if (open === null) return inner;
  return [h('button', { class: 'link', type: 'button', onClick: open }, inner)];
}

function pictureNodes({ href, text }: Tokens.Image, { pictureOf }: MarkdownOptions): Node[] {
  const src = pictureOf(href);
  return src === null ? [] : [h('img', { src, alt: text, class: 'card' })];
}

function textNodes(text: string, { words }: MarkdownOptions): Node[] {
  return markedPieces(text, words).map((piece) =>
    piece.isHit ? h('mark', piece.text) : piece.text,
  );
}
