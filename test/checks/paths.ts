// Finds paths of a document that do not exist. Pure but for the test of existence, which the caller brings.
// A path is `code` of a table or text with a slash, no space and no bracket; and the folders of an
// indented tree in a fenced block, where a name that ends in / is a folder below the last one with less indent.

export interface DeadPath {
  /** From 1. */
  line: number;
  path: string;
}

/** `exists` takes a path from the project's root; capitals in NAME, VERSION and so on match any name (*). */
export function deadPaths(text: string, exists: (pattern: string) => boolean): DeadPath[] {
  const dead: DeadPath[] = [];
  let fence: 'none' | 'tree' | 'code' = 'none';
  let open: { indent: number; path: string }[] = [];
  text.split('\n').forEach((content, index) => {
    if (content.startsWith('```')) {
      fence = fence !== 'none' ? 'none' : content === '```' ? 'tree' : 'code';
      open = [];
      return;
    }
    if (fence === 'code') return;
    const paths = fence === 'tree' ? treePaths(content) : codePaths(content);
    for (const path of paths) if (!exists(path)) dead.push({ line: index + 1, path });
  });
  return dead;

  /** Opens the folders that the line begins with; several on one line are beside each other. */
  function treePaths(content: string): string[] {
    const indent = content.search(/\S/);
    const [, names] = /^\s*((?:[\w.-]+\/ ?)+)(?= |$)/.exec(content) ?? [];
    // Text that is continued is indented by more than any folder.
    if (names === undefined || indent > maxIndent) return [];
    open = open.filter((folder) => folder.indent < indent);
    const parent = open.at(-1)?.path ?? '';
    const folders = names
      .trim()
      .split(' ')
      .map((name) => parent + name);
    open.push({ indent, path: folders.at(-1) ?? '' });
    return folders;
  }
}

const maxIndent = 8;

/** Paths in `code`, NAME replaced by *. */
function codePaths(content: string): string[] {
  return [...content.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code)
    .filter(
      (code) => /^[\w.-]+(\/[\w.*-]+)*\/?$/.test(code) && /\/|\.(ts|vue|md|txt|mjs)$/.test(code),
    )
    .map((code) => code.replace(/\b(NAME|N)\b/g, '*'));
}
