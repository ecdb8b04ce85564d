// The form of a drive: its scenario, the places in the view, and what is stored of it.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { nextTick } from 'vue';
import { useDriveForm } from '#renderer/stores/drive/driveForm.ts';
import { held, stubBrowser, type BrowserStubs } from '../browserStubs.ts';
import { answerEmptyLists } from '../hostAnswers.ts';
import { fakePage, type FakePage } from '../pageOf.ts';

let page: FakePage;
let browser: BrowserStubs;
const missions: Record<string, unknown> = {
  courtyard: { startM: [0, 0], goalM: [10, 0], goalToleranceM: 2 },
  far: { startM: [5000, 0], goalM: [5010, 0], goalToleranceM: 1 },
  none: undefined,
};

beforeEach(() => {
  browser = stubBrowser('#/drive');
  page = fakePage();
  answerEmptyLists(page);
  page.answer('scenario.list', () => ['box', 'courtyard', 'far', 'none'].map((id) => ({ id })));
  page.answer('document.read', (request) => {
    const { document } = request as { document: string };
    return { text: document, file: `/${document}` };
  });
  page.answer('document.edit', (request) => {
    const { text } = request as { text: string };
    const scene = text === 'far' ? { origin: [5000, 0, 0] } : {};
    return { value: { scene, mission: missions[text] } };
  });
});

async function open(scenario?: string) {
  if (scenario !== undefined)
    browser.tab.set('understory.drive.form', JSON.stringify({ scenario, seed: 4 }));
  const drive = useDriveForm();
  await vi.waitFor(() => expect(drive.form.scenario).not.toBe(''));
  return drive;
}

describe('the scenario', () => {
  it('is the courtyard at first, and what was stored after a reload', async () => {
    expect((await open()).form.scenario).toBe('courtyard');
    page = fakePage();
    page.answer('scenario.list', () => [{ id: 'courtyard' }, { id: 'far' }]);
    answerEmptyLists(page);
    const { form } = await open('far');
    await nextTick();
    expect([form.scenario, form.seed]).toEqual(['far', 4]);
  });

  it('that is not there any more is replaced', async () => {
    const drive = await open('gone');
    await vi.waitFor(() => expect(drive.form.scenario).toBe('courtyard'));
  });

  it('shows its own mission, relative to the origin of its scene', async () => {
    const drive = await open('far');
    await vi.waitFor(() =>
      expect(drive.mission).toEqual({ startM: [0, 0], goalM: [10, 0], goalToleranceM: 1 }),
    );
    drive.form.goalM = [5003, 4];
    expect(drive.mission?.goalM).toEqual([3, 4]);
  });

  it('clears the places of the one before', async () => {
    const drive = await open('courtyard');
    drive.form.goalM = [3, 4];
    drive.form.scenario = 'none';
    await nextTick();
    expect(drive.form.goalM).toEqual(['', '']);
    await vi.waitFor(() => expect(drive.mission).toBeNull());
  });

  it('does not show the mission of one that was chosen before and comes late', async () => {
    const drive = await open('courtyard');
    await vi.waitFor(() => expect(drive.mission).not.toBeNull());
    const late = held<unknown>();
    page.answer('document.read', (request) => {
      const { document } = request as { document: string };
      return document === 'far' ? late.promise : { text: document, file: `/${document}` };
    });
    drive.form.scenario = 'far';
    await nextTick();
    drive.form.scenario = 'courtyard';
    await vi.waitFor(() => expect(drive.mission?.goalM).toEqual([10, 0]));
    late.resolve({ text: 'far', file: '/far' });
    await new Promise((resolve) => setTimeout(resolve));
    expect([drive.mission?.goalM, drive.mission?.goalToleranceM]).toEqual([[10, 0], 2]);
  });

  it('that cannot be read leaves a form without a mission', async () => {
    page.answer('document.read', () => {
      throw new Error('no such file');
    });
    const drive = await open('courtyard');
    await vi.waitFor(() => expect(page.calls).toContain('document.read'));
    expect(drive.mission).toBeNull();
  });
});

describe('a place that is picked in the view', () => {
  it('is written in the world to 0.1 m, once', async () => {
    const drive = await open('far');
    await vi.waitFor(() => expect(drive.mission).not.toBeNull());
    drive.picking = 'goalM';
    drive.pick([1.26, -2.04]);
    drive.pick([9, 9]);
    expect([drive.form.goalM, drive.picking]).toEqual([[5001.3, -2], null]);
    expect(drive.form.startM).toEqual(['', '']);
  });

  it('is stored with the form', async () => {
    const drive = await open('courtyard');
    drive.picking = 'startM';
    drive.pick([1, 2]);
    await nextTick();
    const stored = JSON.parse(browser.tab.get('understory.drive.form') ?? '{}') as object;
    expect(stored).toMatchObject({ scenario: 'courtyard', seed: 4, startM: [1, 2] });
  });
});
