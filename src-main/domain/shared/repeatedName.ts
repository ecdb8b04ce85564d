// Names of columns that a file has twice: one of them would be ignored.

/** The first of the `read` names that occurs twice, in upper or lower case, as it is written; null: none does. */
export function repeatedName(names: readonly string[], read: readonly string[]): string | null {
  const lower = names.map((name) => name.toLowerCase());
  const at = lower.findIndex((name, index) => read.includes(name) && lower.indexOf(name) < index);
  return names[at] ?? null;
}
