// The command line that does the same as the page.

/** A value of an option: undefined and '' leave the option out, true gives it without a value. */
export type OptionValue = string | number | boolean | undefined;

/** `npx understory WORDS --option value …`; words are quoted for a POSIX shell where they need it. */
export function commandLine(
  words: readonly string[],
  options: Record<string, OptionValue>,
): string {
  const parts = ['npx', 'understory', ...words.map(quote)];
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === '' || value === false) continue;
    parts.push(`--${name}`);
    if (value !== true) parts.push(typeof value === 'number' ? String(value) : quote(value));
  }
  return parts.join(' ');
}

function quote(text: string): string {
  return /^[\w./:@,+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
