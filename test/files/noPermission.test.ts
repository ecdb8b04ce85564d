// Files and folders that this account may not read or write: each failure names the path and says why. As root, the tests are
// another account meanwhile.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { openAppendFile } from '#files/appendFile.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { findDocument, readDocument } from '#services/documents/documentFiles.ts';
import { createKnownFolders } from '#services/documents/knownFolders.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { projectRoot } from '#test/stages.ts';

const otherAccount = 65534;

const files = createNodeFiles({ assetsFolder: join(projectRoot, 'assets') });

async function asOrdinaryAccount<T>(work: () => Promise<T>): Promise<T> {
  const own = process.getuid?.();
  if (own !== 0) return work();
  process.seteuid?.(otherAccount);
  try {
    return await work();
  } finally {
    process.seteuid?.(own);
  }
}

/** A folder that all may read, with a folder that none may. */
function folders(): { open: string; closed: string; file: string } {
  const open = temporaryFolder({ 'closed/yard.understory.yaml': 'a' });
  const closed = join(open, 'closed');
  chmodSync(open, 0o755);
  chmodSync(closed, 0);
  return { open, closed, file: join(closed, 'yard.understory.yaml') };
}

it('a folder is not listed', async () => {
  const { open, closed } = folders();
  const known = createKnownFolders(files, [open]);
  await asOrdinaryAccount(async () => {
    expect(await known.list(open)).toMatchObject({ folders: ['closed'] });
    await expect(known.list(closed)).rejects.toMatchObject({
      code: 'io',
      message: `'${closed}' cannot be read: this account has no permission`,
    });
  });
});

it('a document in such a folder is not said to be missing', async () => {
  const { file } = folders();
  await asOrdinaryAccount(async () => {
    expect(await findDocument(files, 'scenarios', file)).toBe(file);
    expect((await readDocument(files, 'scenario', file)).problems).toMatchObject([
      { message: `'${file}' cannot be read: this account has no permission` },
    ]);
  });
});

it('a document is not saved there', async () => {
  const { file, open } = folders();
  await asOrdinaryAccount(async () => {
    for (const path of [file, join(open, 'new.understory.yaml'), join(open, 'new', 'a.yaml')]) {
      await expect(files.writeText(path, 'b')).rejects.toMatchObject({
        code: 'io',
        message: `${path}: this account has no permission`,
      });
    }
  });
});

it('a file is not made, and a catalogue is not opened', async () => {
  const { open } = folders();
  const file = join(open, 'recording.mcap');
  await asOrdinaryAccount(async () => {
    await expect(openAppendFile(file, 'create')).rejects.toMatchObject({
      code: 'io',
      message: `${file}: this account has no permission`,
    });
    const catalogue = join(open, 'catalogue.sqlite');
    expect(() => openCatalogue(catalogue)).toThrow(
      `${catalogue} cannot be opened or made: check the permissions of its folder`,
    );
  });
});
