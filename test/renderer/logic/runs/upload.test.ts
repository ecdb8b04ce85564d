import { expect, it } from 'vitest';
import { sendFile } from '#renderer/logic/runs/upload.ts';

const bytes = Uint8Array.from({ length: 9 * 2 ** 20 }, (_, at) => at % 251);

/** A host that stores what it receives. */
function receiver() {
  const pieces: Uint8Array[] = [];
  const sent: { offset: number; isDiscarded: boolean; upload: string | undefined }[] = [];
  const send = (
    request: { offset: number; isDiscarded?: boolean | undefined; upload?: string | undefined },
    piece: Uint8Array,
  ): Promise<{ upload: string }> => {
    const { offset, isDiscarded = false, upload } = request;
    sent.push({ offset, isDiscarded, upload });
    pieces.push(piece);
    return Promise.resolve({ upload: 'one' });
  };
  return { pieces, sent, send };
}

it('sends a file in pieces that the host takes, in turn', async () => {
  const { pieces, sent, send } = receiver();
  const file = new File([bytes], 'x.understory');
  const progress: number[] = [];
  const onSent = (done: number): void => void progress.push(done);
  expect(await sendFile(file, send, onSent, new AbortController().signal)).toBe('one');
  expect(sent.map(({ offset }) => offset)).toEqual([0, 4 * 2 ** 20, 8 * 2 ** 20]);
  expect(sent.map(({ upload }) => upload)).toEqual([undefined, 'one', 'one']);
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true);
  expect(progress.at(-1)).toBe(bytes.length);
});

it('sends an empty file too, and discards what was sent of a file that is cancelled', async () => {
  const empty = receiver();
  await sendFile(new File([], 'x'), empty.send, () => undefined, new AbortController().signal);
  expect(empty.sent).toHaveLength(1);
  const { sent, send } = receiver();
  const controller = new AbortController();
  const cancelled = sendFile(
    new File([bytes], 'x.understory'),
    send,
    () => controller.abort(),
    controller.signal,
  );
  await expect(cancelled).rejects.toMatchObject({ code: 'cancelled' });
  expect(sent.at(-1)).toEqual({ offset: 4 * 2 ** 20, isDiscarded: true, upload: 'one' });
});
