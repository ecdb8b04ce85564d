// Values as YAML, in the style of the documents of Understory: `{ a: 1, b: [1, 2] }` where it fits on a line,
// otherwise one key or item a line, lists indented below their key.
import { parse } from 'yaml';
import { isMapping } from './documentData.ts';

/** Lines are broken where they would be longer. */
const lineWidth = 110;

export interface YamlStyle {
  /** Every key and text in double quotes, as JSON has them. */
  isJson: boolean;
}

/** On one line, for any place. */
export function inlineYaml(value: unknown, style: YamlStyle): string {
  if (Array.isArray(value)) {
    return `[${value.map((item) => inlineYaml(item, style)).join(', ')}]`;
  }
  if (!isMapping(value)) return scalarYaml(value, style);
  const pairs = definedPairs(value).map(
    ([key, item]) => `${scalarYaml(key, style)}: ${inlineYaml(item, style)}`,
  );
  return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
}

/** `key: value` of a block mapping whose keys are in column `indent`; without the first line's indent. */
export function pairYaml(key: string, value: unknown, indent: number, style: YamlStyle): string {
  const inline = inlineYaml(value, style);
  const fits = indent + key.length + 2 + inline.length <= lineWidth;
  const inner = indent + 2;
  const isOneLine = inline.length === 2 || (fits && !hasListOfMappings(value));
  let lines: string[];
  if (Array.isArray(value) && !isOneLine) {
    lines = value.map((item) => `- ${itemYaml(item, inner, false, style)}`);
  } else if (isMapping(value) && !isOneLine) {
    lines = definedPairs(value).map(([name, item]) =>
      pairYaml(scalarYaml(name, style), item, inner, style),
    );
  } else {
    return `${key}: ${inline}`;
  }
  return [`${key}:`, ...lines].join(`\n${' '.repeat(inner)}`);
}

/** The text after `- ` of a block list whose dashes are in column `indent`. */
export function itemYaml(
  value: unknown,
  indent: number,
  isSpread: boolean,
  style: YamlStyle,
): string {
  const inline = inlineYaml(value, style);
  const fits = indent + 2 + inline.length <= lineWidth;
  if (!isMapping(value) || inline.length === 2 || (fits && !isSpread)) return inline;
  return definedPairs(value)
    .map(([key, item]) => pairYaml(scalarYaml(key, style), item, indent + 2, style))
    .join(`\n${' '.repeat(indent + 2)}`);
}

/** A number, text, truth value or nothing; text is quoted where it must be, on one line always. */
export function scalarYaml(value: unknown, { isJson }: YamlStyle): string {
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return '.nan';
    if (!Number.isFinite(value)) return value < 0 ? '-.inf' : '.inf';
    return String(value);
  }
  if (typeof value !== 'string') return value === undefined ? 'null' : JSON.stringify(value);
  if (isJson || !isPrintable(value)) return JSON.stringify(value);
  return isPlain(value) ? value : `'${value.replaceAll("'", "''")}'`;
}

/** Text of a folded block scalar (`>-`) whose lines are in column `indent`; null where folding would change it. */
export function foldedYaml(text: string, indent: number): string | null {
  if (/\s\s|^\s|\s$|\n/.test(text) || text === '' || !isPrintable(text)) return null;
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && indent + line.length + 1 + word.length <= lineWidth - 4) {
      lines[lines.length - 1] = `${line} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return ['>-', ...lines].join(`\n${' '.repeat(indent)}`);
}

/** Plain in flow and block alike, and read back as the same text. */
function isPlain(text: string): boolean {
  return (
    /^(?:\.{0,2}\/)?[\p{L}\d_][\p{L}\d_ .,/()+×·°%-]*$/u.test(text) &&
    !/,| $/.test(text) &&
    isText(text)
  );
}

function isText(text: string): boolean {
  // Why first: to parse each of 200,000 names as a document takes half a minute.
  if (/^[a-z][\w.-]*$/i.test(text)) return !/^(null|true|false)$/i.test(text);
  try {
    return parse(text, { prettyErrors: false }) === text;
  } catch {
    return false;
  }
}

function isPrintable(text: string): boolean {
  return /^[\t\x20-\x7e\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(text);
}

function hasListOfMappings(value: unknown): boolean {
  if (Array.isArray(value)) return value.some((item) => isMapping(item));
  return isMapping(value) && Object.values(value).some((item) => hasListOfMappings(item));
}

function definedPairs(value: Record<string, unknown>): [string, unknown][] {
  return Object.entries(value).filter(([, item]) => item !== undefined);
}
