// A YAML text, parsed once for everybody who asks: what it says, and where. Guarantees: aliases add little to it; what
// comes out is shared and must not be changed.
import { isAlias, isMap, isPair, isSeq, LineCounter, parseDocument, type Document } from 'yaml';

export interface ParsedText {
  document: Document.Parsed;
  lines: LineCounter;
  /** The contents; null where there are faults. */
  data: unknown;
  /** The first, with its place in the text; null: there is none. */
  fault: { message: string; pos: readonly [number, number] } | null;
}

/** Values that aliases repeat, in all: a document that says more than it holds is not read. */
const maxRepeated = 100_000;

/**
 * Larger texts are not remembered: what they parse to takes hundreds of bytes a letter. Long ones are parsed on a
 * thread that ends when it is idle (hosts/node/textThread.ts).
 */
const maxKnownLetters = 4_000_000;

/** Why some: a scenario, its sensors and a setting are parsed in turn. */
const maxKnownTexts = 16;

/** By text; the one that was asked for last is last. */
const known = new Map<string, ParsedText>();
let knownLetters = 0;

/** Parses a text, or gives what it parsed to before. */
export function parseYaml(text: string): ParsedText {
  const before = known.get(text);
  if (before !== undefined) {
    known.delete(text);
    known.set(text, before);
    return before;
  }
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  });
  // Why the first alone: what follows an error of syntax is misread, in hundreds of errors more.
  const fault = syntaxFault(document, text) ?? faultOf(document, () => repetitionFault(document));
  const parsed =
    fault === null ? converted(document, lines) : { document, lines, data: null, fault };
  if (text.length <= maxKnownLetters) remember(text, parsed);
  return parsed;
}

function remember(text: string, parsed: ParsedText): void {
  known.set(text, parsed);
  knownLetters += text.length;
  for (const oldest of known.keys()) {
    if (known.size <= maxKnownTexts && knownLetters <= maxKnownLetters) return;
    known.delete(oldest);
    knownLetters -= oldest.length;
  }
}

/** The first error of syntax, in words of our own where the library speaks to programmers. */
function syntaxFault(document: Document.Parsed, text: string): ParsedText['fault'] {
  const nul = text.indexOf('\0');
  if (nul >= 0) return { message: 'expected text, found a NUL character', pos: [nul, nul] };
  const [error] = document.errors;
  if (error === undefined) return null;
  const { code, message, pos } = error;
  if (code === 'MULTIPLE_DOCS') return { message: 'expected one document, found more', pos };
  const isTooDeep = message.includes('call stack');
  return { message: isTooDeep ? 'expected less nesting' : message, pos };
}

/** Aliases to nothing, and values that contain themselves, show only on conversion. */
function converted(document: Document.Parsed, lines: LineCounter): ParsedText {
  let data: unknown = null;
  const fault = faultOf(document, () => {
    data = document.toJS();
    return null;
  });
  return { document, lines, data: fault === null ? data : null, fault };
}

/** The result of `look`, or the fault it meets. */
function faultOf(document: Document.Parsed, look: () => ParsedText['fault']): ParsedText['fault'] {
  try {
    return look();
  } catch (error) {
    const isTooDeep = error instanceof RangeError;
    const message = isTooDeep ? 'expected less nesting' : (error as Error).message;
    const [start] = document.range;
    return { message, pos: [start, start] };
  }
}

function repetitionFault(document: Document.Parsed): ParsedText['fault'] {
  const sizes = new Map<string, number>();
  let repeated = 0;
  let at: readonly [number, number] | null = null;
  const sizeOf = (node: unknown): number => {
    if (isAlias(node)) {
      const size = sizes.get(node.source) ?? 0;
      repeated += size;
      if (repeated > maxRepeated) at ??= [node.range?.[0] ?? 0, node.range?.[1] ?? 0];
      return size;
    }
    let size = 1;
    if (isPair(node)) size = sizeOf(node.key) + sizeOf(node.value);
    else if (isMap(node) || isSeq(node)) {
      for (const item of node.items) size += sizeOf(item);
    }
    const anchor = isPair(node) ? undefined : anchorOf(node);
    if (anchor !== undefined) sizes.set(anchor, size);
    return size;
  };
  sizeOf(document.contents);
  if (at === null) return null;
  return { message: `expected aliases that repeat at most ${maxRepeated} values`, pos: at };
}

function anchorOf(node: unknown): string | undefined {
  return typeof node === 'object' && node !== null && 'anchor' in node
    ? (node.anchor as string | undefined)
    : undefined;
}
