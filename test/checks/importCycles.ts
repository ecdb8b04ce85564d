// Circles of imports between files: in one, what a file is can only be read with all others, and a value may be used
// before its module has run.
import { posix } from 'node:path';

/** Text by path from the project's folder. `aliases`: the folder that `#name` in an import means, such as src-main/name. */
export interface Sources {
  texts: ReadonlyMap<string, string>;
  aliases: Readonly<Record<string, string>>;
}

/**
 * Groups of files that import each other, sorted: each file of a group reaches all others of it. Types count too;
 * imports at run time, `await import(…)`, do not.
 */
export function importCycles({ texts, aliases }: Sources): string[][] {
  const targets = new Map(
    [...texts].map(([file, text]) => {
      const own = importsOf(file, text, aliases).filter((target) => texts.has(target));
      return [file, own];
    }),
  );
  return stronglyConnected(targets);
}

function importsOf(file: string, text: string, aliases: Sources['aliases']): string[] {
  return [...text.matchAll(/^(?:import|export)\b[^;'"]*?['"]([^'"]+)['"]/gm)].map(
    ([, name = '']) => {
      if (name.startsWith('.')) return posix.join(posix.dirname(file), name);
      const [head = '', ...rest] = name.split('/');
      return [aliases[head] ?? head, ...rest].join('/');
    },
  );
}

/** Tarjan's algorithm, "Depth-first search and linear graph algorithms", 1972; groups of one file are left out. */
function stronglyConnected(targets: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    order.set(file, index);
    stack.push(file);
    let low = index;
    for (const target of targets.get(file) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target));
      else if (stack.includes(target)) low = Math.min(low, order.get(target) ?? low);
    }
    if (low === index) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) groups.push(group.sort());
    }
    return low;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return groups.sort();
}
