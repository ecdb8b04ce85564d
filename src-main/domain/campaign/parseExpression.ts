// The language of measures and conditions: numbers, 'texts', names, calls, arithmetic, comparisons, and, or, not, in.
// A text of any content gives a tree or one fault with its position; no input throws.
import {
  comparisons,
  type BinaryOp,
  type Expression,
  type ExpressionFault,
} from '#contract/host/expression.ts';

export type ParsedExpression =
  { value: Expression; fault: null } | { value: null; fault: ExpressionFault };

/** How deep an expression may be: the parser and its readers are recursive. */
const maxDepth = 60;

type Token =
  | { kind: 'number'; value: number; at: number }
  | { kind: 'text'; value: string; at: number }
  | { kind: 'name'; value: string; at: number }
  | { kind: 'sign'; value: string; at: number }
  | { kind: 'end'; value: ''; at: number };

/**
 * The tree of a text. From weak to strong: or, and, not, comparisons and in, + and -, * and /, minus. Comparisons do
 * not chain. Texts are in single or double quotes, without escapes. Names may have dots: campaign.density.
 */
export function parseExpression(text: string): ParsedExpression {
  try {
    const tokens = tokensOf(text);
    const reader = createReader(tokens);
    const value = reader.expression();
    reader.expectEnd();
    return { value, fault: null };
  } catch (error) {
    if (error instanceof Fault)
      return { value: null, fault: { at: error.at, message: error.message } };
    throw error;
  }
}

/** A fault as a person reads it, with the column from 1. */
export function faultText({ at, message }: ExpressionFault): string {
  return `${message} (column ${at + 1})`;
}

class Fault extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}

const tokenPattern =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)|(?<text>'[^']*'|"[^"]*")|(?<name>[a-z_]\w*(?:\.[a-z_]\w*)*)|(?<sign><=|>=|!=|<>|==|[-+*/()=<>,]))/iy;

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (/\S/.test(text.slice(at))) {
    tokenPattern.lastIndex = at;
    const match = tokenPattern.exec(text);
    const start = at + (/^\s*/.exec(text.slice(at))?.[0].length ?? 0);
    if (match?.groups === undefined) {
      const found = text[start] ?? '';
      const isQuote = found === "'" || found === '"';
      throw new Fault(
        start,
        isQuote ? 'expected a closing quote' : `expected an expression, found '${found}'`,
      );
    }
    const { number, text: quoted, name, sign = '' } = match.groups;
    if (number !== undefined) tokens.push({ kind: 'number', value: Number(number), at: start });
    else if (quoted !== undefined)
      tokens.push({ kind: 'text', value: quoted.slice(1, -1), at: start });
    else if (name !== undefined) tokens.push({ kind: 'name', value: name, at: start });
    else tokens.push({ kind: 'sign', value: sameSigns[sign] ?? sign, at: start });
    at = tokenPattern.lastIndex;
  }
  tokens.push({ kind: 'end', value: '', at: text.length });
  return tokens;
}

const sameSigns: Record<string, string> = { '==': '=', '<>': '!=' };

/** Names that are operators. */
const words = ['and', 'or', 'not', 'in'];

function createReader(tokens: readonly Token[]) {
  let position = 0;
  let depth = 0;
  const end: Token = tokens.at(-1) ?? { kind: 'end', value: '', at: 0 };
  const present = (): Token => tokens[position] ?? end;

  const isSign = (sign: string): boolean => present().kind === 'sign' && present().value === sign;
  const isWord = (word: string): boolean =>
    present().kind === 'name' && String(present().value).toLowerCase() === word;

  function take(): Token {
    const token = present();
    position += 1;
    return token;
  }

  function refuse(expected: string): never {
    const { kind, value, at } = present();
    throw new Fault(at, `expected ${expected}, found ${kind === 'end' ? 'the end' : `'${value}'`}`);
  }

  function expect(sign: string): void {
    if (!isSign(sign)) refuse(`'${sign}'`);
    take();
  }

  function nested<T>(read: () => T): T {
    depth += 1;
    if (depth > maxDepth) throw new Fault(present().at, `expected at most ${maxDepth} levels`);
    const value = read();
    depth -= 1;
    return value;
  }

  /** Operators of one strength, from left to right. */
  function chain(isOp: () => boolean, operand: () => Expression): Expression {
    let left = operand();
    let length = 0;
    while (isOp()) {
      const { value, at } = take();
      length += 1;
      // Why: a long chain is a deep tree.
      if (length > maxDepth) throw new Fault(at, `expected at most ${maxDepth} operators in a row`);
      const op = String(value).toLowerCase() as BinaryOp;
      left = { kind: 'binary', op, left, right: operand(), at };
    }
    return left;
  }

  const expression = (): Expression => nested(() => chain(() => isWord('or'), conjunction));
  const conjunction = (): Expression => chain(() => isWord('and'), negation);

  function negation(): Expression {
    if (!isWord('not')) return comparison();
    const { at } = take();
    return { kind: 'not', of: nested(negation), at };
  }

  function comparison(): Expression {
    const left = sum();
    const { kind, value, at } = present();
    if (isWord('in')) return membership(left);
    if (kind !== 'sign' || !comparisons.includes(value)) return left;
    take();
    const right = sum();
    const next = present();
    if (next.kind === 'sign' && comparisons.includes(next.value)) {
      throw new Fault(next.at, "expected 'and' between two comparisons");
    }
    return { kind: 'binary', op: value as BinaryOp, left, right, at };
  }

  function membership(of: Expression): Expression {
    const { at } = take();
    expect('(');
    return { kind: 'in', of, list: list(), at };
  }

  /** Expressions up to the closing parenthesis. */
  function list(): Expression[] {
    const items = [expression()];
    while (isSign(',')) {
      take();
      items.push(expression());
    }
    if (!isSign(')')) refuse("',' or ')'");
    take();
    return items;
  }

  const sum = (): Expression => chain(() => isSign('+') || isSign('-'), product);
  const product = (): Expression => chain(() => isSign('*') || isSign('/'), signed);

  function signed(): Expression {
    if (!isSign('-')) return atom();
    const { at } = take();
    return { kind: 'minus', of: nested(signed), at };
  }

  function atom(): Expression {
    const token = present();
    if (token.kind === 'number') {
      take();
      return { kind: 'number', value: token.value, at: token.at };
    }
    if (token.kind === 'text') {
      take();
      return { kind: 'text', value: token.value, at: token.at };
    }
    if (isSign('(')) {
      take();
      const inside = expression();
      expect(')');
      return inside;
    }
    if (token.kind !== 'name' || words.includes(token.value.toLowerCase())) {
      return refuse('a number, a text or a name');
    }
    take();
    const { value: name, at } = token;
    if (!isSign('(')) return { kind: 'name', name, at };
    take();
    if (!isSign(')')) return { kind: 'call', name, args: list(), at };
    take();
    return { kind: 'call', name, args: [], at };
  }

  function expectEnd(): void {
    if (present().kind !== 'end') refuse('an operator or the end');
  }

  return { expression, expectEnd };
}
