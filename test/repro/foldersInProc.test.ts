// `drive --out /proc/nope` hung: Node's recursive mkdir tries endlessly where mkdir says ENOENT in a folder
// that exists. In a process of its own, because a hanging call cannot be timed out from within.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const module = new URL('../../src-main/hosts/node/makeFolders.ts', import.meta.url);

it.skipIf(!existsSync('/proc/self'))('is refused at once where no folder can be made', () => {
  const code = `import { makeFolders } from '${module.href}'; makeFolders('/proc/nope/deeper');`;
  const { status, signal, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module-typescript', '--eval', code],
    { encoding: 'utf8', timeout: 20_000, cwd: fileURLToPath(new URL('.', import.meta.url)) },
  );
  expect(signal).toBeNull();
  expect(status).toBe(1);
  // Root gets "not found", others "not permitted".
  expect(stderr).toMatch(/no folder can be made in '\/proc'|EACCES/);
});
