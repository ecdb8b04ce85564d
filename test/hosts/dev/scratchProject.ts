// A copy of the page's sources in a project folder of its own, so that a test may edit them.
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '#test/stages.ts';

export interface ScratchProject {
  folder: string;
  remove(): Promise<void>;
}

/** src-renderer is copied; everything else of the project is linked. */
export async function makeScratchProject(): Promise<ScratchProject> {
  const folder = await mkdtemp(join(tmpdir(), 'understory-dev-'));
  await cp(join(projectRoot, 'src-renderer'), join(folder, 'src-renderer'), { recursive: true });
  for (const name of ['package.json', 'vite.config.ts', 'tsconfig.base.json']) {
    await cp(join(projectRoot, name), join(folder, name));
  }
  for (const name of ['src-main', 'node_modules']) {
    await symlink(join(projectRoot, name), join(folder, name));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}
