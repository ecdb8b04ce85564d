// In what documents differ: the paths at which not all of them say the same.

export interface Difference {
  /** 'mission.goalM[0]'; entries of a list that have a name are found by it: 'sensors[front].rateHz'. */
  path: string;
  /** The value in each document; null: none. */
  values: (string | null)[];
}

/** Where documents differ, in the order of the first that has the path. */
export function documentDifferences(documents: readonly unknown[]): Difference[] {
  const leaves = documents.map((document) => new Map(leavesOf('', document)));
  const paths = new Set(leaves.flatMap((of) => [...of.keys()]));
  return [...paths]
    .map((path) => ({ path, values: leaves.map((of) => of.get(path) ?? null) }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}

function* leavesOf(path: string, value: unknown): Generator<[string, string]> {
  if (Array.isArray(value)) {
    // Why: a point is read as a whole, its numbers one by one say nothing.
    if (value.every((entry) => typeof entry !== 'object')) {
      yield [path, value.length === 0 ? 'none' : value.map(textOf).join(', ')];
      return;
    }
    for (const [index, entry] of value.entries()) {
      yield* leavesOf(`${path}[${nameOf(entry) ?? index}]`, entry);
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      yield* leavesOf(path === '' ? key : `${path}.${key}`, entry);
    }
  } else if (value !== undefined) {
    yield [path, textOf(value)];
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function nameOf(entry: unknown): string | null {
  if (typeof entry !== 'object' || entry === null) return null;
  const { name, id } = entry as { name?: unknown; id?: unknown };
  if (typeof name === 'string') return name;
  return typeof id === 'string' ? id : null;
}
