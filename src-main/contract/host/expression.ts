// Expressions over runs, as trees: measures of a campaign and conditions on rows (domain/campaign/parseExpression.ts
// reads them). `at`: offset of the first character in the text, for problems.

export type Expression =
  | { kind: 'number'; value: number; at: number }
  | { kind: 'text'; value: string; at: number }
  | { kind: 'name'; name: string; at: number }
  | { kind: 'call'; name: string; args: Expression[]; at: number }
  | { kind: 'not'; of: Expression; at: number }
  | { kind: 'minus'; of: Expression; at: number }
  | { kind: 'in'; of: Expression; list: Expression[]; at: number }
  | { kind: 'binary'; op: BinaryOp; left: Expression; right: Expression; at: number };

export type BinaryOp = Comparison | '+' | '-' | '*' | '/' | 'and' | 'or';
export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

export const comparisons: readonly string[] = ['=', '!=', '<', '<=', '>', '>='];

/** An error in a text, and its place. */
export interface ExpressionFault {
  at: number;
  message: string;
}
