// Edits of a document as changes of its text alone: everything outside them keeps every byte. Where there
// is no simple change (null), or where the result would be wrong, editDocument.ts uses another method.
import { isAlias, isMap, isNode, isPair, isScalar, isSeq } from 'yaml';
import type { Document, Pair, YAMLMap, YAMLSeq } from 'yaml';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { foldedYaml, inlineYaml, itemYaml, pairYaml, scalarYaml } from './yamlText.ts';
import type { YamlStyle } from './yamlText.ts';

/** Puts `text` in the place of the characters from `from` to before `to`. */
export interface Splice {
  from: number;
  to: number;
  text: string;
}

/** A text and what it was parsed to. */
export interface Source {
  text: string;
  document: Document.Parsed;
}

type Path = readonly (string | number)[];
type Collection = YAMLMap | YAMLSeq;

/** A value in the document: what holds it, and as which item. */
interface Place {
  parent: Collection;
  index: number;
  /** The entry of a mapping; null for a list item. */
  pair: Pair | null;
  node: unknown;
}

const widestInline = 110;

/** The text after the splices, which do not overlap; equal places keep their order. */
export function spliced(text: string, splices: readonly Splice[]): string {
  let at = 0;
  const parts: string[] = [];
  for (const splice of splices.toSorted((one, other) => one.from - other.from)) {
    parts.push(text.slice(at, splice.from), splice.text);
    at = splice.to;
  }
  return [...parts, text.slice(at)].join('');
}

/** Replaces a value that is there, where that touches nothing else: such splices can be made at once. */
export function replacement(source: Source, path: Path, value: unknown): Splice | null {
  const place = placeOf(source, path);
  if (place === null) return null;
  return replacePlace(source, place, value);
}

/** The changes of an edit in the text. */
export function splicesOf(source: Source, { path, op, value }: DocumentEdit): Splice[] | null {
  const place = placeOf(source, path);
  switch (op) {
    case 'remove':
      return place === null ? null : removePlace(source, place, path);
    case 'rename': {
      const key = place?.pair?.key;
      if (!isNode(key) || !key.range || typeof value !== 'string') return null;
      return [{ from: key.range[0], to: key.range[1], text: scalarYaml(value, styleOf(source)) }];
    }
    case 'set':
      return place === null
        ? addValue(source, path, value)
        : one(replacePlace(source, place, value));
    case 'insert':
      return addValue(source, path, value);
  }
}

/** Every alias replaced by its value. */
export function aliasSplices(source: Source): Splice[] {
  const splices: Splice[] = [];
  const visit = (node: unknown): void => {
    if (isAlias(node) && node.range) {
      const value: unknown = node.toJS(source.document);
      const [from, to] = node.range;
      splices.push({ from, to, text: inlineYaml(value, styleOf(source)) });
    } else if (isPair(node)) {
      visit(node.key);
      visit(node.value);
    } else if (isMap(node) || isSeq(node)) {
      for (const item of node.items) visit(item);
    }
  };
  visit(source.document.contents);
  return splices;
}

function replacePlace(source: Source, place: Place, value: unknown): Splice | null {
  const { text } = source;
  const { node, parent, pair } = place;
  if (!isNode(node) || !node.range) return null;
  const [from, to] = node.range;
  const style = isScalar(node) && node.type === 'QUOTE_DOUBLE' ? { isJson: true } : styleOf(source);
  const inline = inlineYaml(value, style);
  const isBlock = parent.flow !== true && !styleOf(source).isJson;
  const wasInline = isInline(node);
  const fits = columnOf(text, from) + inline.length <= widestInline || !isCompound(value);
  if (!isBlock || (wasInline && fits && !hasMappingInList(value))) {
    if (!wasInline) return null;
    return { from, to, text: from === to ? ` ${inline}` : inline };
  }
  const end = endOf(text, node) ?? to;
  if (pair !== null && isNode(pair.key) && pair.key.range) {
    const [start, keyEnd] = pair.key.range;
    const key = text.slice(start, keyEnd);
    const column = columnOf(text, start);
    const folded = typeof value === 'string' ? foldedYaml(value, column + 2) : null;
    const isFolded = isScalar(node) && node.type === 'BLOCK_FOLDED' && folded !== null;
    const written = isFolded ? `${key}: ${folded}` : pairYaml(key, value, column, style);
    return { from: start, to: end, text: lines(source, written) };
  }
  const dash = dashOf(source, place);
  if (dash === null) return null;
  const written = itemYaml(value, columnOf(text, dash), isMap(node) && !node.flow, style);
  return { from, to: end, text: lines(source, written) };
}

