// The length of functions of native-workers, as max-lines-per-function states it for TypeScript: clang-format has every
// function outside of a class begin and end at column 0, and namespaces do not indent.

/** Lines at most, without empty ones and comments. */
export const maxFunctionLines = 120;

export interface LongFunction {
  /** Of its head, from 1. */
  line: number;
  /** The first line of its head. */
  head: string;
  lines: number;
}

/** The functions of a source that are longer than `max` lines. */
export function longFunctions(text: string, max = maxFunctionLines): LongFunction[] {
  const lines = text.split('\n');
  const found: LongFunction[] = [];
  // Where the head of what is at column 0 begins, and whether its body is open.
  let head = 0;
  let isOpen = false;
  for (const [index, line] of lines.entries()) {
    if (line === '}' && isOpen) {
      const code = lines.slice(head, index + 1).filter((each) => !/^\s*(?:\/\/.*)?$/.test(each));
      if (code.length > max) {
        found.push({ line: head + 1, head: lines[head] ?? '', lines: code.length });
      }
    }
    if (line.startsWith('}')) isOpen = false;
    else if (!isOpen) {
      if (/^[^\s#/]/.test(line)) head = index;
      isOpen = line.endsWith('{') && !/^(?:inline )?namespace\b|^extern "C"/.test(line);
    }
  }
  return found;
}
