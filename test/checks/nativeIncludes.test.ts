// The arrows of ARCHITECTURE.md inside native-workers: which folder includes headers of which. CMake hides libraries
// from stages, but every header of ours is on one include path.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../stages.ts';
import { projectFiles } from './projectFiles.ts';

/** By folder: those that it may include beside its own. `core` means all folders of coreOrder, too. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  core: ['contract'],
  aim: ['core'],
  surfaces: ['core'],
  'surfaces/embree': ['core', 'surfaces'],
  pulses: ['core', 'aim', 'surfaces'],
  rows: ['core', 'aim', 'surfaces', 'pulses'],
  jobs: ['contract', 'core', 'aim', 'surfaces', 'surfaces/embree', 'pulses', 'rows'],
  render: ['core', 'surfaces', 'surfaces/embree'],
  protocol: ['contract'],
  scanWorker: ['core', 'surfaces', 'surfaces/embree', 'jobs', 'render', 'protocol', 'bench/raw'],
  bench: ['core', 'aim', 'surfaces/embree', 'pulses', 'rows', 'jobs', 'test'],
  'bench/raw': ['core', 'aim', 'surfaces', 'surfaces/embree', 'rows', 'jobs'],
};

/** Folders of core: each includes only those before it, and the headers beside them. */
const coreOrder = [
  ...['core/maths', 'core/random', 'core/sensor', 'core/optics', 'core/scene', 'core/plants'],
  ...['core/assembly', 'core/detail', 'core/returns', 'core/packing'],
];

it('native folders include only what is below them', () => {
  const wrong = projectFiles(path.join(projectRoot, 'native-workers'), /\.(?:h|cpp)$/).flatMap(
    (file) =>
      includesOf(file)
        .filter((header) => !mayInclude(folderOf(file), folderOf(header)))
        .map((header) => `${file} includes ${header}`),
  );
  expect(wrong).toEqual([]);
});

it.each([
  ['core/scene', 'core/plants'],
  ['core/sensor', 'aim'],
  ['pulses', 'surfaces/embree'],
  ['render', 'jobs'],
  ['core', 'core/scene'],
])('%s may not include %s', (from, to) => {
  expect(mayInclude(from, to)).toBe(false);
});

function includesOf(file: string): string[] {
  const text = readFileSync(path.join(projectRoot, 'native-workers', file), 'utf8');
  return [...text.matchAll(/^#include "(.+)"$/gm)].map(([, header]) => header ?? '');
}

function mayInclude(from: string, to: string): boolean {
  if (from === to) return true;
  const level = coreOrder.indexOf(from);
  if (level >= 0) return ['contract', 'core', ...coreOrder.slice(0, level)].includes(to);
  const isCore = coreOrder.includes(to);
  return (allowed[from] ?? []).includes(isCore ? 'core' : to) && !(from === 'core' && isCore);
}

/** The folder that has rules of its own: two levels in core, surfaces and bench. */
function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  if (folder.startsWith('test/')) return 'test';
  const [first = '', second] = folder.split('/');
  const both = `${first}/${second ?? ''}`;
  return both in allowed || coreOrder.includes(both) ? both : first;
}
