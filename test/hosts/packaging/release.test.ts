// `npm run release`: what it changes in the changelog, what it refuses, and that a dry run writes nothing.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkVersion, releaseChangelog, unreleasedEntries } from '#hosts/packaging/changelog.ts';
import { collectPackages } from '#hosts/packaging/releaseFiles.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { projectRoot } from '#test/stages.ts';

const changelog = `# Changelog

## [Unreleased]

### Added

- A thing.

## [0.1.0] - 2026-11-20

### Added

- The first.
`;

describe('the changelog', () => {
  it('moves what is unreleased below the version and its date', () => {
    const released = releaseChangelog(changelog, '0.2.0', '2027-01-31');
    expect(unreleasedEntries(released)).toBe('');
    expect(released).toContain(
      '## [Unreleased]\n\n## [0.2.0] - 2027-01-31\n\n### Added\n\n- A thing.\n\n## [0.1.0]',
    );
    expect(() => releaseChangelog(released, '0.3.0', '2027-02-01')).toThrow('no entries');
    expect(() => releaseChangelog(changelog, '0.1.0', '2027-02-01')).toThrow('already');
  });

  it('of the project has a version, and entries that are not released', () => {
    const text = readFileSync(join(projectRoot, 'CHANGELOG.md'), 'utf8');
    expect(text).toContain('## [0.1.0] - 2026-11-20');
    expect(unreleasedEntries(text)).not.toBe('');
  });
});

it.each([
  ['0.1.0', '0.1.0'],
  ['0.2.0', '0.1.9'],
  ['1.0.0', '0.9.9'],
  ['0.1.0', '0.2'],
  ['0.1.0', 'v0.2.0'],
  ['0.1.0', ''],
])('after %s the version %o is refused', (current, next) => {
  expect(() => checkVersion(current, next)).toThrow(expect.objectContaining({ code: 'bad-input' }));
});

it.each(['0.1.1', '0.2.0', '0.10.0', '1.0.0'])('after 0.1.0 comes %s', (next) => {
  expect(() => checkVersion('0.1.0', next)).not.toThrow();
});

it('the files of a release are the packages, with sums that sha256sum confirms', () => {
  const root = temporaryFolder();
  const dist = join(root, 'dist');
  mkdirSync(join(dist, 'linux-unpacked'), { recursive: true });
  mkdirSync(join(dist, 'release'));
  writeFileSync(join(dist, 'linux-unpacked/understory'), 'the program');
  writeFileSync(join(dist, 'understory_0.2.0_amd64.deb'), 'a package');
  writeFileSync(join(dist, 'release/understory_0.1.0_amd64.deb'), 'of the last release');
  const names = collectPackages(root, '0.2.0').map((file) => basename(file));
  expect(names).toEqual([
    'understory-0.2.0-linux-x64.tar.gz',
    'understory_0.2.0_amd64.deb',
    'SHA256SUMS',
  ]);
  const cwd = join(dist, 'release');
  expect(readdirSync(cwd).sort()).toEqual([...names].sort());
  const sums = execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd, encoding: 'utf8' });
  expect(sums).toBe(`${names[0]}: OK\n${names[1]}: OK\n`);
  const list = execFileSync('tar', ['-tzf', names[0] ?? ''], { cwd, encoding: 'utf8' });
  expect(list).toBe('understory-0.2.0/\nunderstory-0.2.0/understory\n');
  appendFileSync(join(cwd, names[1] ?? ''), 'x');
  expect(spawnSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd }).status).toBe(1);
});

describe('the command', () => {
  const script = join(projectRoot, 'src-main/hosts/packaging/release.ts');
  const makeClone = (): string => {
    const root = temporaryFolder();
    for (const name of ['package.json', 'package-lock.json']) {
      cpSync(join(projectRoot, name), join(root, name));
    }
    writeFileSync(join(root, 'CHANGELOG.md'), changelog);
    const git = (...args: string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], {
        cwd: root,
      });
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'all');
    return root;
  };
  const run = (root: string, ...args: string[]): { status: number | null; output: string } => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [script, '--root', root, ...args],
      { encoding: 'utf8' },
    );
    return { status, output: stdout + stderr };
  };

  it('prints version and entries in a dry run, and writes nothing', () => {
    const root = makeClone();
    const { status, output } = run(root, '9.9.9', '--dry-run');
    expect([status, output]).toEqual([0, expect.stringContaining('-> 9.9.9')]);
    expect(output).toContain('- A thing.');
    const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
    expect(changes).toBe('');
  });

  it('refuses a work tree with changes, and a version that is none', () => {
    const root = makeClone();
    expect(run(root, 'next', '--dry-run')).toMatchObject({ status: 3 });
    writeFileSync(join(root, 'new.txt'), '');
    const { status, output } = run(root, '9.9.9', '--dry-run');
    expect([status, output]).toEqual([3, expect.stringContaining('commit them first')]);
  });
});
