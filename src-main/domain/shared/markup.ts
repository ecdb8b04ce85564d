// HTML and SVG as text. Guarantees: a text that is inserted is never markup, unless it was made here.

/** Text that is markup already. */
export interface Markup {
  readonly markup: string;
}

export type Insert = string | number | Markup | readonly Markup[];

/** A template of markup: texts and numbers between its parts are escaped, markup is not. */
export function markup(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  const texts = parts.map((part, index) => part + textOf(inserts[index] ?? ''));
  return { markup: texts.join('') };
}

/** Text that a program wrote, such as base64 or a script: never text from a run. */
export function verbatim(text: string): Markup {
  return { markup: text };
}

/** A text for elements and for attributes in quotation marks. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** JSON for a script element: no text in it can end the element. */
export function scriptJson(value: unknown): Markup {
  return { markup: JSON.stringify(value).replaceAll('<', '\\u003c') };
}

function textOf(insert: Insert): string {
  if (typeof insert === 'string') return escapeHtml(insert);
  if (typeof insert === 'number') return String(insert);
  return 'markup' in insert ? insert.markup : insert.map((one) => one.markup).join('\n');
}
