// `npm run release -- VERSION [--dry-run]`: version, changelog, packages, checksums.
// Guarantees: nothing is written before everything that can be checked has been; --dry-run writes nothing; nothing is
// committed, tagged or sent anywhere: the commands for that are printed.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UnderstoryError } from '#contract/errors.ts';
import { checkVersion, releaseChangelog, unreleasedEntries } from './changelog.ts';
import { collectPackages } from './releaseFiles.ts';

try {
  release();
} catch (error) {
  if (!(error instanceof UnderstoryError)) throw error;
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 3;
}

function release(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, root: { type: 'string' } },
  });
  const root = values.root ?? fileURLToPath(new URL('../../../', import.meta.url));
  const read = (name: string): string => readFileSync(join(root, name), 'utf8');
  const [version = ''] = positionals;
  const packageFile = JSON.parse(read('package.json')) as { version: string };
  checkVersion(packageFile.version, version);
  const changelog = read('CHANGELOG.md');
  const date = new Date().toISOString().slice(0, 10);
  const released = releaseChangelog(changelog, version, date);
  const status = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
  if (status !== '') {
    throw new UnderstoryError('bad-input', 'the work tree has changes: commit them first');
  }
  say(`version ${packageFile.version} -> ${version}, ${date}\n\n${unreleasedEntries(changelog)}\n`);
  if (values['dry-run']) {
    say(
      'dry run: nothing was written. Packages: a folder and a .deb, with SHA256SUMS, in dist/release',
    );
    return;
  }
  const versioned = (name: string): void =>
    writeFileSync(join(root, name), withVersion(read(name), packageFile.version, version));
  versioned('package.json');
  versioned('package-lock.json');
  writeFileSync(join(root, 'CHANGELOG.md'), released);
  // Why the set-up again, and processes of their own: they read the version that was just written.
  const setup = join(root, 'src-main/hosts/cli/setup.mjs');
  const script = 'src-main/hosts/packaging/package.ts';
  const args = [setup, '--for', 'serve', script, 'dir', 'deb'];
  execFileSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  say(collectPackages(root, version).join('\n'));
  say(`\nTo publish:\n  git commit -am 'release: version ${version}'\n  git tag v${version}`);
}

/** The version field of package.json, or both of package-lock.json's, without any other change of the text. */
function withVersion(text: string, current: string, next: string): string {
  const field = `"name": "understory",\n`;
  return text.replaceAll(
    new RegExp(`(${field}\\s*)"version": "${current.replaceAll('.', '\\.')}"`, 'g'),
    `$1"version": "${next}"`,
  );
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
