// Opening scenarios: what is checked before, what is refused, and which of two requests counts.
import { describe, expect, it, vi } from 'vitest';
import { usePlace } from '#renderer/stores/frame/place.ts';
import { useCloudFiles } from '#renderer/stores/learn/cloudFiles.ts';
import { useRunImport } from '#renderer/stores/runs/importing.ts';
import { useOpening } from '#renderer/stores/scene/opening.ts';
import { useScene } from '#renderer/stores/scene/scene.ts';
import { held } from '../browserStubs.ts';
import { untilCancelled } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Requests to build a scene. */
let built: { scenario: string; text?: string }[];
const problem = { path: 'seed', code: 'custom', message: 'expected a number' };

function open(shell?: object) {
  built = [];
  page = openPage({ at: '#/drive', shell });
  page.answer('scenario.check', () => ({ problems: [] }));
  page.answer('scenario.plan', () => ({}));
  page.answer('scene.open', (request, options) => {
    built.push(request as (typeof built)[number]);
    return untilCancelled().how(request, options);
  });
  return useOpening();
}

const meshHead = 'ply\nformat ascii 1.0\nelement vertex 3\nelement face 1\nend_header\n';
const dropped = (name: string, text = ''): File => new File([text], name);

describe('a scenario that is opened', () => {
  it('is checked first, then shown', async () => {
    const opening = open();
    opening.isChoosing = true;
    expect(await opening.openFile('/a.understory.yaml')).toBe(true);
    await vi.waitFor(() => expect(built).toHaveLength(1));
    expect(built[0]?.scenario).toBe('/a.understory.yaml');
    expect(page.calls.filter((method) => /scenario.check|scene.open/.test(method))).toEqual([
      'scenario.check',
      'scene.open',
    ]);
    expect([usePlace().activity, opening.isChoosing, opening.checking]).toEqual([
      'scene',
      false,
      null,
    ]);
  });

  it('with problems leaves everything as it is, and lists them', async () => {
    const opening = open();
    opening.isChoosing = true;
    page.answer('scenario.check', () => ({ problems: [problem, problem] }));
    expect(await opening.openFile('/a/b.understory.yaml')).toBe(false);
    expect([built, usePlace().activity, opening.isChoosing]).toEqual([[], 'drive', true]);
    expect(opening.refusal).toEqual({
      file: 'b.understory.yaml',
      message: '2 problems:',
      problems: [problem, problem],
    });
  });

  it('that the host cannot read is refused with the reason', async () => {
    const opening = open();
    page.answer('scenario.check', () => {
      throw new Error('no such file');
    });
    expect(await opening.openFile('/gone.understory.yaml')).toBe(false);
    expect(opening.refusal?.message).toBe('no such file');
    expect([built, opening.checking]).toEqual([[], null]);
  });

  it('is the second of two in a row, whichever is checked first', async () => {
    const opening = open();
    const first = held<unknown>();
    page.answer('scenario.check', (request) =>
      (request as { scenario: string }).scenario === 'a' ? first.promise : { problems: [] },
    );
    const isFirstOpened = opening.openFile('a');
    expect(await opening.openFile('b')).toBe(true);
    first.resolve({ problems: [problem] });
    expect(await isFirstOpened).toBe(false);
    expect([useScene().scenario, opening.refusal]).toEqual(['b', null]);
  });
});

describe('files that are dropped', () => {
  it('without a path are opened by their text, with a remark about their folder', async () => {
    const opening = open();
    await opening.openDropped([dropped('a.understory.yaml', 'scene: {}')]);
    await vi.waitFor(() => expect(built).toHaveLength(1));
    expect(built[0]).toMatchObject({ text: 'scene: {}' });
    expect(opening.remark).toContain('a.understory.yaml');
    await opening.openFile('b');
    expect(opening.remark).toBeNull();
  });

  it('whose text is refused open nothing', async () => {
    const opening = open();
    page.answer('scenario.plan', () => {
      throw new Error('expected a mapping');
    });
    await opening.openDropped([dropped('a.understory.yaml', '7')]);
    expect([built, opening.remark, opening.refusal?.message]).toEqual([
      [],
      null,
      'expected a mapping',
    ]);
  });

  it('are opened by their path in the desktop app', async () => {
    const opening = open({
      onCommand: () => undefined,
      onOpenFile: () => undefined,
      pathOfFile: ({ name }: File) => `/home/${name}`,
    });
    await opening.openDropped([dropped('notes.txt'), dropped('a.understory.yaml')]);
    await vi.waitFor(() => expect(built).toHaveLength(1));
    expect(built[0]).toMatchObject({ scenario: '/home/a.understory.yaml' });
    expect(built[0]?.text).toBeUndefined();
  });

  it('without a scenario among them are refused by the first', async () => {
    const opening = open();
    await opening.openDropped([dropped('oak.ply', meshHead), dropped('notes.txt')]);
    expect(opening.refusal).toMatchObject({ file: 'oak.ply' });
    expect(opening.refusal?.message).toContain('mesh');
    expect(page.calls).not.toContain('scenario.plan');
  });

  it('that hold points are sent to the host and shown as a cloud', async () => {
    const opening = open();
    page.answer('runs.receive', () => ({ upload: 'u' }));
    page.answer('cloud.keep', () => ({ file: '/data/clouds/plot.las' }));
    page.answer('cloud.list', () => ({ folder: '/data/clouds', clouds: [] }));
    await opening.openDropped([dropped('notes.txt'), dropped('plot.las', 'LASF')]);
    expect(useCloudFiles().shown).toBe('/data/clouds/plot.las');
    await opening.openFile('/scans/other.LAZ');
    expect(useCloudFiles().shown).toBe('/scans/other.LAZ');
    expect(opening.refusal).toBeNull();
    expect(built).toEqual([]);
  });

  it('that hold runs are imported, not opened', async () => {
    const opening = open();
    page.answer('runs.receive', () => ({ upload: 'u' }));
    page.answer('runs.unpack', () => ({ runs: [], refused: [] }));
    await opening.openDropped([dropped('a.understory.yaml'), dropped('a.mcap', 'log')]);
    expect(useRunImport().done.map(({ name }) => name)).toEqual(['a.mcap']);
    expect(built).toEqual([]);
  });
});

describe('the desktop app', () => {
  it('chooses with its own dialog, and opens nothing where that is cancelled', async () => {
    let chosen: string | null = null;
    const opening = open({
      onCommand: () => undefined,
      onOpenFile: () => undefined,
      chooseFile: () => Promise.resolve(chosen),
    });
    await opening.choose();
    expect(page.calls).not.toContain('scenario.check');
    chosen = '/a.understory.yaml';
    await opening.choose();
    expect([useScene().scenario, opening.isChoosing]).toEqual(['/a.understory.yaml', false]);
  });

  it('opens scenarios by double click, and imports bundles', async () => {
    let onOpenFile = (_: string): void => undefined;
    open({
      onCommand: () => undefined,
      onOpenFile: (listener: typeof onOpenFile) => (onOpenFile = listener),
    });
    const unpacked: unknown[] = [];
    page.answer('runs.unpack', (request) => {
      unpacked.push(request);
      return { runs: [], refused: [] };
    });
    onOpenFile('/runs/a.understory');
    await vi.waitFor(() => expect(unpacked).toEqual([{ path: '/runs/a.understory' }]));
    expect(page.calls).not.toContain('scenario.check');
    onOpenFile('/a.understory.yaml');
    await vi.waitFor(() => expect(useScene().scenario).toBe('/a.understory.yaml'));
  });
});
