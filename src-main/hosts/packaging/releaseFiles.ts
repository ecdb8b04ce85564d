// The files of a release: packages that were built into dist, and their checksums.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The packages and SHA256SUMS in dist/release, which is replaced. Returns their paths. */
export function collectPackages(root: string, version: string): string[] {
  const folder = join(root, 'dist/release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = join(folder, `understory-${version}-linux-x64.tar.gz`);
  const renamed = `s,^linux-unpacked,understory-${version},`;
  execFileSync('tar', [
    '-czf',
    archive,
    '-C',
    join(root, 'dist'),
    '--transform',
    renamed,
    'linux-unpacked',
  ]);
  const deb = join(folder, `understory_${version}_amd64.deb`);
  copyFileSync(join(root, 'dist', basename(deb)), deb);
  const sums = [archive, deb].map((file) => {
    const hash = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${hash}  ${basename(file)}\n`;
  });
  const sumsFile = join(folder, 'SHA256SUMS');
  writeFileSync(sumsFile, sums.join(''));
  return [archive, deb, sumsFile];
}
