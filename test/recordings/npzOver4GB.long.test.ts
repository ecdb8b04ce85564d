// An NPZ archive beyond the 4 GB that ZIP counts in 32 bits, read back by another library.
import { join } from 'node:path';
import { openPromise } from 'yauzl';
import { expect, it } from 'vitest';
import { openNpz } from '#recordings/export/npz.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const pieceRows = 2 ** 26;
const pieces = 65;

it('holds an array of more than 4 GB', async () => {
  const file = join(temporaryFolder(), 'large.npz');
  const npz = await openNpz(file);
  await npz.add('large', { type: 'u8' });
  await npz.add('after', { type: 'u16' });
  for (let piece = 0; piece < pieces; piece += 1) {
    await npz.append('large', new Uint8Array(pieceRows).fill(piece));
  }
  await npz.append('after', Uint16Array.of(7));
  await npz.close();

  const zip = await openPromise(file);
  const sizes = new Map<string, number>();
  for await (const entry of zip.eachEntry()) {
    let at = 0;
    for await (const bytes of await zip.openReadStreamPromise(entry)) {
      const piece = bytes as Buffer;
      if (entry.fileName === 'large.npy' && at >= 192) {
        expect(piece[0]).toBe(Math.floor((at - 192) / pieceRows));
      }
      at += piece.length;
    }
    sizes.set(entry.fileName, at);
  }
  expect(sizes).toEqual(
    new Map([
      ['large.npy', 192 + pieces * pieceRows],
      ['after.npy', 192 + 2],
    ]),
  );
});
