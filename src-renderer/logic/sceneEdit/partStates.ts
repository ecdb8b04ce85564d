// Settings of parts of a scenario in the page alone: hidden, locked, and groups that are selected
// together. Parts are known by list and name, so that it outlives edits; it is stored per scenario.
import { namedParts } from '#contract/documents/tiledParts.ts';
import { field, items } from '#contract/documents/unknownData.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import { jsonOf } from '#renderer/logic/storedTexts.ts';
import { nameOf } from './sceneChanges.ts';
import { valueAt } from './sceneOutline.ts';

export interface PartStates {
  hidden: readonly string[];
  locked: readonly string[];
  /** Keys of the members by the name of the group. */
  groups: Readonly<Record<string, readonly string[]>>;
}

export const noStates: PartStates = { hidden: [], locked: [], groups: {} };
/** Scenarios whose states are stored, the latest ones. */
const maxStored = 40;

/** 'instances oak-a'; null: a part that is not seen. */
export function stateKey(data: unknown, path: DocumentPath): string | null {
  const [scene, list, index] = path;
  if (scene !== 'scene' || path.length < 2) return null;
  if (list === 'ground') return 'ground';
  const name = nameOf(valueAt(data, path.slice(0, 3)));
  const isPlaced = typeof index === 'number' && namedParts.some((one) => one === list);
  return isPlaced && name !== '' ? keyOf(String(list), name) : null;
}

export function keyOf(list: string, name: string): string {
  return `${list} ${name}`;
}

/** List and name of a key. */
export function partOfKey(key: string): { list: string; name: string } {
  const [list = '', name = ''] = key.split(' ');
  return { list, name };
}

/** The paths of keys; of a part that the scenario lacks none. */
export function pathsOfKeys(data: unknown, keys: readonly string[]): DocumentPath[] {
  return keys.flatMap((key): DocumentPath[] => {
    if (key === 'ground') return [['scene', 'ground']];
    const { list, name } = partOfKey(key);
    const index = items(valueAt(data, ['scene', list])).findIndex((one) => nameOf(one) === name);
    return index === -1 ? [] : [['scene', list, index]];
  });
}

/** All set where some are not; otherwise none. */
export function toggled(keys: readonly string[], chosen: readonly string[]): string[] {
  const isAll = chosen.every((key) => keys.includes(key));
  return isAll ? keys.filter((key) => !chosen.includes(key)) : [...new Set([...keys, ...chosen])];
}

/** A new group of parts, which are in no other any more; groups of fewer than two are gone. */
export function grouped(states: PartStates, chosen: readonly string[], name: string): PartStates {
  const others = Object.entries(ungrouped(states, chosen).groups);
  return { ...states, groups: Object.fromEntries([...others, [name, chosen]]) };
}

export function ungrouped(states: PartStates, chosen: readonly string[]): PartStates {
  const groups = Object.entries(states.groups).map(([name, keys]) => {
    return [name, keys.filter((key) => !chosen.includes(key))] as const;
  });
  return { ...states, groups: Object.fromEntries(groups.filter(([, keys]) => keys.length > 1)) };
}

/** 'Group 1', 'Group 2' …: the first that is free. */
export function freeGroupName({ groups }: PartStates): string {
  for (let index = 1; ; index += 1) {
    if (!Object.hasOwn(groups, `Group ${index}`)) return `Group ${index}`;
  }
}

/** The part has another name. */
export function renamedPart(states: PartStates, from: string, to: string): PartStates {
  const all = (keys: readonly string[]): string[] => keys.map((key) => (key === from ? to : key));
  const groups = Object.entries(states.groups).map(([name, keys]) => [name, all(keys)] as const);
  return {
    hidden: all(states.hidden),
    locked: all(states.locked),
    groups: Object.fromEntries(groups),
  };
}

/** The states of a scenario in a stored text; junk is nothing. */
export function storedStates(text: string | null, scenario: string): PartStates {
  const own = field(jsonOf(text), scenario);
  const textsIn = (value: unknown): string[] =>
    items(value).filter((one) => typeof one === 'string');
  const groups = Object.entries((field(own, 'groups') as object | undefined) ?? {});
  return {
    hidden: textsIn(field(own, 'hidden')),
    locked: textsIn(field(own, 'locked')),
    groups: Object.fromEntries(groups.map(([name, keys]) => [name, textsIn(keys)])),
  };
}

/** The stored text with other states of a scenario. */
export function withStates(text: string | null, scenario: string, states: PartStates): string {
  const stored = Object.entries((jsonOf(text) as object | null) ?? {});
  const isEmpty =
    states.hidden.length + states.locked.length + Object.keys(states.groups).length === 0;
  const others = stored.filter(([name]) => name !== scenario).slice(1 - maxStored);
  return JSON.stringify(Object.fromEntries(isEmpty ? others : [...others, [scenario, states]]));
}