/** Adds a value that is not there, with its missing parents. */
function addValue(source: Source, path: Path, value: unknown): Splice[] | null {
  for (let depth = path.length - 1; depth >= 0; depth -= 1) {
    const holder = depth === 0 ? source.document.contents : nodeAt(source, path.slice(0, depth));
    if (holder === undefined) continue;
    const [key = '', ...rest] = path.slice(depth);
    const added = wrapped(rest, value);
    if (isMap(holder) && holder.items.length > 0) return one(addPair(source, holder, key, added));
    if (isSeq(holder) && holder.items.length > 0) {
      return typeof key === 'number' ? one(addItem(source, holder, key, added)) : null;
    }
    const whole = typeof key === 'number' ? [added] : { [key]: added };
    const isEmpty = isMap(holder) || isSeq(holder) || (isScalar(holder) && holder.value === null);
    return depth === 0 || !isEmpty ? null : one(replacement(source, path.slice(0, depth), whole));
  }
  return null;
}

function addPair(
  source: Source,
  map: YAMLMap,
  key: string | number,
  value: unknown,
): Splice | null {
  const { text } = source;
  const style = styleOf(source);
  const [first, last] = [startOf(map.items[0]), endOf(text, map.items.at(-1))];
  if (first === null || last === null) return null;
  const name = scalarYaml(String(key), style);
  if (map.flow === true) {
    return {
      from: last,
      to: last,
      text: `${gap(source, map)}${name}: ${inlineYaml(value, style)}`,
    };
  }
  const column = columnOf(text, first);
  const end = lineEnd(text, last);
  const written = `\n${' '.repeat(column)}${pairYaml(name, value, column, style)}`;
  return { from: end, to: end, text: lines(source, written) };
}

function addItem(source: Source, list: YAMLSeq, index: number, value: unknown): Splice | null {
  const { text } = source;
  const style = styleOf(source);
  const next = startOf(list.items[index]);
  const before = endOf(text, list.items[index - 1]);
  if (list.flow === true) {
    const written = inlineYaml(value, style);
    if (before !== null) return { from: before, to: before, text: gap(source, list) + written };
    return next === null ? null : { from: next, to: next, text: `${written}, ` };
  }
  const neighbour = list.items[Math.max(0, index - 1)];
  const isSpread = isMap(neighbour) && neighbour.flow !== true;
  const dash = dashOf(source, { parent: list, index: Math.max(0, index - 1), node: neighbour });
  if (dash === null) return null;
  const column = columnOf(text, dash);
  const written = `- ${itemYaml(value, column, isSpread, style)}`;
  const pause = hasBlankLines(source, list) ? '\n\n' : '\n';
  const indent = ' '.repeat(column);
  if (before === null) {
    return { from: dash, to: dash, text: lines(source, `${written}${pause}${indent}`) };
  }
  const end = lineEnd(text, before);
  return { from: end, to: end, text: lines(source, `${pause}${indent}${written}`) };
}

function removePlace(source: Source, place: Place, path: Path): Splice[] | null {
  const { text } = source;
  const { parent, index, pair } = place;
  const count = parent.items.length;
  const start = pair === null ? startOf(parent.items[index]) : startOf(pair);
  const end = endOf(text, parent.items[index]);
  if (start === null || end === null) return null;
  if (parent.flow === true) {
    if (index + 1 < count) {
      const next = startOf(parent.items[index + 1]);
      return next === null ? null : [{ from: start, to: next, text: '' }];
    }
    const before = endOf(text, parent.items[index - 1]);
    if (before !== null) return [{ from: before, to: end, text: '' }];
    const range = parent.range;
    return range ? [{ from: range[0] + 1, to: range[1] - 1, text: '' }] : null;
  }
  const first = pair === null ? dashOf(source, place) : start;
  if (first === null) return null;
  if (count === 1) return removeLast(source, place, path, { first, end });
  const lineStart = lineStartOf(text, first);
  if (text.slice(lineStart, first).trim() === '') {
    return [wholeLines(text, lineStart, lineEnd(text, end), index === count - 1)];
  }
  // The first key of a list's item is on the line of its dash.
  const next = startOf(parent.items[index + 1]);
  if (pair === null || next === null || text.slice(end, next).trim() !== '') return null;
  return [{ from: start, to: next, text: '' }];
}

/** The only item goes: the collection stays, empty, and comments around the item stay too. */
function removeLast(
  source: Source,
  { parent }: Place,
  path: Path,
  { first, end }: { first: number; end: number },
): Splice[] | null {
  const { text } = source;
  const holder = placeOf(source, path.slice(0, -1));
  const key = holder?.pair?.key;
  const lineStart = lineStartOf(text, first);
  if (!isNode(key) || !key.range || text.slice(lineStart, first).trim() !== '') return null;
  const colon = text.indexOf(':', key.range[1]) + 1;
  const empty = isMap(parent) ? ' {}' : ' []';
  return [
    { from: colon, to: colon, text: empty },
    wholeLines(text, lineStart, lineEnd(text, end), true),
  ];
}

