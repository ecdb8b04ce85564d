// The edited campaign: opened with the chosen one, started new, checked as it changes, planned and saved.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DocumentEdit } from '#contract/host/documentMethods.ts';
import { useCampaignEdit } from '#renderer/stores/campaigns/campaignEdit.ts';
import { useCampaigns } from '#renderer/stores/campaigns/campaigns.ts';
import { held } from '../browserStubs.ts';
import { answerCampaigns, answerFiles, campaignOf } from '../hostAnswers.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Texts by file. */
let files: Map<string, string>;
/** Edits that were sent. */
let edits: DocumentEdit[];
let samples: Set<string>;
let saves: object[];

beforeEach(() => {
  vi.useFakeTimers();
  edits = [];
  files = new Map([['/a.yaml', 'name: a']]);
  page = openPage({ at: '#/campaigns/a' });
  answerCampaigns(page, () => [campaignOf('a', { state: 'done', total: 1 })]);
  page.answer('campaign.check', () => ({ problems: [], runs: 3, axes: [] }));
  ({ samples, saves } = answerFiles(page, files));
  samples.add('sample');
  // The text is lines 'key: value'; an edit adds one.
  page.answer('document.edit', (request) => {
    const { text, edits: asked = [] } = request as { text: string; edits?: DocumentEdit[] };
    edits.push(...asked);
    const added = asked.map(({ path, value }) => `${path.join('.')}: ${JSON.stringify(value)}`);
    const next = [text, ...added].join('\n');
    const name = /^name: (.*)$/m.exec(next)?.[1];
    return { text: next, data: { name }, value: null, problems: [] };
  });
});
afterEach(() => vi.useRealTimers());

const settled = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);

async function open() {
  const edit = useCampaignEdit();
  await settled();
  return edit;
}

describe('the document', () => {
  it('is that of the chosen campaign', async () => {
    const edit = await open();
    expect([edit.text, edit.file, edit.isEdited, edit.target]).toEqual([
      'name: a',
      '/a.yaml',
      false,
      '/a.yaml',
    ]);
  });

  it('of a campaign that is not in the list is looked for in the data folder', async () => {
    files.set('/d/campaigns/b.campaign.yaml', 'name: b');
    const edit = await open();
    useCampaigns().choose('b');
    await settled();
    expect([edit.name, edit.error]).toEqual(['b', null]);
    useCampaigns().choose('c');
    await settled();
    expect([edit.text, edit.error]).toEqual(['', 'no /d/campaigns/c.campaign.yaml']);
  });

  it('of a sample would be saved to a file of its own', async () => {
    files.set('sample', 'name: sample');
    page.browser.location.hash = '#/campaigns/sample';
    const edit = await open();
    expect([edit.target, edit.commandName]).toEqual([
      '/d/campaigns/sample.campaign.yaml',
      'sample',
    ]);
  });

  it('that is opened by its path is listed from then on, a sample only once', async () => {
    files.set('/b.yaml', 'name: b').set('sample', 'name: sample');
    const edit = await open();
    await edit.openFile('/b.yaml');
    await edit.openFile('sample');
    const campaigns = useCampaigns();
    const unplanned = campaigns.rows.filter(({ state }) => state === null);
    expect(unplanned.map(({ document }) => document)).toEqual(['/b.yaml', 'sample']);
    expect([campaigns.chosen, campaigns.known?.isSample]).toEqual(['sample', true]);
  });

  it('that comes late does not replace the one that was chosen after it', async () => {
    const edit = await open();
    files.set('/b.yaml', 'name: b');
    const late = held<unknown>();
    page.answer('document.read', (request) =>
      (request as { document: string }).document === '/late.yaml'
        ? late.promise
        : { file: '/b.yaml', text: 'name: b', hash: 'b', isSample: false },
    );
    const first = edit.openFile('/late.yaml');
    await settled();
    await edit.openFile('/b.yaml');
    late.resolve({ file: '/late.yaml', text: 'name: late', hash: 'l', isSample: false });
    await first;
    await settled();
    expect([edit.name, useCampaigns().chosen]).toEqual(['b', 'b']);
  });
});

