// Text of documents, recordings and file names as a terminal may show it: a name that holds escape sequences must not
// recolour, retitle or clear the terminal, and a long one must not bury what else is printed.

// C0 without tab and line feed, DEL, C1.
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Control characters as JSON writes them (\u001b), so that JSON stays JSON; tabs and line feeds stay. */
export function printable(text: string): string {
  return text.replace(controls, escaped);
}

/** On one line, and at most this long: for cells of tables and lines of errors. */
export function printableLine(text: string, maxLength: number): string {
  const line = printable(text).replace(/[\t\n]/g, escaped);
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}

/** The same of a problem, cut in its middle: 'expected …, found …' keeps what was found. */
export function printableProblem(text: string, maxLength: number): string {
  const line = printableLine(text, text.length * 6);
  const endLength = Math.floor(maxLength / 4);
  if (line.length <= maxLength) return line;
  return `${line.slice(0, maxLength - endLength - 1)}…${line.slice(-endLength)}`;
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
