// The archive of the command line (`npm run package -- archive`), unpacked elsewhere: without environment, and as root in
// a folder that holds the C library and a shell alone. Part of the package's test, which builds it.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { understoryVersion } from '#hosts/version.ts';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { projectRoot } from '#test/stages.ts';

const name = `understory-cli-${understoryVersion}`;
const scan = [
  ...['scan', 'clearing', '--sensor', 'lms-291', '--pose', '0,0,1,0', '--seconds', '0.05'],
  ...['--isa', 'avx2'],
];
/** All that the chroot has: the loader, the parts of the C library, a shell. */
const hostFiles = [
  '/lib64/ld-linux-x86-64.so.2',
  ...['c.so.6', 'm.so.6', 'dl.so.2', 'pthread.so.0', 'rt.so.1'].map(
    (library) => `/lib/x86_64-linux-gnu/lib${library}`,
  ),
];

/** Runs where the test of the package has built the archive. */
export function describeArchive(): void {
  describe('npm run package -- archive', () => {
    it('scans and drives without environment and other libraries, with the bytes of the clone', async () => {
      const folder = temporaryFolder();
      const isRoot = process.getuid?.() === 0;
      unpack(folder);
      const inside = isRoot ? '' : folder;
      const run = (...args: string[]): { status: number | null; output: string } => {
        const command = [`${inside}/opt dir/${name}/understory`, ...args];
        const confined = isRoot ? ['/usr/sbin/chroot', folder, '/bin/sh', ...command] : command;
        const { status, stdout, stderr } = spawnSync(
          'env',
          ['-i', ...withData(inside), ...confined],
          {
            encoding: 'utf8',
          },
        );
        return { status, output: stdout + stderr };
      };
      if (isRoot) makeHost(folder);
      else
        console.log(
          'without root: env -i with an empty PATH, the libraries of the system in reach',
        );
      const out = `${inside}/opt dir/archive.csv`;
      expect(run(...scan, '--out', out)).toMatchObject({ status: 0 });
      const here = await runHere(folder, ...scan, '--out', 'clone.csv');
      expect(here.exitCode).toBe(0);
      const written = readFileSync(join(folder, 'opt dir/archive.csv'));
      expect(written.equals(readFileSync(join(folder, 'clone.csv')))).toBe(true);
      const drive = run('drive', 'clearing', '--seconds', '0.3', '--isa', 'avx2');
      expect(drive).toMatchObject({ status: 0 });
    });

    it.each(['2.17', '2.9', '1.99'])('names a C library that is too old: %s', (version) => {
      const folder = temporaryFolder();
      unpack(folder);
      const fake = join(folder, 'getconf');
      writeFileSync(fake, `#!/bin/sh\necho glibc ${version}\n`);
      chmodSync(fake, 0o755);
      // Nothing starts: there is nothing to be started.
      writeFileSync(join(folder, 'opt dir', name, 'cli/node'), 'not a program');
      const { status, stderr, stdout } = spawnSync(
        join(folder, 'opt dir', name, 'understory'),
        ['--version'],
        { encoding: 'utf8', env: { PATH: folder } },
      );
      expect([status, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(
        new RegExp(
          `^understory: GNU C library 2\\.\\d+ or newer is needed; this system has ${version}\n$`,
        ),
      );
    });
  });
}

function unpack(folder: string): void {
  const archive = join(projectRoot, 'dist', `${name}-linux-x64.tar.gz`);
  mkdirSync(join(folder, 'opt dir'));
  execFileSync('tar', ['-xzf', archive, '-C', join(folder, 'opt dir')]);
}

function withData(inside: string): string[] {
  return [`UNDERSTORY_DATA=${inside}/opt dir/data`, `UNDERSTORY_CACHE=${inside}/opt dir/cache`];
}

function makeHost(folder: string): void {
  for (const file of [...hostFiles, '/bin/sh']) {
    const to = join(folder, file);
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(file, to);
  }
  for (const made of ['tmp', 'dev']) mkdirSync(join(folder, made));
  execFileSync('cp', ['-a', '/dev/null', join(folder, 'dev/null')]);
}
