// The files of stands: species, and lists of trees.
import { formatPath, type Parsed, type Problem } from '#contract/documents/problems.ts';
import type { Scenario } from '#contract/documents/scenario.ts';
import { isTreeStand, type TreeStand } from '#contract/documents/stand.ts';
import { standsOf } from '#contract/documents/tiledParts.ts';
import type { Species } from '#contract/documents/species.ts';
import { readStandList } from '#domain/import/standList.ts';
import { speciesNamesOf, type StandFiles } from '#domain/scene/stands.ts';
import type { ListedTree } from '#domain/scene/standTrees.ts';
import type { Files } from '#services/ports/files.ts';
import { failed, readable, readReferred, readSamples } from './documentFiles.ts';

/** Reads what the stands of a scene name, from the folder of the file `from`. */
export async function readStands(
  files: Files,
  scene: Scenario['scene'],
  from: string,
  signal?: AbortSignal,
): Promise<Parsed<StandFiles>> {
  const problems: Problem[] = [];
  const lists = new Map<string, ListedTree[]>();
  const species = new Map<string, Species>();
  for (const { at, part: stand } of standsOf(scene)) {
    if (!isTreeStand(stand)) continue;
    const path = formatPath(at);
    if (stand.kind === 'list') {
      const file = files.resolveFrom(from, stand.file);
      const list = await readList(files, file, formatPath([...at, 'file']), signal);
      if (list.value === null) {
        problems.push(...list.problems);
        continue;
      }
      lists.set(path, list.value);
    }
    for (const [name, asked] of speciesNamesOf(stand, lists.get(path))) {
      if (species.has(asked)) continue;
      const named = pathOfSpecies(stand, at, name, lists.get(path) ?? []);
      const read = await readSpecies(files, asked, from, named, signal);
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
  at: (string | number)[],
  name: string,
  list: readonly ListedTree[],
): string {
  if (Object.hasOwn(stand.species, name)) return formatPath([...at, 'species', name]);
  if (stand.kind === 'distribution') return formatPath([...at, 'mixture', name]);
  const trees = stand.kind === 'trees' ? stand.trees : list;
  const first = trees.findIndex(({ species }) => species === name);
  if (stand.kind === 'trees') return formatPath([...at, 'trees', first, 'species']);
  return `${formatPath([...at, 'file'])}, line ${list[first]?.line}`;
}
