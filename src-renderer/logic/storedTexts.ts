// Texts stored by a browser, read back: junk is nothing.

/** JSON; null for what is none. */
export function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** A list of texts; what else is in it is left out. */
export function textsOf(text: string | null): string[] {
  const list = jsonOf(text);
  return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : [];
}
