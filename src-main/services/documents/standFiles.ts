// The files of stands: species, and lists of trees.
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import type { Species } from '#contract/documents/species.ts';
import { readStandList } from '#domain/import/treeList.ts';
import { speciesNamesOf, type StandFiles, type TreeStand } from '#domain/scene/stands.ts';
import type { ListedTree } from '#domain/scene/standTrees.ts';
import type { Files } from '#services/ports/files.ts';
import { failed, readable, readReferred, readSamples } from './documentFiles.ts';

/** Reads what the stands of a scene name, from the folder of the file `from`. */
export async function readStands(
  files: Files,
  { stands = [] }: Scenario['scene'],
  from: string,
  signal?: AbortSignal,
): Promise<Parsed<StandFiles>> {
  const problems: Problem[] = [];
  const lists = new Map<number, ListedTree[]>();
  const species = new Map<string, Species>();
  for (const [index, stand] of stands.entries()) {
    if (stand.kind === 'dead-wood') continue;
    if (stand.kind === 'list') {
      const at = formatPath(['scene', 'stands', index, 'file']);
      const list = await readList(files, files.resolveFrom(from, stand.file), at, signal);
      if (list.value === null) {
        problems.push(...list.problems);
        continue;
      }
      lists.set(index, list.value);
    }
    for (const [name, asked] of speciesNamesOf(stand, lists.get(index))) {
      if (species.has(asked)) continue;
      const at = pathOfSpecies(stand, index, name, lists.get(index) ?? []);
      const read = await readSpecies(files, asked, from, at, signal);
      if (read.value === null) problems.push(...read.problems);
      else species.set(asked, read.value);
    }
  }
  return problems.length > 0 ? failed(problems) : { value: { species, lists }, problems: [] };
}

async function readList(
  files: Files,
  file: string,
  at: string,
  signal?: AbortSignal,
): Promise<Parsed<ListedTree[]>> {
  const text = await readable(at, () => files.readText(file, signal));
  if (text.value === null) return text;
  const list = readStandList(text.value);
  if (list.value === null) {
    return failed(
      list.problems.map(({ path, code, message }) => {
        return { path: at, code, message: `${file}: ${path}: ${message}` };
      }),
    );
  }
  return { value: list.value.map((tree) => ({ ...tree, path: at })), problems: [] };
}

/** A file, the id of a sample, or the scientific or common name of one. */
async function readSpecies(
  files: Files,
  asked: string,
  from: string,
  at: string,
  signal?: AbortSignal,
): Promise<Parsed<Species>> {
  const read = await readReferred(files, { kind: 'species', name: asked, from, at, signal });
  if (read.value !== null) return read;
  const wanted = asked.trim().toLowerCase();
  const samples = await readSamples(files, 'species');
  const named = samples.find(({ value: { name, latin } }) =>
    [name, latin].some((one) => one.toLowerCase() === wanted),
  );
  return named === undefined ? read : { value: named.value, problems: [] };
}

/** Where the stand names it first. */
function pathOfSpecies(
  stand: TreeStand,
  index: number,
  name: string,
  list: readonly ListedTree[],
): string {
  const at = ['scene', 'stands', index];
  if (Object.hasOwn(stand.species, name)) return formatPath([...at, 'species', name]);
  if (stand.kind === 'distribution') return formatPath([...at, 'mixture', name]);
  const trees = stand.kind === 'trees' ? stand.trees : list;
  const first = trees.findIndex(({ species }) => species === name);
  if (stand.kind === 'trees') return formatPath([...at, 'trees', first, 'species']);
  return `${formatPath([...at, 'file'])}, line ${list[first]?.line}`;
}
