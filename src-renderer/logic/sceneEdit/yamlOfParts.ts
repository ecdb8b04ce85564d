// Plain data as YAML for people to read: keys down to those of single parts on lines of their own, each part on one line.
import { entries } from '#contract/documents/unknownData.ts';

const blockLevels = 3;

export function yamlText(comment: string, data: Record<string, unknown>): string {
  return `# ${comment}\n${block(data, 0).join('\n')}\n`;
}

function block(value: unknown, level: number): string[] {
  const indent = '  '.repeat(level);
  if (Array.isArray(value)) return value.map((item) => `${indent}- ${inline(item)}`);
  return entries(value).flatMap(([key, item]) => {
    const isBlock = typeof item === 'object' && item !== null && level + 1 < blockLevels;
    return isBlock
      ? [`${indent}${inline(key)}:`, ...block(item, level + 1)]
      : [`${indent}${inline(key)}: ${inline(item)}`];
  });
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const pairs = entries(value).map(([key, item]) => `${inline(key)}: ${inline(item)}`);
    return pairs.length === 0 ? '{}' : `{ ${pairs.join(', ')} }`;
  }
  const isPlain = typeof value === 'string' && /^[a-z][\w./-]*$/i.test(value);
  return isPlain && !isWord.test(value) ? value : (JSON.stringify(value) ?? 'null');
}

/** Words that YAML, of one version or another, takes for something else than texts. */
const isWord = /^(true|false|yes|no|on|off|null|y|n)$/i;
