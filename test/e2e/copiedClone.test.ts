// A built clone that was copied: its build folders name the old place, and `serve` starts nevertheless.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { projectRoot } from '#test/stages.ts';
import { describeApp } from './app.ts';

/** Parts of the clone that a build needs. */
const parts = [
  ...['assets', 'build/release', 'native-workers', 'src-main', 'src-renderer'],
  ...['package.json', 'package-lock.json', 'tsconfig.base.json', 'vite.config.ts', 'contract'],
  'test/native',
];
/** The native worker is built again: some minutes on two quiet cores, several times that on busy ones. */
const buildMs = 45 * 60_000;

describeApp('a clone', (app) => {
  it(
    'ui-17 a copied built clone starts serve and is opened',
    async () => {
      const clone = join(temporaryFolder(), 'copy');
      for (const part of parts) {
        const from = join(projectRoot, part);
        // Why without times: this is what a plain copy does, so that every step looks out of date.
        if (existsSync(from)) cpSync(from, join(clone, part), { recursive: true });
      }
      // Why no link: the set-up may install again, and would empty the original.
      execFileSync('cp', ['-a', join(projectRoot, 'node_modules'), join(clone, 'node_modules')]);
      const cache = join(clone, 'build/release/CMakeCache.txt');
      expect(readFileSync(cache, 'utf8')).toContain(`=${join(projectRoot, 'native-workers')}\n`);
      const setup = join(clone, 'src-main/hosts/cli/setup.mjs');
      const data = temporaryFolder();
      const child = spawn(process.execPath, [setup, 'serve', '--data', data], {
        cwd: clone,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(async () => {
        const closed = once(child, 'close');
        child.kill('SIGINT');
        await closed;
      });
      const lines = createInterface(child.stdout);
      const [address] = (await Promise.race([
        once(lines, 'line'),
        once(child, 'close').then(() => ['the set-up ended']),
      ])) as [string];
      expect(address).toMatch(/^http:/);
      const page = await app.open('dark', { address, at: 'scene' });
      await page.getByTestId('open-box').waitFor();
      expect(readFileSync(cache, 'utf8')).toContain(`=${join(clone, 'native-workers')}\n`);
    },
    buildMs,
  );
});
