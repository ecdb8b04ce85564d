// The text of a document: read, edited while the host answers, restored after a reload, saved.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { effectScope, ref, type EffectScope } from 'vue';
import { useClient } from '#renderer/client/injection.ts';
import { storedInTab } from '#renderer/browser/storedText.ts';
import { createEditedText, type EditedText } from '#renderer/stores/documents/editedText.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
let tab: Map<string, string>;
let files: Record<string, { text: string; hash: string }>;
/** Each document.edit: the text it began from, and how many edits. */
let edits: { text: string; count: number }[];
let saves: unknown[];
let failures: unknown[];
let scope: EffectScope;
const valid = vi.fn(() => Promise.resolve());

beforeEach(() => {
  vi.useFakeTimers();
  [edits, saves, failures] = [[], [], []];
  scope = effectScope();
  valid.mockClear();
  files = { a: { text: 'rate: 1', hash: 'h1' }, b: { text: 'rate: 9', hash: 'h9' } };
  page = openPage({ at: '#/sensors' });
  ({ tab } = page.browser);
  page.answer('document.read', (request) => {
    const { document } = request as { document: string };
    const file = files[document];
    if (file === undefined) throw new Error(`no ${document}`);
    return { ...file, file: `/${document}.yaml` };
  });
  // An edit of 'rate' to a number; 0 is no valid rate.
  page.answer('document.edit', (request) => {
    const { text, edits: asked = [] } = request as { text: string; edits?: { value: number }[] };
    edits.push({ text, count: asked.length });
    const rate = asked.at(-1)?.value ?? Number(text.slice('rate: '.length));
    const problems = rate === 0 ? [{ path: 'rate', code: 'custom', message: 'expected > 0' }] : [];
    return { text: `rate: ${rate}`, data: { rate }, value: null, problems };
  });
  page.answer('document.save', (request) => {
    saves.push(request);
    return { file: (request as { file: string }).file };
  });
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const chosen = ref('a');

function open(): EditedText {
  const make = () =>
    createEditedText(useClient(), {
      kind: 'sensor',
      chosen,
      drafts: storedInTab('sensors.drafts'),
      valid,
      failed: (error) => failures.push(error),
    });
  const document = page.within(() => scope.run(make));
  if (document === undefined) throw new Error('the scope has ended');
  return document;
}

const rateTo = (value: number) => ({ path: ['rate'], op: 'set' as const, value });

describe('reading', () => {
  it('gives the text as the file says it, not edited', async () => {
    const document = open();
    await document.read('a');
    expect(document.text.value).toBe('rate: 1');
    expect(document.data.value).toEqual({ rate: 1 });
    expect(document.isEdited.value).toBe(false);
  });

  it('of two at once keeps the last, whichever is answered first', async () => {
    const document = open();
    let release = (): void => undefined;
    const slow = new Promise<void>((resolve) => (release = resolve));
    page.answer('document.read', async (request) => {
      const { document: name } = request as { document: string };
      if (name === 'a') await slow;
      return { ...files[name], file: `/${name}.yaml` };
    });
    const first = document.read('a');
    await document.read('b');
    release();
    await first;
    expect(document.source.value?.file).toBe('/b.yaml');
    expect(document.text.value).toBe('rate: 9');
  });

  it('shows nothing of a sensor that cannot be read', async () => {
    const document = open();
    await document.read('a');
    await expect(document.read('gone')).rejects.toThrow('no gone');
    expect([document.source.value, document.data.value, document.text.value]).toEqual([
      null,
      null,
      '',
    ]);
  });
});

describe('editing', () => {
  it('shows an edit at once and sends the edits of a burst together', async () => {
    const document = open();
    await document.read('a');
    document.edit(rateTo(2));
    document.edit(rateTo(3));
    expect(document.data.value).toEqual({ rate: 3 });
    expect(edits).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(300);
    expect(edits.slice(1)).toEqual([{ text: 'rate: 1', count: 2 }]);
    expect(document.text.value).toBe('rate: 3');
    expect(document.isEdited.value).toBe(true);
    expect(valid).toHaveBeenCalledTimes(1);
  });

  it('reports problems and shows no sensor for them', async () => {
    const document = open();
    await document.read('a');
    document.edit(rateTo(0));
    await vi.advanceTimersByTimeAsync(300);
    expect(document.problems.value.map(({ path }) => path)).toEqual(['rate']);
    expect(valid).not.toHaveBeenCalled();
  });

  it('drops what was not sent when another sensor is read', async () => {
    const document = open();
    await document.read('a');
    document.edit(rateTo(2));
    await document.read('b');
    await vi.advanceTimersByTimeAsync(300);
    expect(document.text.value).toBe('rate: 9');
    expect(edits.every(({ count }) => count === 0)).toBe(true);
  });

  it('reports a host that refuses the edit, and keeps the text', async () => {
    const document = open();
    await document.read('a');
    page.answer('document.edit', () => {
      throw new Error('refused');
    });
    document.edit(rateTo(2));
    await vi.advanceTimersByTimeAsync(300);
    expect(failures).toHaveLength(1);
    expect(document.text.value).toBe('rate: 1');
  });
});

describe('drafts', () => {
  const draft = { document: 'a', text: 'rate: 5', savedText: 'rate: 1', hash: 'h1' };

  it('of the file as it is take its place', async () => {
    tab.set('understory.sensors.drafts', JSON.stringify([draft]));
    const document = open();
    await document.read('a');
    expect(document.text.value).toBe('rate: 5');
    expect(document.isEdited.value).toBe(true);
    expect(document.offered.value).toBeNull();
  });

  it('of a file that has changed since are offered, and taken on request', async () => {
    tab.set('understory.sensors.drafts', JSON.stringify([draft]));
    files['a'] = { text: 'rate: 7', hash: 'h7' };
    const document = open();
    await document.read('a');
    expect(document.text.value).toBe('rate: 7');
    expect(document.offered.value?.text).toBe('rate: 5');
    await document.takeOffered();
    expect(document.text.value).toBe('rate: 5');
    expect(document.offered.value).toBeNull();
  });
});

describe('a new document', () => {
  it('is checked, counts as edited, and is saved without a file before it', async () => {
    const document = open();
    await document.start('rate: 4');
    expect(document.data.value).toEqual({ rate: 4 });
    expect(document.isEdited.value).toBe(true);
    document.edit(rateTo(6));
    await document.save('/new.yaml', false);
    expect(saves).toEqual([
      { kind: 'sensor', file: '/new.yaml', text: 'rate: 6', isReplacing: false },
    ]);
  });

  it('is restored from its draft after a reload', async () => {
    const stored = { document: 'a', text: 'rate: 8', savedText: '', hash: '' };
    tab.set('understory.sensors.drafts', JSON.stringify([stored]));
    const document = open();
    await document.start('rate: 1');
    expect(document.text.value).toBe('rate: 8');
  });
});

describe('another text', () => {
  it('takes the place of edits that were not sent', async () => {
    const document = open();
    await document.read('a');
    document.edit(rateTo(2));
    await document.setText('rate: 3');
    await vi.advanceTimersByTimeAsync(300);
    expect(document.text.value).toBe('rate: 3');
    expect(document.data.value).toEqual({ rate: 3 });
  });
});

describe('saving', () => {
  it('sends the hash of the file that is replaced, and none of another', async () => {
    const document = open();
    await document.read('a');
    await document.save('/a.yaml', true);
    await document.save('/copy.yaml', false);
    expect(saves).toEqual([
      {
        kind: 'sensor',
        file: '/a.yaml',
        text: 'rate: 1',
        isReplacing: true,
        from: '/a.yaml',
        knownHash: 'h1',
      },
      {
        kind: 'sensor',
        file: '/copy.yaml',
        text: 'rate: 1',
        isReplacing: false,
        from: '/a.yaml',
      },
    ]);
  });
});
