import { effectScope, nextTick, ref, type EffectScope, type Ref } from 'vue';
import { afterEach, expect, it, vi } from 'vitest';
import { createOtherTabs } from '#renderer/stores/scene/otherTabs.ts';

const tabs: EffectScope[] = [];

afterEach(() => {
  for (const tab of tabs.splice(0)) tab.stop();
  vi.unstubAllGlobals();
});

/** A tab that edits a file: whether it knows of another. */
function open(file: Ref<string | null>): {
  isElsewhere: Readonly<Ref<boolean>>;
  close: () => void;
} {
  vi.stubGlobal('addEventListener', vi.fn());
  vi.stubGlobal('removeEventListener', vi.fn());
  const scope = effectScope();
  tabs.push(scope);
  const isElsewhere = scope.run(() => createOtherTabs(file));
  if (isElsewhere === undefined) throw new Error('the scope has ended');
  return { isElsewhere, close: () => scope.stop() };
}

it('tells both tabs that edit one file, and the one that stays when the other closes', async () => {
  const first = open(ref('/a.yaml'));
  const second = open(ref('/a.yaml'));
  await vi.waitFor(() => expect(second.isElsewhere.value).toBe(true));
  await vi.waitFor(() => expect(first.isElsewhere.value).toBe(true));
  second.close();
  await vi.waitFor(() => expect(first.isElsewhere.value).toBe(false));
});

it('follows what the tabs open', async () => {
  const here = ref<string | null>('/a.yaml');
  const there = ref<string | null>('/b.yaml');
  const [first, second] = [open(here), open(there)];
  await nextTick();
  expect(first.isElsewhere.value).toBe(false);
  there.value = '/a.yaml';
  await vi.waitFor(() => expect(first.isElsewhere.value).toBe(true));
  here.value = null;
  expect(first.isElsewhere.value).toBe(false);
  await vi.waitFor(() => expect(second.isElsewhere.value).toBe(false));
});