describe('a new campaign', () => {
  it('is chosen by a free name, has no file, and is restored after a reload', async () => {
    const edit = await open();
    await edit.startNew('/s/clearing.understory.yaml');
    await settled();
    expect([edit.name, useCampaigns().chosen, edit.file]).toEqual([
      'clearing-campaign',
      'clearing-campaign',
      '',
    ]);
    expect([edit.isEdited, edit.target]).toEqual([
      true,
      '/d/campaigns/clearing-campaign.campaign.yaml',
    ]);
    page.browser.dispatch(new Event('pagehide'));
    expect(page.browser.tab.get('understory.campaigns.drafts')).toContain('clearing-campaign');
  });

  it('gets its first axis as lines of text, a file an edit', async () => {
    const edit = await open();
    edit.addAxis('seed', { values: [1, 2] });
    await vi.advanceTimersByTimeAsync(300);
    expect(edits).toMatchObject([{ path: ['vary', 'seed'], op: 'set' }]);
    await edit.startNew('clearing');
    edits = [];
    edit.addAxis('seed', { values: [1, 2] });
    await vi.advanceTimersByTimeAsync(300);
    expect(edits).toEqual([]);
    expect(edit.text).toContain('vary:\n  seed: { values: [1, 2] }');
  });
});

describe('checking and planning', () => {
  it('checks the text as it changes, for the file of the campaign', async () => {
    const edit = await open();
    const asked: unknown[] = [];
    page.answer('campaign.check', (request) => {
      asked.push(request);
      return { problems: [{ path: 'vary', code: 'custom', message: 'no axis' }], runs: null };
    });
    await edit.setText('name: a\nvary: {}');
    await settled();
    expect(asked).toEqual([{ campaign: '/a.yaml', text: 'name: a\nvary: {}' }]);
    expect(edit.problems.map(({ message }) => message)).toEqual(['no axis']);
  });

  it('plans the text with all edits, and the plan goes with the next change', async () => {
    const edit = await open();
    const asked: { text: string }[] = [];
    page.answer('campaign.plan', (request) => {
      asked.push(request as { text: string });
      return { name: 'a', runs: 6, new: 6 };
    });
    edit.edit({ path: ['replicates'], op: 'set', value: 2 });
    await edit.makePlan();
    expect(asked.map(({ text }) => text)).toEqual(['name: a\nreplicates: 2']);
    expect(edit.plan).toMatchObject({ runs: 6 });
    await edit.setText('name: a');
    expect(edit.plan).toBeNull();
  });

  it('reports why it could not be planned', async () => {
    const edit = await open();
    page.answer('campaign.plan', () => {
      throw new Error('no such scenario');
    });
    await edit.makePlan();
    expect([edit.error, edit.isPlanning, edit.plan]).toEqual(['no such scenario', false, null]);
  });
});

describe('saving', () => {
  it('sends the edits first, and is then the file', async () => {
    const edit = await open();
    edit.edit({ path: ['replicates'], op: 'set', value: 2 });
    expect(await edit.save('/a.yaml', true)).toBe(true);
    expect([files.get('/a.yaml'), edit.isEdited]).toEqual(['name: a\nreplicates: 2', false]);
    expect(saves[0]).toMatchObject({ kind: 'campaign', knownHash: 'name: a' });
  });

  it('over another file is refused with the reason, and the edits stay', async () => {
    const edit = await open();
    files.set('/b.yaml', 'name: b');
    await edit.setText('name: a\nseeds: 1');
    expect(await edit.save('/b.yaml', false)).toBe(false);
    expect([edit.refusal, edit.error, edit.isEdited]).toEqual(['exists', 'refused: exists', true]);
    expect(await edit.save('/c.yaml', false)).toBe(true);
    expect([edit.refusal, edit.error, edit.file]).toEqual([null, null, '/c.yaml']);
  });

  it('reverts to the file', async () => {
    const edit = await open();
    await edit.setText('name: a\nseeds: 1');
    await edit.revert();
    expect([edit.text, edit.isEdited]).toEqual(['name: a', false]);
  });
});
