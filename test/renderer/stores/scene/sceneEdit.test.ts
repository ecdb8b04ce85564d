// The scenario that is edited: its steps, and that no unsaved text is lost.
import { beforeEach, describe, expect, it } from 'vitest';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { held } from '../browserStubs.ts';
import { openPage, type OpenPage } from '../openPage.ts';
import type { StoredFiles } from '../hostAnswers.ts';
import { documentHost } from './documentHost.ts';

let page: OpenPage;
let host: StoredFiles;

beforeEach(() => {
  page = openPage({ at: '#/scene' });
  host = documentHost(page);
  host.files.set('/a', 'a 1').set('/b', 'b 1');
});

const nTo = (value: number) => [{ path: ['n'], op: 'set' as const, value }];

describe('edits', () => {
  it('are steps that are undone and redone', async () => {
    const edit = useSceneEdit();
    await edit.open('/a');
    expect(await edit.apply(nTo(2), 'Set n')).toBe(true);
    expect(await edit.apply(nTo(3), 'Set n again')).toBe(true);
    expect([edit.text, edit.isDirty, edit.undoLabel]).toEqual(['a 3', true, 'Set n again']);
    await edit.undo();
    await edit.undo();
    await edit.undo();
    expect([edit.text, edit.isDirty]).toEqual(['a 1', false]);
    await edit.redo();
    expect(edit.text).toBe('a 2');
  });

  it('that the host refuses change nothing, and say what was to be done', async () => {
    const edit = useSceneEdit();
    await edit.open('/a');
    expect(await edit.apply([{ path: ['m'], op: 'set', value: 1 }], 'Set m')).toBe(false);
    expect([edit.text, edit.editCount, edit.error]).toEqual(['a 1', 0, 'Set m: m: not there']);
  });

  it('made at once are made one on the other', async () => {
    const edit = useSceneEdit();
    await edit.open('/a');
    const first = held<unknown>();
    let count = 0;
    const begins: string[] = [];
    page.answer('document.edit', async (request) => {
      const { text } = request as { text: string };
      begins.push(text);
      count += 1;
      if (count === 1) await first.promise;
      return { text: `${text}+`, data: {}, value: {}, problems: [] };
    });
    const both = [edit.apply(nTo(2), 'one'), edit.apply(nTo(3), 'two')];
    first.resolve(null);
    await Promise.all(both);
    expect(begins).toEqual(['a 1', 'a 1+']);
  });

  it('with problems leave no value to build, and the text stays', async () => {
    const edit = useSceneEdit();
    await edit.open('/a');
    await edit.setText('bad 1');
    expect([edit.value, edit.problems.length, edit.text]).toEqual([null, 1, 'bad 1']);
    await edit.revert();
    expect([edit.text, edit.isDirty]).toEqual(['a 1', false]);
    await edit.undo();
    expect(edit.text).toBe('bad 1');
  });
});

describe('a scenario that is opened', () => {
  it('in place of another does not lose the edits of that, nor their steps', async () => {
    const edit = useSceneEdit();
    await edit.open('/a');
    await edit.apply(nTo(2), 'Set n');
    await edit.open('/b');
    expect([edit.text, edit.isDirty, edit.editCount]).toEqual(['b 1', false, 0]);
    await edit.open('/a');
    expect([edit.text, edit.isDirty, edit.undoLabel]).toEqual(['a 2', true, 'Set n']);
    await edit.undo();
    expect(edit.text).toBe('a 1');
  });

  it('that is open already stays as it is edited', async () => {
    const edit = useSceneEdit();
    await edit.open('/a');
    await edit.apply(nTo(2), 'Set n');
    await edit.open('/a');
    expect(edit.text).toBe('a 2');
  });

  it('and cannot be read leaves the one before', async () => {
    const edit = useSceneEdit();
    await edit.open('/a');
    await edit.apply(nTo(2), 'Set n');
    await edit.open('/gone');
    expect([edit.document, edit.text, edit.error]).toEqual(['/a', 'a 2', 'no /gone']);
  });

  it('whose file has changed since the edits offers them; taking them can be undone', async () => {
    const edit = useSceneEdit();
    await edit.open('/a');
    await edit.apply(nTo(2), 'Set n');
    await edit.close();
    expect(edit.document).toBeNull();
    host.files.set('/a', 'a 9');
    await edit.open('/a');
    expect([edit.text, edit.offered?.text]).toEqual(['a 9', 'a 2']);
    await edit.takeOffered();
    expect([edit.text, edit.offered]).toEqual(['a 2', null]);
    await edit.undo();
    expect(edit.text).toBe('a 9');
  });

  it('from a dropped text has no file that a command could read', async () => {
    const edit = useSceneEdit();
    await edit.open('/dropped', 'c 1');
    expect([edit.text, edit.isSample, edit.isDirty, edit.isUnsaved]).toEqual([
      'c 1',
      true,
      false,
      true,
    ]);
    expect(page.calls).not.toContain('document.read');
  });
});

it('warns before the page goes, while anything is not saved', async () => {
  const edit = useSceneEdit();
  const isWarned = (): boolean => {
    const event = new Event('beforeunload', { cancelable: true });
    page.browser.dispatch(event);
    return event.defaultPrevented;
  };
  await edit.open('/a');
  expect(isWarned()).toBe(false);
  await edit.apply(nTo(2), 'Set n');
  expect(isWarned()).toBe(true);
  await edit.open('/b');
  expect(isWarned()).toBe(true);
  await edit.open('/a');
  await edit.save();
  expect(isWarned()).toBe(false);
});

it('stores the edits of all scenarios as the page goes', async () => {
  const edit = useSceneEdit();
  await edit.open('/a');
  await edit.apply(nTo(2), 'Set n');
  await edit.open('/b');
  await edit.apply(nTo(3), 'Set n');
  page.browser.dispatch(new Event('pagehide'));
  const stored = JSON.parse(page.browser.tab.get('understory.scene.drafts') ?? '') as {
    text: string;
  }[];
  expect(stored.map(({ text }) => text)).toEqual(['a 2', 'b 3']);
});
