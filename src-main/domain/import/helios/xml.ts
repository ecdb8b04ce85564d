// XML as nested elements in their order, from fast-xml-parser. Entities other than the five of XML stay text: nothing
// is expanded, and nothing outside of the file is read.
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import type { Parsed } from '#contract/documents/problems.ts';
import { refused } from '../table.ts';

export interface XmlElement {
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: XmlElement[];
}

/** Elements at most. */
const maxElements = 500_000;
/** Elements within each other at most: scenes and surveys of HELIOS++ have fewer than 10. */
const maxDepth = 64;

/** The outermost element. */
export function parseXml(text: string): Parsed<XmlElement> {
  if (/<!DOCTYPE/i.test(text))
    return refused('(file)', 'expected XML without a DOCTYPE, found one');
  if (tagsIn(text) > maxElements) {
    return refused('(file)', `expected at most ${maxElements} elements, found more`);
  }
  const valid = XMLValidator.validate(text);
  if (valid !== true) return refused(`line ${valid.err.line}`, `expected XML: ${valid.err.msg}`);
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    parseAttributeValue: false,
    ignoreDeclaration: true,
    ignorePiTags: true,
    // The outermost element is not counted.
    maxNestedTags: maxDepth - 1,
  });
  let nodes: unknown;
  try {
    nodes = parser.parse(text);
  } catch (error) {
    // The parser's own limits, of depth above all: it throws plain errors.
    const expected = `expected XML with at most ${maxDepth} elements within each other`;
    return refused('(file)', `${expected}: ${(error as Error).message}`);
  }
  const [root] = elementsOf(nodes);
  return root
    ? { value: root, problems: [] }
    : refused('(file)', 'expected an element, found none');
}

/** Children of that name. */
export function childrenOf({ children }: XmlElement, name: string): XmlElement[] {
  return children.filter((child) => child.name === name);
}

/** All descendants of that name, in the order of the file. */
export function descendantsOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...descendantsOf(child, name),
  ]);
}

/** A number of an attribute; null: it is missing. NaN: it is none. */
export function numberOf({ attributes }: XmlElement, name: string): number | null {
  const text = attributes[name]?.trim();
  if (text === undefined) return null;
  return text === '' ? NaN : Number(text);
}

/** Tags that open elements, outside of comments and CDATA. Why before the parser: it takes 3 kB for each. */
function tagsIn(text: string): number {
  let count = 0;
  for (const [tag] of text.matchAll(/<!--[^]*?(?:-->|$)|<!\[CDATA\[[^]*?(?:\]\]>|$)|<[^!?/]/g)) {
    if (tag.length === 2) count += 1;
  }
  return count;
}

/** As deep as the parser lets it: maxDepth. */
function elementsOf(nodes: unknown): XmlElement[] {
  if (!Array.isArray(nodes)) return [];
  return (nodes as Record<string, unknown>[]).flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== attributesKey && key !== textKey);
    if (name === undefined) return [];
    const attributes = (node[attributesKey] ?? {}) as Record<string, string>;
    return [{ name, attributes, children: elementsOf(node[name]) }];
  });
}

const attributesKey = ':@';
const textKey = '#text';