/** Lines that go with their line break, and with the blank lines that set them off. */
function wholeLines(text: string, from: number, end: number, isLast: boolean): Splice {
  const before = /\n([ \t]*\r?\n)+$/.exec(text.slice(0, from));
  const after = /^\r?\n(?:[ \t]*\r?\n)*/.exec(text.slice(end))?.[0] ?? '';
  const oneBreak = /^\r?\n/.exec(after)?.[0] ?? '';
  if (isLast && before !== null)
    return { from: before.index + 1, to: end + oneBreak.length, text: '' };
  return { from, to: end + (isLast ? oneBreak : after).length, text: '' };
}

/** The separator of items of a flow collection: a comma, and a line break where the collection has lines. */
function gap({ text }: Source, collection: Collection): string {
  const [open = 0] = collection.range ?? [];
  const last = startOf(collection.items.at(-1)) ?? open;
  const lineStart = lineStartOf(text, last);
  const isOnOwnLine = lineStart > open && text.slice(lineStart, last).trim() === '';
  return isOnOwnLine
    ? `,${text.slice(0, lineStart).endsWith('\r\n') ? '\r' : ''}\n${text.slice(lineStart, last)}`
    : ', ';
}

function hasBlankLines({ text }: Source, list: YAMLSeq): boolean {
  const [end, next] = [endOf(text, list.items[0]), startOf(list.items[1])];
  return end !== null && next !== null && /\n[ \t]*\r?\n/.test(text.slice(end, next));
}

function placeOf(source: Source, path: Path): Place | null {
  const key = path.at(-1);
  const parent = path.length === 1 ? source.document.contents : nodeAt(source, path.slice(0, -1));
  if (key === undefined || (!isMap(parent) && !isSeq(parent))) return null;
  if (isSeq(parent)) {
    const node = typeof key === 'number' ? parent.items[key] : undefined;
    return node === undefined ? null : { parent, index: key as number, pair: null, node };
  }
  const index = parent.items.findIndex(
    (pair) => isScalar(pair.key) && String(pair.key.value) === String(key),
  );
  const pair = parent.items[index];
  return pair === undefined ? null : { parent, index, pair, node: pair.value };
}

/** The node of a path as it is written: undefined beyond an alias, which belongs to another place. */
function nodeAt(source: Source, path: Path): unknown {
  return placeOf(source, path)?.node ?? undefined;
}

/** Where the dash of a block list's item is. */
function dashOf(
  { text }: Source,
  { parent, node }: Pick<Place, 'parent' | 'index' | 'node'>,
): number | null {
  const start = startOf(node);
  if (!isSeq(parent) || parent.flow === true || !parent.range || start === null) return null;
  const column = columnOf(text, parent.range[0]);
  for (let line = lineStartOf(text, start); ; line = lineStartOf(text, line - 1)) {
    if (line + column < start && text[line + column] === '-') return line + column;
    if (line <= parent.range[0]) return null;
  }
}

function startOf(item: unknown): number | null {
  if (isPair(item)) return startOf(item.key);
  return isNode(item) && item.range ? item.range[0] : null;
}

/** End of the last text of an item, without comments and line breaks after it. */
function endOf(text: string, item: unknown): number | null {
  if (isPair(item)) return endOf(text, item.value) ?? endOf(text, item.key);
  if (!isNode(item) || !item.range) return null;
  const [from, to] = item.range;
  if ((isMap(item) || isSeq(item)) && item.flow !== true && item.items.length > 0) {
    return endOf(text, item.items.at(-1));
  }
  return isInline(item) ? to : from + text.slice(from, to).trimEnd().length;
}

function isInline(node: unknown): boolean {
  if (isMap(node) || isSeq(node)) return node.flow === true;
  return !isScalar(node) || !/^BLOCK/.test(node.type ?? '');
}

function styleOf({ document: { contents } }: Source): YamlStyle {
  if (!isMap(contents) || contents.flow !== true) return { isJson: false };
  const key = contents.items[0]?.key;
  return { isJson: isScalar(key) && key.type === 'QUOTE_DOUBLE' };
}

/** With the line breaks of the document. */
function lines({ text }: Source, written: string): string {
  return text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
}

function wrapped(path: Path, value: unknown): unknown {
  return path.reduceRight((inner: unknown, key) => {
    return typeof key === 'number' ? [inner] : { [key]: inner };
  }, value);
}

function isCompound(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function hasMappingInList(value: unknown): boolean {
  return Array.isArray(value) && value.some((item) => isCompound(item) && !Array.isArray(item));
}

function lineStartOf(text: string, offset: number): number {
  return offset <= 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - lineStartOf(text, offset);
}

/** Before the line break. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  if (at < 0) return text.length;
  return text[at - 1] === '\r' && at > offset ? at - 1 : at;
}

function one(splice: Splice | null): Splice[] | null {
  return splice === null ? null : [splice];
}
