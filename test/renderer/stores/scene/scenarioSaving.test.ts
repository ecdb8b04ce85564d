// Saving the edited scenario: to its file unless another program wrote it, or under another name.
import { beforeEach, describe, expect, it } from 'vitest';
import { useChoices } from '#renderer/stores/host/choices.ts';
import { useSceneEdit } from '#renderer/stores/scene/sceneEdit.ts';
import { openPage, type OpenPage } from '../openPage.ts';
import type { StoredFiles } from '../hostAnswers.ts';
import { documentHost } from './documentHost.ts';

let page: OpenPage;
let host: StoredFiles;

beforeEach(() => {
  page = openPage({ at: '#/scene' });
  host = documentHost(page);
  host.files.set('/a', 'a 1').set('sample', 's 1');
  host.samples.add('sample');
});

async function opened(document: string) {
  const edit = useSceneEdit();
  await edit.open(document);
  await edit.apply([{ path: ['n'], op: 'set', value: 2 }], 'Set n');
  return edit;
}

describe('saving', () => {
  it('to the own file replaces what was read, again and again', async () => {
    const edit = await opened('/a');
    await edit.save();
    expect([host.files.get('/a'), edit.isDirty]).toEqual(['a 2', false]);
    await edit.setText('a 5');
    await edit.save();
    expect([host.files.get('/a'), edit.refusal]).toEqual(['a 5', null]);
    expect(host.saves.map(({ knownHash }) => knownHash)).toEqual(['a 1', 'a 2']);
  });

  it('does not replace what another program wrote, unless that is asked for', async () => {
    const edit = await opened('/a');
    host.files.set('/a', 'elsewhere 1');
    await edit.save();
    expect([host.files.get('/a'), edit.refusal, edit.isDirty]).toEqual([
      'elsewhere 1',
      'changed-on-disk',
      true,
    ]);
    expect(edit.error).toContain('changed-on-disk');
    await edit.save(true);
    expect([host.files.get('/a'), edit.refusal, edit.isDirty]).toEqual(['a 2', null, false]);
  });

  it('of a sample asks for a name', async () => {
    const edit = await opened('sample');
    await edit.save();
    expect([edit.isSaveAsOpen, host.saves]).toEqual([true, []]);
    expect(await edit.saveAs('/own', false)).toBe(true);
    expect([edit.isSaveAsOpen, edit.document, edit.isSample]).toEqual([false, '/own', false]);
    await edit.setText('s 7');
    await edit.save();
    expect(host.files.get('/own')).toBe('s 7');
  });

  it('under another name says where it came from, and edits that file from then on', async () => {
    const edit = await opened('/a');
    expect(await edit.saveAs('/c', false)).toBe(true);
    expect(host.saves[0]).toMatchObject({ file: '/c', from: '/a', isReplacing: false });
    expect([edit.file, host.files.get('/a')]).toEqual(['/c', 'a 1']);
    expect(useChoices().scenarios.map(({ id }) => id)).toEqual(['/c', '/a']);
  });

  it('over another file is refused until it is asked for, and the document stays', async () => {
    const edit = await opened('/a');
    host.files.set('/b', 'b 1');
    edit.isSaveAsOpen = true;
    expect(await edit.saveAs('/b', false)).toBe(false);
    expect([edit.refusal, edit.document, edit.isSaveAsOpen]).toEqual(['exists', '/a', true]);
    expect(await edit.saveAs('/b', true)).toBe(true);
    expect([host.files.get('/b'), edit.document]).toEqual(['a 2', '/b']);
  });

  it('shows the text as it was written', async () => {
    const edit = await opened('/a');
    // Names of files in it are relative to another folder now.
    page.answer('document.save', () => ({ file: '/d/a', text: 'moved 2', hash: 'm' }));
    await edit.saveAs('/d/a', false);
    expect([edit.text, edit.isDirty]).toEqual(['moved 2', false]);
  });
});
