// Problems of the parts of a field, by the names that a person sees: 'y: expected a number' in place of '[1]'.

export interface FieldProblems {
  /** All of them as one sentence, each with the part that it is about. */
  text: string | undefined;
  /** Indices of the parts that are wrong; null: the field as a whole is. */
  parts: ReadonlySet<number> | null;
}

/** The name of the keys below a field, the outermost first: 'line 2, y' of rows, 'y' of a place. */
export type PartName = (keys: readonly (string | number)[]) => string;

const noProblems: FieldProblems = { text: undefined, parts: new Set() };

/** `problems`: those at the field or within it. `key`: the field's path as problems write it. */
export function fieldProblems(
  problems: readonly { path: string; message: string }[],
  key: string,
  nameOf: PartName,
): FieldProblems {
  if (problems.length === 0) return noProblems;
  const parts = new Set<number>();
  let isWhole = false;
  const texts = problems.map(({ path, message }) => {
    const keys = keysOf(path.slice(key.length));
    const [first] = keys;
    if (typeof first === 'number') parts.add(first);
    else isWhole = true;
    return keys.length === 0 ? message : `${nameOf(keys)}: ${message}`;
  });
  return { text: [...new Set(texts)].join('; '), parts: isWhole ? null : parts };
}

/** Names of numbers side by side. */
export function namedParts(names: readonly string[]): PartName {
  return ([index, ...rest]) => joined(names[Number(index)] ?? `number ${Number(index) + 1}`, rest);
}

/** Names of lines of numbers. `columns`: of the numbers of a line, or of its keys. */
export function namedLines(
  columns: readonly string[],
  keyNames: Record<string, string> = {},
): PartName {
  return ([line, ...rest]) => {
    const [first, second] = rest;
    const at = typeof first === 'number' ? first : second;
    const name =
      typeof at === 'number' ? (columns[at] ?? `number ${at + 1}`) : keyNames[String(first)];
    return joined(`line ${Number(line) + 1}`, name === undefined ? rest : [name]);
  };
}

/** Keys as words: what has no name of its own. */
export const plainKeys: PartName = (keys) => joined('', keys);

function joined(first: string, rest: readonly (string | number)[]): string {
  const words = rest.map((key) => (typeof key === 'number' ? `number ${key + 1}` : key));
  return [first, ...words].filter((word) => word !== '').join(', ');
}

/** '[2].centreM[0]' -> [2, 'centreM', 0]. */
function keysOf(path: string): (string | number)[] {
  return Array.from(path.matchAll(/\[(\d+)\]|([^.[]+)/g), ([, index, name = '']) =>
    index === undefined ? name : Number(index),
  );
}
