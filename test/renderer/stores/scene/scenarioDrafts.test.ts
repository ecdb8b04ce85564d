// Unsaved edits of scenarios: which are restored, and which are only offered.
import { beforeEach, expect, it } from 'vitest';
import { effectScope } from 'vue';
import type { Draft } from '#renderer/logic/forms/drafts.ts';
import {
  createScenarioDrafts,
  type ScenarioDrafts,
} from '#renderer/stores/scene/scenarioDrafts.ts';
import { stubBrowser, type BrowserStubs } from '../browserStubs.ts';

let browser: BrowserStubs;
let open: readonly [string, Draft] | null;

beforeEach(() => {
  browser = stubBrowser('#/scene');
  open = null;
});

const draftOf = (text: string): Draft => ({ text, savedText: 'read', hash: 'h' });
const steps = { past: [{ text: 'read', label: 'Set n', atMs: 0 }], future: [] };
const made = (): ScenarioDrafts => effectScope(true).run(() => createScenarioDrafts(() => open))!;

function stored(): string[] {
  browser.dispatch(new Event('pagehide'));
  const list = JSON.parse(browser.tab.get('understory.scene.drafts') ?? '[]') as {
    document: string;
  }[];
  return list.map(({ document }) => document);
}

it('of the file as it was read are restored with their steps, once', () => {
  const drafts = made();
  open = ['/a', draftOf('edited')];
  drafts.save(steps);
  open = null;
  expect(drafts.take('/a', { text: 'read', hash: 'h' })).toEqual({
    draft: draftOf('edited'),
    steps,
  });
  expect(drafts.take('/a', { text: 'read', hash: 'h' })).toBeNull();
});

it('of another text than the file has now are offered, and stay until they are dropped', () => {
  const drafts = made();
  open = ['/a', draftOf('edited')];
  drafts.save(steps);
  open = null;
  expect(drafts.take('/a', { text: 'other', hash: 'o' })).toBeNull();
  expect(drafts.offered.value?.text).toBe('edited');
  expect(stored()).toEqual(['/a']);
  drafts.dropOffered('/a');
  expect([drafts.offered.value, stored()]).toEqual([null, []]);
});

it('are not offered for a scenario without any', () => {
  const drafts = made();
  open = ['/a', draftOf('edited')];
  drafts.save(steps);
  drafts.take('/a', { text: 'other', hash: 'o' });
  expect(drafts.take('/b', { text: 'b', hash: 'b' })).toBeNull();
  expect(drafts.offered.value).toBeNull();
});

it('without edits store nothing', () => {
  const drafts = made();
  drafts.save(steps);
  expect(stored()).toEqual([]);
});

it('of the latest scenario are stored last: the earlier ones are left out where there are too many', () => {
  const drafts = made();
  for (const document of ['/a', '/b', '/a']) {
    open = [document, draftOf(`edited ${document}`)];
    drafts.save(steps);
  }
  open = null;
  expect(stored()).toEqual(['/b', '/a']);
});

it('of before the page was loaded again are restored without steps', () => {
  browser.tab.set(
    'understory.scene.drafts',
    JSON.stringify([{ document: '/a', ...draftOf('edited') }]),
  );
  expect(made().take('/a', { text: 'read', hash: 'h' })).toEqual({
    draft: draftOf('edited'),
    steps: undefined,
  });
});
