// The length of functions of native-workers, as max-lines-per-function states it for TypeScript: clang-format has every
// function begin and end at one column, that of a class's members 2 behind the class's; namespaces do not indent.

/** Lines at most, without empty ones and comments. */
export const maxFunctionLines = 120;

export interface LongFunction {
  /** Line of its head, from 1. */
  line: number;
  /** The first line of its head. */
  head: string;
  lines: number;
}

/** A namespace or the body of a class. */
interface Scope {
  /** Column of what it has. */
  column: number;
  /** Line where the head of its latest declaration begins. */
  head: number;
  /** Whether the body of that is open. */
  isOpen: boolean;
}

/** The functions of a source that are longer than `max` lines, those of classes included. */
export function longFunctions(text: string, max = maxFunctionLines): LongFunction[] {
  const lines = text.split('\n');
  const found: LongFunction[] = [];
  const scopes: Scope[] = [];
  let scope: Scope = { column: 0, head: 0, isOpen: false };
  for (const [index, line] of lines.entries()) {
    const code = line.trimStart();
    const column = line.length - code.length;
    if (code.startsWith('}') && column < scope.column && !scope.isOpen) {
      scope = scopes.pop() ?? scope;
    }
    if (code.startsWith('}') && column === scope.column) {
      if (code === '}' && scope.isOpen) {
        const own = lines.slice(scope.head, index + 1);
        const counted = own.filter((each) => !/^\s*(?:\/\/.*)?$/.test(each)).length;
        if (counted > max) {
          found.push({ line: scope.head + 1, head: own[0]?.trimStart() ?? '', lines: counted });
        }
      }
      scope.isOpen = false;
    } else if (!scope.isOpen) {
      if (column === scope.column && /^[^#/]/.test(code)) scope.head = index;
      if (!line.endsWith('{') || isNamespace(code)) continue;
      scope.isOpen = true;
      if (
        isClass(
          lines
            .slice(scope.head, index + 1)
            .join(' ')
            .trimStart(),
        )
      ) {
        scopes.push(scope);
        scope = { column: scope.column + 2, head: index, isOpen: false };
      }
    }
  }
  return found;
}

function isNamespace(code: string): boolean {
  return /^(?:inline )?namespace\b|^extern "C"/.test(code);
}

/** `head`: up to its brace. Why the last part: a function may return a struct that it names as one. */
function isClass(head: string): boolean {
  return (
    /^(?:template\s*<.*>\s*)?(?:class|struct|union)\b/.test(head) &&
    !/\)(?:\s*(?:const|noexcept))*\s*\{$/.test(head)
  );
}
