// Files that a page sends in pieces: a bundle of a recorded run, received, checked and unpacked like one with a path.
import { readdirSync, readFileSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Replies, type RequestInputOf } from '#contract/host/methods.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost } from '#test/support/host.ts';
import { drivenRun, pack } from './packedRun.ts';

const folder = temporaryFolder();
const bundle = join(folder, 'x.understory');

const runId = await drivenRun(folder);
await pack(folder, runId, bundle, '--recording', '--html');
const bytes = readFileSync(bundle);
const host = await openHost(join(folder, 'data'));

async function call<M extends 'runs.receive' | 'runs.unpack'>(
  method: M,
  request: RequestInputOf<M>,
  piece?: Uint8Array,
  connection?: AbortSignal,
): Promise<Replies[M]> {
  return host.ask(method, request, {
    ...(piece && { columns: { bytes: piece } }),
    ...(connection && { connection }),
  });
}

/** Files that are being received. */
function scratch(): string[] {
  return readdirSync(join(folder, 'data/scratch'));
}

it('unpacks what was received in pieces, under the name that the page gave', async () => {
  const name = 'mine.understory';
  const totalBytes = bytes.length;
  const half = Math.floor(totalBytes / 2);
  const first = bytes.subarray(0, half);
  const { upload } = await call('runs.receive', { name, totalBytes, offset: 0 }, first);
  const rest = { name, totalBytes, offset: half, upload };
  await call('runs.receive', rest, bytes.subarray(half));
  expect(scratch()).toHaveLength(1);
  const { runs } = await call('runs.unpack', { upload });
  expect(runs).toMatchObject([{ runId, isNew: false }]);
  expect(scratch()).toEqual([]);
  await expect(call('runs.unpack', { upload })).rejects.toMatchObject({ code: 'not-found' });
});

it('takes a bare recording too', async () => {
  const recording = readFileSync(join(folder, 'data/runs', runId, 'recording.mcap'));
  const file = { name: 'mine.mcap', totalBytes: recording.length, offset: 0 };
  const { upload } = await call('runs.receive', file, recording);
  const { runs } = await call('runs.unpack', { upload });
  expect(runs).toMatchObject([{ runId, isNew: false, hasRecording: true }]);
  expect(scratch()).toEqual([]);
});

it('refuses what is damaged by the name that the page gave, and removes it', async () => {
  const changed = Uint8Array.from(bytes);
  const middle = Math.floor(bytes.length / 2);
  changed[middle] = (changed[middle] ?? 0) ^ 1;
  const file = { name: '../mine.understory', totalBytes: bytes.length, offset: 0 };
  const { upload } = await call('runs.receive', file, changed);
  await expect(call('runs.unpack', { upload })).rejects.toMatchObject({
    code: 'corrupt',
    message: expect.stringMatching(/^'mine\.understory' is damaged: /) as string,
  });
  expect(scratch()).toEqual([]);
});

it('takes pieces in turn only, at most as many bytes as were announced, and discards', async () => {
  const name = 'mine.understory';
  const piece = bytes.subarray(0, 100);
  const begin = async (totalBytes: number): Promise<string> =>
    (await call('runs.receive', { name, totalBytes, offset: 0 }, piece)).upload;
  for (const offset of [0, 101, 99]) {
    const upload = await begin(1000);
    const request = { name, totalBytes: 1000, offset, upload };
    await expect(call('runs.receive', request, piece)).rejects.toMatchObject({ code: 'bad-input' });
    expect(scratch()).toEqual([]);
  }
  await expect(begin(99)).rejects.toMatchObject({ code: 'bad-input' });
  await expect(begin(Number.MAX_SAFE_INTEGER)).rejects.toMatchObject({ code: 'disk-full' });
  const part = await begin(1000);
  await expect(call('runs.unpack', { upload: part })).rejects.toMatchObject({
    message: "only 100 of the 1000 bytes of 'mine.understory' arrived",
  });
  const discarded = await begin(1000);
  const request = { name, totalBytes: 1000, offset: 100, upload: discarded, isDiscarded: true };
  await call('runs.receive', request);
  expect(scratch()).toEqual([]);
});

it('removes the files of a connection that closes, also while a piece is written', async () => {
  const connection = new AbortController();
  const file = { name: 'mine.understory', totalBytes: 1000, offset: 0 };
  const piece = bytes.subarray(0, 100);
  const receive = (request: RequestInputOf<'runs.receive'>, sender = connection) =>
    call('runs.receive', request, piece, sender.signal);
  const { upload } = await receive(file);
  const other = await receive(file, new AbortController());
  expect(scratch()).toHaveLength(2);
  const next = receive({ ...file, offset: 100, upload });
  connection.abort();
  await next;
  await expect.poll(scratch).toHaveLength(1);
  await expect(receive({ ...file, offset: 200, upload })).rejects.toMatchObject({
    code: 'not-found',
  });
  await receive(file);
  await expect.poll(scratch).toHaveLength(1);
  await call('runs.receive', { ...file, upload: other.upload, isDiscarded: true });
  expect(scratch()).toEqual([]);
});

it('takes so many files, which fit on the disk together', async () => {
  const { bavail, bsize } = statfsSync(folder);
  const half = { name: 'mine.understory', totalBytes: Math.floor(bavail * bsize * 0.6), offset: 0 };
  const connection = new AbortController();
  const begin = (file: typeof half) =>
    call('runs.receive', file, bytes.subarray(0, 10), connection.signal);
  const halves = await Promise.allSettled([begin(half), begin(half)]);
  expect(halves).toMatchObject([
    { status: 'fulfilled' },
    { status: 'rejected', reason: { code: 'disk-full' } },
  ]);
  const small = { ...half, totalBytes: 1000 };
  const others = await Promise.allSettled(Array.from({ length: 5 }, () => begin(small)));
  expect(others.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 3 }, () => 'fulfilled'),
    ...Array.from({ length: 2 }, () => 'rejected'),
  ]);
  expect(others.at(-1)).toMatchObject({ reason: { code: 'locked' } });
  connection.abort();
  await expect.poll(scratch).toEqual([]);
});
