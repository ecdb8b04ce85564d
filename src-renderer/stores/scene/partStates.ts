// Hidden and locked parts of the open scenario, and its groups: of this page, stored per scenario; the file has none of it.
import { defineStore } from 'pinia';
import { computed, shallowRef, watch } from 'vue';
import { formatPath } from '#contract/documents/problems.ts';
import { storedInBrowser } from '#renderer/browser/storedText.ts';
import type { DocumentPath } from '#renderer/logic/forms/jsonSchema.ts';
import {
  freeGroupName,
  grouped,
  keyOf,
  noStates,
  pathsOfKeys,
  renamedPart,
  stateKey,
  storedStates,
  toggled,
  ungrouped,
  withStates,
  type PartStates,
} from '#renderer/logic/sceneEdit/partStates.ts';
import { usePartStateCommands } from './partStateCommands.ts';
import { useSceneEdit } from './sceneEdit.ts';

const stored = storedInBrowser('scene.parts');

export const usePartStates = defineStore('partStates', () => {
  const edit = useSceneEdit();
  const states = shallowRef<PartStates>(noStates);
  const hidden = computed(() => new Set(states.value.hidden));
  const locked = computed(() => new Set(states.value.locked));
  const selectedKeys = computed(() => keysOf(edit.selectedPaths));
  const isInGroup = computed(() =>
    Object.values(states.value.groups).some((keys) =>
      keys.some((key) => selectedKeys.value.includes(key)),
    ),
  );

  watch(
    () => edit.file,
    (file) => (states.value = file === null ? noStates : storedStates(stored.read(), file)),
    { immediate: true },
  );
  usePartStateCommands({
    isOpen: () => edit.file !== null,
    selected: () => selectedKeys.value.length,
    isAny: (what) => states.value[what].length > 0,
    isInGroup: () => isInGroup.value,
    toggle,
    clear: (what) => set({ ...states.value, [what]: [] }),
    group,
    ungroup,
  });
  return {
    states,
    isInGroup,
    isHidden: (path: DocumentPath): boolean => hidden.value.has(stateKey(edit.data, path) ?? ''),
    isLocked: (path: DocumentPath): boolean => locked.value.has(stateKey(edit.data, path) ?? ''),
    hasState: (path: DocumentPath): boolean => stateKey(edit.data, path) !== null,
    toggle,
    group,
    ungroup,
    rename,
    pathsOfGroup,
    pick,
    renameGroup,
    groupOf,
  };

  function keysOf(paths: readonly DocumentPath[]): string[] {
    return paths.flatMap((path) => stateKey(edit.data, path) ?? []);
  }

  function set(next: PartStates): void {
    states.value = next;
    if (edit.file !== null) stored.write(withStates(stored.read(), edit.file, next));
  }

  /** The selected parts, or one. */
  function toggle(what: 'hidden' | 'locked', path?: DocumentPath): void {
    const keys = path === undefined ? selectedKeys.value : keysOf([path]);
    set({ ...states.value, [what]: toggled(states.value[what], keys) });
  }

  function group(): void {
    set(grouped(states.value, selectedKeys.value, freeGroupName(states.value)));
  }

  function ungroup(): void {
    const members = selectedKeys.value.flatMap((key) => groupWith(key) ?? [key]);
    set(ungrouped(states.value, members));
  }

  /** A part got another name. `before`: the document with the old one. */
  function rename(before: unknown, path: DocumentPath, name: string): void {
    const key = stateKey(before, path);
    if (key !== null) set(renamedPart(states.value, key, keyOf(String(path[1]), name)));
  }

  function groupWith(key: string): readonly string[] | undefined {
    return Object.values(states.value.groups).find((keys) => keys.includes(key));
  }

  function pathsOfGroup(name: string): DocumentPath[] {
    return pathsOfKeys(edit.data, states.value.groups[name] ?? []);
  }

  /** Selects a part with its group; the part alone where all of the group is selected already. */
  function pick(path: DocumentPath): void {
    const members = membersOf(path);
    const now = new Set(edit.selectedPaths.map(formatPath));
    const isAll = members.length === now.size && members.every((one) => now.has(formatPath(one)));
    edit.selectAll(isAll ? [path] : members);
  }

  /** The group that is selected as a whole; null: none is. */
  function groupOf(): string | null {
    const now = new Set(selectedKeys.value);
    const found = Object.entries(states.value.groups).find(
      ([, keys]) => keys.length === now.size && keys.every((key) => now.has(key)),
    );
    return found?.[0] ?? null;
  }

  function renameGroup(from: string, to: string): void {
    if (to.trim() === '' || Object.hasOwn(states.value.groups, to)) return;
    const groups = Object.entries(states.value.groups).map(([name, keys]) => {
      return [name === from ? to : name, keys] as const;
    });
    set({ ...states.value, groups: Object.fromEntries(groups) });
  }

  /** All of the group that has a part, that part last; the part alone where it is in none. */
  function membersOf(path: DocumentPath): DocumentPath[] {
    const key = stateKey(edit.data, path);
    const others = key === null ? [] : (groupWith(key) ?? []).filter((one) => one !== key);
    return [...pathsOfKeys(edit.data, others), path];
  }
});
