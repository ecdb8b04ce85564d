// Importing runs: one at a time, by path or in pieces, cancelled, and refused.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useJobs } from '#renderer/stores/host/jobs.ts';
import { useRunImport } from '#renderer/stores/runs/importing.ts';
import { untilCancelled } from '../pageOf.ts';
import { openPage, type OpenPage } from '../openPage.ts';

let page: OpenPage;
/** Requests to unpack. */
let unpacked: unknown[];
const file = (name: string) => new File(['recording'], name);

function open(shell?: object) {
  page = openPage({ at: '#/runs', shell });
  page.answer('runs.receive', () => ({ upload: 'u1' }));
  page.answer('runs.unpack', (request) => {
    unpacked.push(request);
    return { runs: [{ id: `run ${unpacked.length}` }], refused: [] };
  });
  return useRunImport();
}

beforeEach(() => {
  unpacked = [];
});

describe('an import', () => {
  it('of files is one after the other, sent to the host where there is no path', async () => {
    const runs = open();
    await runs.importFiles([file('a.mcap'), file('b.understory')]);
    expect(runs.isOpen).toBe(true);
    expect(unpacked).toEqual([{ upload: 'u1' }, { upload: 'u1' }]);
    expect(runs.done.map(({ name, runs: found }) => [name, found.length])).toEqual([
      ['a.mcap', 1],
      ['b.understory', 1],
    ]);
    expect(useJobs().list.map(({ title, state, command }) => [title, state, command])).toEqual([
      ['Import b.understory', 'done', null],
      ['Import a.mcap', 'done', null],
    ]);
  });

  it('by a path sends nothing, and has a command', async () => {
    const runs = open({ pathOfFile: ({ name }: File) => `/d/${name}` });
    await runs.importFiles([file('a.mcap')]);
    expect(page.calls).not.toContain('runs.receive');
    expect(unpacked).toEqual([{ path: '/d/a.mcap' }]);
    expect(useJobs().list[0]?.command).toContain('/d/a.mcap');
  });

  it('that is cancelled ends all of it, and is no failure', async () => {
    const runs = open();
    page.answer('runs.unpack', untilCancelled().how);
    const importing = runs.importFiles([file('a.mcap'), file('b.mcap')]);
    await vi.waitFor(() => expect(page.calls).toContain('runs.unpack'));
    runs.cancel();
    await importing;
    expect([runs.failure, runs.working, runs.done]).toEqual([null, null, []]);
    expect(page.calls.filter((method) => method === 'runs.unpack')).toHaveLength(1);
    expect(useJobs().list[0]?.state).toBe('cancelled');
  });

  it('that is cancelled as a job is the same', async () => {
    const runs = open();
    page.answer('runs.unpack', untilCancelled().how);
    const importing = runs.importPath('/a.mcap');
    await vi.waitFor(() => expect(page.calls).toContain('runs.unpack'));
    useJobs().list[0]?.cancel();
    await importing;
    expect([runs.working, runs.failure]).toEqual([null, null]);
  });

  it('after a cancelled one is not cancelled with it', async () => {
    const runs = open();
    runs.cancel();
    await runs.importFiles([file('a.mcap')]);
    expect(runs.done).toHaveLength(1);
  });

  it('that fails reports why, keeps what came before it, and tries nothing after it', async () => {
    const runs = open();
    page.answer('runs.unpack', (request) => {
      unpacked.push(request);
      if (unpacked.length === 2) throw new Error('no recording');
      return { runs: [], refused: [] };
    });
    await runs.importFiles([file('a.mcap'), file('b.mcap'), file('c.mcap')]);
    expect(unpacked).toHaveLength(2);
    expect([runs.failure, runs.done.map(({ name }) => name)]).toEqual(['no recording', ['a.mcap']]);
    runs.open();
    expect([runs.failure, runs.done]).toEqual([null, []]);
  });

  it('while another one is in progress is refused, and that one continues', async () => {
    const runs = open();
    page.answer('runs.unpack', untilCancelled().how);
    const first = runs.importPath('/a.mcap');
    await runs.importPath('/b.mcap');
    expect(runs.failure).toContain('Another import');
    // Opening the dialog again hides nothing of what is in progress.
    runs.open();
    expect([runs.working, runs.failure === null]).toEqual(['a.mcap', false]);
    runs.cancel();
    await first;
    expect(runs.working).toBeNull();
  });

  it('that the dialog of the window cancels asks for nothing', async () => {
    const runs = open({ chooseFile: () => Promise.resolve(null) });
    await runs.choose();
    expect([runs.isOpen, page.calls.includes('runs.unpack')]).toEqual([false, false]);
  });
});
