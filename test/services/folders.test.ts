// The folders of services: no folder imports another that imports it, directly or indirectly.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#test/stages.ts';

const services = join(projectRoot, 'src-main/services');

/** The folder of services that a file is in; null for files beside the folders. */
function folderOf(file: string): string | null {
  const [folder, ...rest] = relative(services, file).split('/');
  return rest.length === 0 || folder === undefined ? null : folder;
}

/** For each folder the folders that it imports. */
function imports(): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const entry of readdirSync(services, { recursive: true, encoding: 'utf8' })) {
    const file = join(services, entry);
    const from = folderOf(file);
    if (from === null || !entry.endsWith('.ts')) continue;
    for (const [, source = ''] of readFileSync(file, 'utf8').matchAll(/ from '([^']+)';/g)) {
      const target = source.startsWith('#services/')
        ? join(services, source.slice('#services/'.length))
        : normalize(join(dirname(file), source));
      const to =
        source.startsWith('#services/') || source.startsWith('.') ? folderOf(target) : null;
      if (to !== null && to !== from) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
    }
  }
  return arrows;
}

/** Folders in an order in which each is after all that it imports, and those that have no such order. */
function sorted(arrows: Map<string, Set<string>>): { order: string[]; circular: string[] } {
  const rest = new Map(arrows);
  const order: string[] = [];
  for (;;) {
    const free = [...rest].filter(([, targets]) => [...targets].every((to) => !rest.has(to)));
    if (free.length === 0) return { order, circular: [...rest.keys()] };
    for (const [folder] of free) {
      rest.delete(folder);
      order.push(folder);
    }
  }
}

it('has no cycle', () => {
  const { order, circular } = sorted(imports());
  expect(circular).toEqual([]);
  expect(order).toContain('documents');
});

it('would be noticed: two folders that import each other have no order', () => {
  const arrows = imports();
  arrows.set('documents', new Set(['runs']));
  expect(sorted(arrows).circular).toEqual(expect.arrayContaining(['documents', 'runs']));
});
