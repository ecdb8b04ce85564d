import { expect, it } from 'vitest';
import { escapeHtml, markup, scriptJson, verbatim } from '#domain/shared/markup.ts';

it('escapes texts, and leaves markup and numbers as they are', () => {
  const inner = markup`<b title="${'"x" & \'y\''}">${'<script>'}</b>`;
  expect(inner.markup).toBe('<b title="&quot;x&quot; &amp; &#39;y&#39;">&lt;script&gt;</b>');
  expect(markup`<p>${inner}${2}${[verbatim('<i>'), inner]}</p>`.markup).toBe(
    `<p>${inner.markup}2<i>\n${inner.markup}</p>`,
  );
  expect(escapeHtml('a<b')).toBe('a&lt;b');
});

it('writes JSON that cannot end its script', () => {
  const value = { name: '</script><!--' };
  const { markup: text } = scriptJson(value);
  expect(text).not.toContain('<');
  expect(JSON.parse(text)).toEqual(value);
});
