/** Rows of a text with a header line. */
export function tableOf(text: string, separator: string): Record<string, string>[] {
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const names = head.split(separator);
  return lines.map((line) => {
    const cells = line.split(separator);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}
